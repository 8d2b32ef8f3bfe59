import { describe, expect, test } from "vitest";
import { startServer } from "../../../src/tracker/http/server.ts";
import { btConnected } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { demo } from "../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/** A served demo whose clock is at NOW, and a run of bt against it; the requests that reach it are counted. */
async function served(
  use: (
    run: (line: string, around?: Around) => ReturnType<typeof btConnected>,
    key: string,
    sent: string[],
  ) => Promise<void>,
) {
  const opened = freshDemo({ now: () => new Date(NOW), random: (bytes) => new Uint8Array(bytes).fill(7) });
  const sent: string[] = [];
  const server = await startServer({ tracker: opened.tracker, port: 0, log: (line) => void sent.push(line) });
  const home = freshFolder();
  const run = (line: string, { env = {}, now = NOW }: Around = {}) =>
    btConnected(line, { env: { HOME: home, BT_BASE_URL: server.url, ...env }, now });
  try {
    await use(run, opened.firstKey()?.key ?? "", sent);
  } finally {
    await server.close();
    opened.close();
  }
}

type Around = { readonly env?: Readonly<Record<string, string>>; readonly now?: string };

test("a tracker in this process is well, in ten lines", async () => {
  const ran = await demo()("doctor", { env: { HOME: freshFolder() } });
  expect([ran.code, ran.err]).toEqual([0, ""]);
  const lines = ran.out.trimEnd().split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
    ...["bt ok", "tracker ok", "login ok", "rights ok", "clock ok", "endpoints ok", "page_limit unknown"],
    ...["time_zone ok", "folders ok", "jobs ok"],
  ]);
  expect(ran.out).toContain("rights\tok\teditbugs, canconfirm\t\n");
  expect(ran.out).toContain("endpoints\tok\twhoami, attachments, flag_type, last_visit\t\n");
  expect(ran.requests.length).toBeLessThanOrEqual(10);
});

/** A check of a served demo where these endpoints fail with an error code, and no search finds bugs of the user. */
async function doctorWithout(codes: Readonly<Record<string, number>>): Promise<string> {
  const opened = freshDemo({ now: () => new Date(NOW), random: (bytes) => new Uint8Array(bytes).fill(7) });
  const tracker: typeof opened.tracker = async (request, origin) => {
    const [, code] = Object.entries(codes).find(([path]) => request.path.startsWith(path)) ?? [];
    if (request.query.some(([, value]) => value === "%user%")) return { status: 200, headers: {}, body: '{"bugs":[]}' };
    const body = JSON.stringify({ error: true, code, message: "Not here" });
    return code ? { status: 404, headers: {}, body } : opened.tracker(request, origin);
  };
  const server = await startServer({ tracker, port: 0 });
  const env = { HOME: freshFolder(), BT_BASE_URL: server.url, BT_API_KEY: opened.firstKey()?.key ?? "" };
  const ran = await btConnected("doctor --retry 0", { env: { ...env, BT_AUTH_STYLE: "header" }, now: NOW });
  await server.close();
  opened.close();
  return ran.out;
}

test("an unreported user is not the same as no login", async () => {
  const out = await doctorWithout({ "/rest/whoami": 32_614, "/rest/valid_login": 32_614 });
  expect(out).toContain("rights\tunknown\tthe tracker does not report your login\tbt auth login --login LOGIN\n");
  expect(out).toContain("clock\tok\t");
});

test("an endpoint that fails inside the tracker is failing", async () => {
  expect(await doctorWithout({ "/rest/bug_user_last_visit": 100_500 })).toContain(" last_visit failing\t");
});

describe("a tracker on the network", () => {
  test("is well with an accepted key, by at most ten requests", async () => {
    await served(async (run, key, sent) => {
      const ran = await run("doctor --json", { env: { BT_API_KEY: key, BT_AUTH_STYLE: "header" } });
      expect([ran.code, ran.err]).toEqual([0, ""]);
      const { ok, checks } = JSON.parse(ran.out);
      expect(ok).toBe(true);
      expect(checks.login.summary).toMatch(
        /@example.org by the API key from BT_API_KEY, sent in the header X-BUGZILLA/,
      );
      expect(checks.endpoints.summary).toBe("whoami, attachments, flag_type, last_visit");
      expect(sent.length).toBeGreaterThan(4);
      expect(sent.length).toBeLessThanOrEqual(10);
      expect(ran.out).not.toContain(key);
    });
  });

  test("is well without a login, where some of it is unknown", async () => {
    await served(async (run) => {
      const ran = await run("doctor");
      expect(ran.code).toBe(0);
      expect(ran.out).toContain("login\tok\tanonymous\tbt auth login to log in\n");
      expect(ran.out).toContain("rights\tunknown\t");
    });
  });

  test("is not with a rejected key, or a wrong clock, each with what to do, and exit code 1", async () => {
    await served(async (run) => {
      const ran = await run("doctor", { env: { BT_API_KEY: "x".repeat(40) }, now: "2026-11-20T12:05:00Z" });
      expect(ran.code).toBe(1);
      expect(ran.out).toMatch(
        /\nlogin\tattention\tthe tracker rejects the API key from BT_API_KEY, .*\tlog in again: bt auth login\n/,
      );
      expect(ran.out).toContain(
        "\nclock\tattention\tthis machine is 300 s ahead of the tracker\tset the clock of this machine\n",
      );
      expect(ran.err).toBe("bt: 2 of 10 checks need attention: login, clock\n");
    });
  });

  test("that does not answer is said with its reason", async () => {
    const env = { HOME: freshFolder(), BT_BASE_URL: "http://127.0.0.1:1" };
    const ran = await btConnected("doctor --retry 0", { env, now: NOW });
    expect([ran.code, ran.out.split("\n").length]).toEqual([1, 11]);
    expect(ran.out).toContain("tracker\tattention\thttp://127.0.0.1:1: ");
  });
});
