import { expect, test } from "vitest";
import type { Exchange } from "../../src/wire/exchange.ts";
import { bt, btConnected, bugzillaFacts } from "../bt.ts";
import { demo } from "../commands/demo.ts";
import { demoServer } from "../servers/demo-server.ts";
import { answer, faultServer } from "../servers/fault-server.ts";

/** A tracker that answers everything with one status and body. */
function always(status: number, body: string): Exchange {
  return async () => ({ status, headers: {}, body });
}

const NOT_LOGGED_IN = JSON.stringify({
  error: true,
  code: 32000,
  message: "You can't use %user% without being logged in.",
});

test.each([
  ["comment add - -m x", "12 13", 2, "hint: bt bug update - -m TEXT comments on several bugs\n"],
  ["comment add 44", "x", 2, "hint: use -m TEXT, -F FILE (-F - for stdin) or --editor\n"],
  ["attachment update 3 --flags reveiw+", "", 2, "hint: did you mean review?"],
  ["bug search 'assignee ~ @me'", "", 2, "hint: use assigned_to = @me\n"],
])("bt %s", async (line, stdin, code, hint) => {
  expect(await demo()(line, { stdin })).toMatchObject({ code, err: expect.stringContaining(hint) });
});

test("a part of a login may begin with @", async () => {
  const ran = await demo()("bug search 'assignee ~ \"@example.org\"' --count");
  expect([ran.code, Number(ran.out) > 0]).toEqual([0, true]);
});

test("@me without a login is not the tracker's riddle", async () => {
  const ran = await bt("bug search assignee:@me", { exchange: always(400, NOT_LOGGED_IN), isInProcess: false });
  expect(ran).toMatchObject({ code: 4, err: expect.stringMatching(/^bt: not logged in\nhint: bt auth login/) });
  expect(ran.err).not.toContain("%user%");
});

test.each([
  [407, "bug get 1", 6, "setting proxy, or BT_PROXY"],
  [414, "bug get 1", 3, "hint: use fewer values at once\n"],
  [404, `bug search ${"summary:crash ".repeat(400)}`, 3, "hint: use fewer values at once\n"],
])("status %i has a hint for bt %s", async (status, line, code, hint) => {
  const ran = await bt(line.trim(), {
    exchange: always(status, "<html>no"),
    isInProcess: false,
    facts: bugzillaFacts(),
  });
  expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringContaining(hint) });
  expect(ran.err).not.toContain("base_url");
});

test("a bad BT_PROXY is called by its name", async () => {
  const env = { BT_BASE_URL: "https://bugs.example.org", BT_PROXY: "socks5://127.0.0.1:1" };
  expect(await btConnected("bug get 1", { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("BT_PROXY is not an http or https URL"),
  });
});

test("a download over max_size names the setting", async () => {
  const { url, close } = await faultServer((socket) => {
    socket.end(answer(JSON.stringify({ attachments: { 4: { id: 4, file_name: "x", data: "A".repeat(3_000_000) } } })));
  });
  try {
    const env = { BT_BASE_URL: url, BT_MAX_SIZE: "1" };
    const ran = await btConnected("attachment get 4 --json", { env });
    expect(ran).toMatchObject({ code: 7, err: expect.stringContaining("max_size") });
  } finally {
    await close();
  }
});

test("where the journal cannot be written, the variable of its folder is named", async () => {
  const server = await demoServer();
  const env = { HOME: "/proc", BT_BASE_URL: server.url, BT_API_KEY: server.key() };
  const ran = await btConnected("bug update 44 --severity minor", { env });
  const hint = "hint: set XDG_STATE_HOME to a writable folder\n";
  expect(ran).toMatchObject({ code: 12, err: expect.stringContaining(hint) });
  expect(server.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a missing file of the program is an internal error", async () => {
  const missing = Object.assign(new Error("Cannot find module './chunk.cjs'"), { code: "MODULE_NOT_FOUND" });
  expect(await bt("api /rest/version", { exchange: () => Promise.reject(missing) })).toMatchObject({
    code: 70,
    err: expect.stringContaining("internal error: Cannot find module './chunk.cjs'"),
  });
});
