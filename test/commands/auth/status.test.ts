import { describe, expect, test } from "vitest";
import { startServer } from "../../../src/tracker/server/server.ts";
import { btConnected } from "../../bt.ts";
import { FATES, faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { demo } from "../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

type Served = {
  readonly codes?: Readonly<Record<string, number>>; // error codes of resources that fail, by path
  readonly isQuoting?: boolean; // these errors repeat the key
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number; // of a terminal
};

/** What `bt auth status` says about a served demo whose clock is at NOW, and the requests that it has sent. */
async function statusOf(flags: string, served: Served = {}) {
  const { codes = {}, isQuoting = false, env = {}, columns } = served;
  const opened = freshDemo({
    now: () => new Date(NOW),
    random: (bytes) => Uint8Array.from({ length: bytes }, (_, at) => 37 * at),
  });
  const sent: string[] = [];
  const tracker: typeof opened.tracker = async (request, origin) => {
    sent.push(request.path);
    const [, code] = Object.entries(codes).find(([path]) => request.path.startsWith(path)) ?? [];
    if (code === undefined) return opened.tracker(request, origin);
    const message = isQuoting ? `Not for ${key}` : "Not here";
    return { status: 404, headers: {}, body: JSON.stringify({ error: true, code, message }) };
  };
  const server = await startServer({ tracker, port: 0 });
  const key = opened.addFirstKey()?.key ?? "";
  const usual = {
    HOME: freshFolder(),
    BT_BASE_URL: server.url,
    BT_API_KEY: key,
    BT_AUTH_STYLE: "header",
    BT_RETRY: "0",
  };
  const terminal = columns === undefined ? {} : { terminal: true, columns };
  const ran = await btConnected(`auth status ${flags}`, { env: { ...usual, ...env }, now: NOW, ...terminal });
  await server.close();
  opened.close();
  expect(ran.out.replace(/\s+/g, "")).not.toContain(key.slice(-8));
  return { ...ran, url: server.url, sent };
}

/** What `--json` has about the tracker. */
function factsIn(out: string): {
  version: string;
  rights?: string[];
  lacks: string[];
  jobs: number;
} {
  return JSON.parse(out)[0];
}

test("a tracker in this process lacks nothing", async () => {
  const ran = await demo()("auth status --json", { env: { HOME: freshFolder() } });
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const rights = ["editbugs", "canconfirm"];
  expect(factsIn(ran.out)).toMatchObject({ version: "5.2+", rights, lacks: [], jobs: 0 });
});

describe("on the network", () => {
  test("the user and the tracker, by few requests", async () => {
    const { code, out, err, url, sent } = await statusOf("");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      new RegExp(
        `^logged in to ${url} as .*@example.org \\(key from BT_API_KEY\\)\n\nVersion  5.2\\+\nRights   editbugs, canconfirm\n$`,
      ),
    );
    expect(sent.length).toBeLessThanOrEqual(10);
    expect(sent.filter((path) => path === "/rest/version")).toHaveLength(1);
  });

  test.each([
    ["--fields user", /^\S+@example\.org\n$/],
    ["--json=state,user", /^\[\{"state":"logged in","user":"\S+@example\.org"\}\n?\]/],
    ["--format tsv", /^\S+\tlogged in\t\S+@example\.org\tBT_API_KEY\theader\n$/],
  ])("only the login is verified and printed by %s", async (flags, printed) => {
    const { code, out, sent } = await statusOf(flags);
    expect([code, sent]).toEqual([0, ["/rest/whoami"]]);
    expect(out).toMatch(printed);
  });

  test("without a login says so, and what an anonymous user has", async () => {
    const { code, out } = await statusOf("", { env: { BT_API_KEY: "" } });
    expect(code).toBe(4);
    expect(out).toMatch(/^not logged in to .*: you are anonymous\n\nVersion +5.*\n$/);
  });

  test("a rejected key is no login, and no fact is read with it", async () => {
    const { code, out } = await statusOf("", { env: { BT_API_KEY: "x".repeat(40) } });
    expect(code).toBe(4);
    expect(out).toMatch(/rejected the API key from BT_API_KEY: .*\n$/);
  });

  test("a key that errors of the tracker repeat is hidden before their lines are broken", async () => {
    const refused = await statusOf("", { codes: { "/rest/whoami": 306 }, isQuoting: true, columns: 30 });
    expect(refused.out.replace(/\s+/g, " ")).toMatch(/rejected the API key from BT_API_KEY: Not for \*\*\*/);
  });

  test("an open job is counted, on its own tracker alone", async () => {
    const tracker = await faultyTracker({ write: FATES.badGatewayBefore });
    const env = { ...tracker.env, HOME: freshFolder() };
    expect((await btConnected("comment add 43 -m Hello", { env })).code).toBe(9);
    expect(factsIn((await btConnected("auth status --json", { env })).out).jobs).toBe(1);
    expect((await btConnected("auth status", { env })).out).toMatch(/^Jobs +1 job not finished: bt job list$/m);
    expect(factsIn((await statusOf("--json", { env: { HOME: env.HOME } })).out).jobs).toBe(0);
  });

  test.each(["", "k3y"])("a tracker that does not respond is an error of the network, with the key %j", async (key) => {
    const env = { HOME: freshFolder(), BT_BASE_URL: "http://127.0.0.1:1", BT_API_KEY: key, BT_RETRY: "0" };
    const ran = await btConnected("auth status", { env, now: NOW });
    expect(ran).toMatchObject({ code: 6, out: "", err: expect.stringContaining("cannot connect to 127.0.0.1:1") });
  });
});
