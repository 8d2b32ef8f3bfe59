import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../../src/tracker/server/server.ts";
import { btConnected } from "../../bt.ts";
import { machine } from "../../config/machine.ts";
import { freshDemo } from "../../fresh-demo.ts";

const tracker = { url: "", key: "", login: "", close: async () => undefined as unknown };

beforeAll(async () => {
  const random = (count: number) => Uint8Array.from({ length: count }, (_, at) => (at * 37 + 11) % 256);
  const opened = freshDemo({ now: () => new Date("2026-11-20T12:00:00Z"), random });
  const served = await startServer({ tracker: opened.tracker, port: 0 });
  const first = opened.addFirstKey();
  Object.assign(tracker, { url: served.url, key: first?.key, login: first?.login });
  tracker.close = async () => {
    await served.close();
    opened.close();
  };
});
afterAll(() => tracker.close());

/** Runs a line against the served tracker, in a home of its own unless one is given. */
function at(line: string, home = machine().home, more: Partial<Parameters<typeof btConnected>[1]> = {}) {
  const { env, ...rest } = more;
  return btConnected(`${line} --base-url ${tracker.url}`, { ...rest, env: { HOME: home, ...env } });
}

test("login, status and logout", async () => {
  const { home } = machine();
  const login = await at("auth login --api-key-file -", home, { stdin: `${tracker.key}\n` });
  expect(login).toEqual({
    code: 0,
    out: "",
    err: `logged in to ${tracker.url} as ${tracker.login}
stored in ${home}/.config/bt/credentials.json
${tracker.url} is now the default tracker
`,
  });
  expect(await at("auth status", home)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`logged in to ${tracker.url} as ${tracker.login} (key from the stored login)\n\n`),
  });
  const facts = { user: tracker.login, source: "the stored login", style: "header" };
  expect(JSON.parse((await at("auth status --json", home)).out)).toMatchObject([
    { base_url: tracker.url, state: "logged in", ...facts },
  ]);
  expect((await at("auth logout", home)).code).toBe(0);
  expect(await at("auth status", home)).toMatchObject({
    code: 4,
    out: expect.stringContaining(`not logged in to ${tracker.url}: you are anonymous\n\n`),
    err: `bt: not logged in\nhint: bt auth login, or set BT_API_KEY\n`,
  });
});

test("a terminal prompts for the API key without echo", async () => {
  const ran = await at("auth login -vv", machine().home, { terminal: true, answers: [tracker.key] });
  expect(ran.code).toBe(0);
  expect(ran.err).toContain("API key for");
  expect(ran.err).toContain("> x-bugzilla-api-key: ***");
  expect(ran.err).not.toContain(tracker.key);
});

test("without a terminal the ways to pass the key are listed", async () => {
  expect(await at("auth login")).toMatchObject({ code: 2, err: expect.stringContaining("--api-key-file -") });
});

describe("B7 a rejected key is reported with its source, never itself", () => {
  test.each([
    ["--api-key-file -", { stdin: "wr0ng-key" }, "stdin", "bt auth login"],
    [
      "",
      { env: { BT_API_KEY: "wr0ng-key" } },
      "BT_API_KEY",
      "correct or unset BT_API_KEY, which goes before a login\n",
    ],
  ])("%s", async (flag, more, source, hint) => {
    const env = { BT_BASE_URL: tracker.url, ...("env" in more ? more.env : {}) };
    const ran = await at(`bug get 1 ${flag} -vv`, undefined, { ...more, env });
    expect(ran.code).toBe(4);
    expect(ran.err).toContain(`the API key is from ${source}`);
    expect(ran.err).toContain(`\nhint: ${hint}`);
    expect(ran.out + ran.err).not.toContain("wr0ng");
  });
});

test("a key from the environment is verified too", async () => {
  const env = { BT_API_KEY: tracker.key, BT_BASE_URL: tracker.url };
  expect(await at("auth status", undefined, { env })).toEqual({
    code: 0,
    out: expect.stringContaining(`logged in to ${tracker.url} as ${tracker.login} (key from BT_API_KEY)\n\n`),
    err: "",
  });
});

test("the embedded tracker needs no login and has none", async () => {
  const ran = await btConnected("auth status --base-url demo:", { env: { HOME: machine().home } });
  expect(ran).toMatchObject({
    code: 0,
    out: expect.stringContaining("logged in to demo: as tomas@example.org\n"),
    err: "",
  });
  const login = await btConnected("auth login --base-url demo:", { env: { HOME: machine().home } });
  expect(login).toMatchObject({
    code: 2,
    err: expect.stringContaining("demo: runs in this process and needs no login"),
  });
});
