import { describe, expect, test } from "vitest";
import { startServer } from "../../../src/tracker/server/server.ts";
import type { TrackerFact } from "../../../src/view/tracker-facts.ts";
import { btConnected } from "../../bt.ts";
import { FATES, faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { demo } from "../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

type Served = {
  readonly codes?: Readonly<Record<string, number>>; // error codes of resources that fail, by path
  readonly isQuoting?: boolean; // these errors repeat the key
  readonly isEmpty?: boolean; // no bug is visible
  readonly now?: string; // of bt
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number; // of a terminal
};

/** What `bt auth status` says about a served demo whose clock is at NOW, and the requests that it has sent. */
async function statusOf(flags: string, served: Served = {}) {
  const { codes = {}, isQuoting = false, isEmpty = false, now = NOW, env = {}, columns } = served;
  const opened = freshDemo({
    now: () => new Date(NOW),
    random: (bytes) => Uint8Array.from({ length: bytes }, (_, at) => 37 * at),
  });
  const sent: string[] = [];
  const tracker: typeof opened.tracker = async (request, origin) => {
    sent.push(request.path);
    const isProbe = request.query.some(([, value]) => value === "bt_no_such_field");
    if (isEmpty && request.path === "/rest/bug" && !isProbe) return { status: 200, headers: {}, body: '{"bugs":[]}' };
    const [, code] = Object.entries(codes).find(([path]) => request.path.startsWith(path)) ?? [];
    if (code === undefined) return opened.tracker(request, origin);
    const message = isQuoting ? `Not for ${key}` : "Not here";
    return { status: 404, headers: {}, body: JSON.stringify({ error: true, code, message }) };
  };
  const server = await startServer({ tracker, port: 0 });
  const key = opened.firstKey()?.key ?? "";
  const usual = {
    HOME: freshFolder(),
    BT_BASE_URL: server.url,
    BT_API_KEY: key,
    BT_AUTH_STYLE: "header",
    BT_RETRY: "0",
  };
  const terminal = columns === undefined ? {} : { terminal: true, columns };
  const ran = await btConnected(`auth status ${flags}`, { env: { ...usual, ...env }, now, ...terminal });
  await server.close();
  opened.close();
  expect(ran.out.replace(/\s+/g, "")).not.toContain(key.slice(-8));
  return { ...ran, url: server.url, sent };
}

/** The facts of the JSON by name. */
function factsIn(out: string): Readonly<Record<string, TrackerFact>> {
  const [{ facts }] = JSON.parse(out);
  return Object.fromEntries(facts.map((fact: TrackerFact) => [fact.name, fact]));
}

test("a tracker in this process has everything", async () => {
  const ran = await demo()("auth status --json", { env: { HOME: freshFolder() } });
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const [{ facts }] = JSON.parse(ran.out);
  const has = [
    "version",
    "rights",
    "private_comments",
    "hours",
    "flag_types",
    "attachments",
    "last_visits",
    "time_zone",
  ];
  expect(facts.map(({ name, state }: TrackerFact) => `${name} ${state}`)).toEqual([
    ...has.map((name) => `${name} has`),
    ...["bt local", "folders local"],
  ]);
});

describe("on the network", () => {
  test("the user, then what the tracker has, by few requests", async () => {
    const { code, out, err, url, sent } = await statusOf("");
    expect([code, err]).toEqual([0, ""]);
    const [user, gap, ...facts] = out.trimEnd().split("\n");
    expect([user, gap]).toEqual([
      expect.stringMatching(`^logged in to ${url} as .*@example.org \\(key from BT_API_KEY\\)$`),
      "",
    ]);
    expect(facts).toEqual([
      "has    version 5.2+, the rights editbugs and canconfirm, the conditions and orders of Bugzilla's search page, a clock that matches this machine's, private comments, hours, flag types, attachments, your last visits",
      expect.stringMatching(/^local {2}bt .* on Node.js .*, settings in .*, cache in .*, journals in /),
    ]);
    expect(sent.length).toBeLessThanOrEqual(11);
    expect(sent.filter((path) => path === "/rest/version")).toHaveLength(1);
  });

  test.each(["--fields user", "--json=state,user", "--format tsv"])(
    "only the login is verified by %s",
    async (flags) => {
      const { code, sent } = await statusOf(flags);
      expect([code, sent]).toEqual([0, ["/rest/whoami"]]);
    },
  );

  test("without a login says so, and what an anonymous user has", async () => {
    const { code, out } = await statusOf("", { env: { BT_API_KEY: "" } });
    expect(code).toBe(4);
    expect(out).toMatch(/^not logged in to .*: you are anonymous\n\nlacks +hours: estimates .*\nhas +version/);
    expect(out).not.toMatch(/rights|private comments/);
  });

  test("a rejected key is no login, and no fact is read with it", async () => {
    const { code, out } = await statusOf("", { env: { BT_API_KEY: "x".repeat(40) } });
    expect(code).toBe(4);
    expect(out).toMatch(/rejected the API key from BT_API_KEY: .*\n$/);
  });

  test("a key that errors of the tracker repeat is hidden before their lines are broken", async () => {
    const { out } = await statusOf("", { codes: { "/rest/bug": 999 }, isQuoting: true, columns: 30 });
    expect(out).toMatch(/unknown +hours: Not for \*\*\*/);
    const refused = await statusOf("", { codes: { "/rest/whoami": 306 }, isQuoting: true, columns: 30 });
    expect(refused.out.replace(/\s+/g, " ")).toMatch(/rejected the API key from BT_API_KEY: Not for \*\*\*/);
  });

  test("a wrong clock needs attention first", async () => {
    const { code, out } = await statusOf("", { now: "2026-11-20T12:05:00Z" });
    expect(code).toBe(0);
    expect(out.split("\n")[2]).toBe(
      "attention  the clock of this machine is 300 s ahead of the tracker's: ages, and times such as -2h, are wrong by that; set the clock",
    );
  });

  test("what is missing is said with what that costs", async () => {
    const codes = { "/rest/time": 32_614, "/rest/flag_type": 32_614, "/rest/bug_user_last_visit": 100_500 };
    const facts = factsIn((await statusOf("--json", { codes })).out);
    expect(facts["clock"]).toEqual({
      name: "clock",
      state: "lacks",
      summary: "its time",
      cost: expect.stringContaining("Date header"),
    });
    expect(facts["flag_types"]).toMatchObject({ state: "lacks", cost: "flags are only checked by the tracker" });
    expect(facts["last_visits"]).toMatchObject({
      ...{ state: "lacks", summary: "your last visits, which fail on the tracker" },
      cost: "bt todo counts changes since the last bt bug get on this machine",
    });
  });

  test("without a visible bug, what only bugs show is unknown, and not missing", async () => {
    const facts = factsIn((await statusOf("--json", { isEmpty: true })).out);
    expect(facts["visible_bugs"]).toEqual({
      ...{ name: "visible_bugs", state: "unknown" },
      summary: "what bugs show, such as hours, flags and attachments: no bug is visible to you",
    });
    expect(Object.values(facts).filter(({ state }) => state === "lacks")).toEqual([]);
  });

  test("a check that fails is unknown, and the others are made", async () => {
    const { code, out } = await statusOf("--json", { codes: { "/rest/version": 32_000, "/rest/time": 100_500 } });
    const { version, clock, flag_types } = factsIn(out);
    expect(code).toBe(0);
    expect(version).toEqual({ name: "version", state: "lacks", summary: "its version" });
    expect(clock).toEqual({
      name: "clock",
      state: "unknown",
      summary: "clock: internal error of the tracker: Not here",
    });
    expect(flag_types?.state).toBe("has");
  });

  test("an open job needs attention, on its own tracker alone", async () => {
    const tracker = await faultyTracker({ write: FATES.badGatewayBefore });
    const env = { ...tracker.env, HOME: freshFolder() };
    expect((await btConnected("comment add 43 -m Hello", { env })).code).toBe(9);
    const own = factsIn((await btConnected("auth status --json", { env })).out);
    expect(own["jobs"]).toMatchObject({ state: "attention", summary: "1 job not finished", hint: "bt job list" });
    expect(factsIn((await statusOf("--json", { env: { HOME: env.HOME } })).out)["jobs"]).toBeUndefined();
  });

  test("folders that cannot be written need attention", async () => {
    const facts = factsIn((await statusOf("--json", { env: { HOME: "/proc/1/none" } })).out);
    expect(facts["folders"]).toMatchObject({ state: "attention", cost: "interrupted writes cannot be resumed" });
  });

  test.each(["", "k3y"])("a tracker that does not respond is an error of the network, with the key %j", async (key) => {
    const env = { HOME: freshFolder(), BT_BASE_URL: "http://127.0.0.1:1", BT_API_KEY: key, BT_RETRY: "0" };
    const ran = await btConnected("auth status", { env, now: NOW });
    expect(ran).toMatchObject({ code: 6, out: "", err: expect.stringContaining("cannot connect to 127.0.0.1:1") });
  });
});
