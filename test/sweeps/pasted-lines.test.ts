import { expect, test } from "vitest";
import { linesForTracker } from "../../src/commands/line.ts";
import { TREE } from "../../src/commands/tree.ts";
import { demo } from "../commands/demo.ts";

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

test("an example of a command names no tracker in its place", () => {
  const text = "for example: bt config get base_url";
  expect(linesForTracker(text, { flags: { baseUrl: "demo:" }, env: {} }, TREE)).toBe(text);
});
