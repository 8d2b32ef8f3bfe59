import { describe, expect, test } from "vitest";
import { freshFolder, shell } from "../process/real.ts";
import { HAS_TERMINAL, onTerminal } from "../process/terminal.ts";
import { crowd, demoServer } from "../servers/demo-server.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { talk } from "./pty.ts";

test.each(["bt comment add 12 -m -", "bt comment add 12 -F -", "bt bug get -"])(
  "E7 nothing on a closed standard input: %s",
  async (line) => {
    const run = await shell(`${line} <&-`);
    expect(run).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/^bt: (no input on stdin|standard input names no bugs)\n/),
    });
  },
);

describe.skipIf(!HAS_TERMINAL)("E8 a Ctrl-C at a question ends it, and the terminal is as before", () => {
  const INTERRUPT = "\x03";

  test("a hidden one", async () => {
    const { url } = await demoServer();
    const seen = await talk(
      "bt auth login; echo code $?; stty -a",
      [{ after: /key|API/i, type: `half-a-k3y${INTERRUPT}` }],
      { BT_BASE_URL: url },
    );
    expect(seen.out).toContain("code 130");
    expect(seen.out).not.toContain("half-a-k3y");
    expect(seen.out).toMatch(/ echo /);
    expect(seen.out).toMatch(/ icanon /);
  });

  test("whether to change many bugs: nothing is changed", async () => {
    const tracker = await faultyTracker();
    crowd(tracker, 130);
    const ids = [...Array(25).keys()].map((at) => 101 + at).join(" ");
    const seen = await talk(
      `bt bug update ${ids} --priority Highest; echo code $?; stty -a`,
      [{ after: /\[y\/N\]/, type: INTERRUPT }],
      { ...tracker.env, HOME: freshFolder() },
    );
    expect(seen.out).toContain("code 130");
    expect(seen.out).toMatch(/ icanon /);
    expect(tracker.writes()).toEqual([]);
  });

  test("a yes goes on", async () => {
    const tracker = await faultyTracker();
    crowd(tracker, 130);
    const ids = [...Array(25).keys()].map((at) => 101 + at).join(" ");
    const seen = await talk(
      `bt bug update ${ids} --priority Highest; echo code $?`,
      [{ after: /\[y\/N\]/, type: "y\n" }],
      { ...tracker.env, HOME: freshFolder() },
    );
    expect(seen.out).toContain("25 of 25");
    expect(seen.out).toContain("code 0");
    expect(tracker.count("SELECT count(*) FROM bugs WHERE priority = 'Highest' AND id > 100")).toBe(25);
  });
});

describe.skipIf(!HAS_TERMINAL)("E11 E12 whatever a summary holds, a bug is one row of the terminal's width", () => {
  test.each([
    ["70 kB", "long ".repeat(14_000)],
    ["a line break and a tab", "one\ntwo\tthree"],
    ["wide letters", "図書館の写真が逆さまに表示される".repeat(5)],
    ["joined emoji", "👩‍👩‍👧‍👦".repeat(40)],
    ["marks that combine", "e\u0301".repeat(200)],
    ["letters without width", "a\u200bb\u200dc".repeat(50)],
  ])("%s", async (_, summary) => {
    const { url, store } = await demoServer();
    store.run("UPDATE bugs SET summary = @summary WHERE id = 1", { summary });
    const env = { BT_BASE_URL: url, NO_COLOR: "1" };
    const { code, out } = await onTerminal("bt bug search --id 1,2 --sort id --fields id,status,summary", { env });
    const rows = out.trimEnd().split("\n");
    expect({ code, rows: rows.length }).toEqual({ code: 0, rows: 3 });
    expect(rows.map((row) => row.indexOf("CONFIRMED") >= 0 || row.startsWith("ID") || row.length > 0)).not.toContain(
      false,
    );
    const whole = await shell("bt bug get 1 --json --fields summary", { env: { BT_BASE_URL: url } });
    expect(JSON.parse(whole.out)).toEqual([{ summary }]);
  });
});

test.skipIf(!HAS_TERMINAL)("E13 a window that changes its size while a list is printed", async () => {
  const line =
    "(for i in 1 2 3 4 5; do stty cols $((40 + i * 20)); sleep 0.02; done) & bt bug search --all --color never; wait";
  const { code, out } = await onTerminal(line);
  expect({ code, ends: out.includes("#1 ") || /^1 /m.test(out) }).toEqual({ code: 0, ends: true });
});
