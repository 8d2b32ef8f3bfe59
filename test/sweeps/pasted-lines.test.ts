import { expect, test } from "vitest";
import { linesForTracker } from "../../src/commands/line.ts";
import { TREE } from "../../src/commands/tree.ts";
import { btConnected } from "../bt.ts";
import { demo } from "../commands/demo.ts";
import { freshFolder } from "../fresh-folder.ts";

test.each([
  "bug 44",
  "bug assign 44 mei@example.org",
  "bug close 50 --as DUPLICATE",
  "bug triage",
  "bug similar -",
  "comment 44 thanks",
  "search crash",
  "field get nonsense",
])("every line in the hint of bt %s names the tracker", async (line) => {
  for (const whole of [`--base-url demo: ${line}`, `${line} --base-url=demo:`]) {
    const { code, err } = await demo()(whole, { stdin: "" });
    const [, hint = ""] = /^hint: (.*)$/m.exec(err) ?? [];
    const typed = hint.match(/\bbt .*?(?=\bbt |$)/g) ?? [];
    expect(code).not.toBe(0);
    expect(typed.length, err).toBeGreaterThan(0);
    expect(
      typed.filter((one) => !/--base-url[ =]demo:/.test(one)),
      whole,
    ).toEqual([]);
  }
});

test.each([
  [{ baseUrl: "demo:" }, "undo: bt bug undo --job A", "undo: bt --base-url demo: bug undo --job A"],
  [{ profile: "my own" }, "bt auth login, or set BT_API_KEY", "bt -P 'my own' auth login, or set BT_API_KEY"],
  [{ baseUrl: "http://127.0.0.1" }, "or set BT_API_KEY", "or set BT_BASE_URL=http://127.0.0.1 and BT_API_KEY"],
  [
    { baseUrl: "http://127.0.0.1", profile: "work" },
    "did you mean bt todo or bt bug get 4?",
    "did you mean bt --base-url http://127.0.0.1 -P work todo or bt --base-url http://127.0.0.1 -P work bug get 4?",
  ],
  [{}, "bt bug get 4", undefined],
  [{ offline: true }, "bt bug get 4 or bt bug update 4", "bt --offline bug get 4 or bt bug update 4"],
  [
    { profile: "work", offline: true },
    "bt todo or bt mirror sync",
    "bt -P work --offline todo or bt -P work mirror sync",
  ],
  [{ baseUrl: "demo:" }, "bt job send A; bt bug undo A --base-url https://bugs.example.org", undefined],
  [{ baseUrl: "demo:" }, "bt auth login ADDRESS, bt bug get --help, bt config list, bt checks it again", undefined],
  [{ baseUrl: "mirror:m" }, "bt mirror create NAME", undefined],
])("for %o, %j is %j", (flags, text, expected = text) => {
  expect(linesForTracker(text, { flags, env: {} }, TREE)).toBe(expected);
});

test.each([
  ["http://127.0.0.1:8099", "https://bugs.example.org", "undo: bt --base-url http://127.0.0.1:8099 bug undo --job A"],
  ["http://127.0.0.1:8099", "http://127.0.0.1:8099", "undo: bt bug undo --job A"],
  ["http://127.0.0.1:8099", undefined, "undo: bt bug undo --job A"],
  [undefined, "https://bugs.example.org", "undo: bt bug undo --job A"],
])("with BT_BASE_URL %s and the configured address %s, a line is %j", (variable, configured, expected) => {
  const naming = { flags: {}, env: variable === undefined ? {} : { BT_BASE_URL: variable }, configured };
  expect(linesForTracker("undo: bt bug undo --job A", naming, TREE)).toBe(expected);
});

test("an example of a command names no tracker in its place", () => {
  const text = "for example: bt config get base_url";
  expect(linesForTracker(text, { flags: { baseUrl: "demo:" }, env: {} }, TREE)).toBe(text);
});

test.each([
  ["--base-url http://127.0.0.1:9", {}, "--base-url http://127.0.0.1:9"],
  ["", { BT_BASE_URL: "http://127.0.0.1:9" }, "BT_BASE_URL is http://127.0.0.1:9"],
  ["-P off", { BT_BASE_URL: "http://127.0.0.1:8" }, "bt config get base_url -P off"],
  ["", {}, "bt config get base_url"],
])("where the tracker of %j and %o is down, the hint says where its address is from", async (flags, env, source) => {
  const own = { HOME: freshFolder(), BT_RETRY: "0", ...env };
  for (const profile of ["", " --profile off"])
    await btConnected(`config set base_url http://127.0.0.1:9${profile}`, { env: { HOME: own.HOME } });
  const { code, err } = await btConnected(`${flags} bug get 44`.trim(), { env: own });
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining(`\nhint: check the address: ${source}\n`) });
});
