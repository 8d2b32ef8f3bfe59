import { describe, expect, test } from "vitest";
import { width } from "../../src/view/wrap.ts";
import { freshFolder } from "../fresh-folder.ts";
import { endingReport } from "../process/ending.ts";
import { shell } from "../process/real.ts";
import { HAS_TERMINAL, onTerminal } from "../process/terminal.ts";
import { sampled } from "../sampling.ts";
import { crowd, demoServer } from "../servers/demo-server.ts";
import { FATES, faultyTracker } from "./faulty-tracker.ts";
import { talk } from "./pty.ts";

describe("E7 no input on a closed stdin", () => {
  test.each([
    ["bt comment add 12 -m -", "no input on stdin"],
    ["bt comment add 12 -F -", "no input on stdin"],
    ["bt bug update 12 --comment -", "no input on stdin"],
    ["bt bug similar -", "no bugs on stdin"],
    ["bt api POST /rest/bug/12/comment --input -", "invalid body from stdin: not JSON"],
    ["bt bug get 12 --base-url http://127.0.0.1:1 --api-key-file -", "no API key in stdin"],
  ])("%s", async (line, told) => {
    expect(await shell(`${line} <&-`)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`bt: ${told}`) });
  });
});

const INTERRUPT = "\x03";

/** A terminal that shows what is typed and hands it on line by line. */
const SANE = [/\sicanon\s/, /\secho\s/, /\sisig\s/];

/** Runs bt in the place of a shell that first tells its process, and tells how it and the terminal ended. */
function ended(line: string) {
  return `sh -c 'echo "process $$"; exec ${line}'; echo "code $?"; stty -a`;
}

function signalled(signal: NodeJS.Signals) {
  return (seen: string) => process.kill(Number(/process (\d+)/.exec(seen)?.[1]), signal);
}

const ENDS = [
  ["a Ctrl-C", 130, INTERRUPT],
  ["SIGINT", 130, signalled("SIGINT")],
  ["SIGTERM", 143, signalled("SIGTERM")],
  ["SIGHUP", 129, signalled("SIGHUP")],
] as const;

describe.skipIf(!HAS_TERMINAL)("E8 E9 a signal ends a command quickly and restores the terminal", () => {
  test.each(ENDS)("%s and %i at a hidden prompt", async (_, code, type) => {
    const { url } = await demoServer();
    const typing = [
      { after: /input hidden\):/, type: "half-a-k3y" },
      { after: /(input hidden\):.*){3}/s, type }, // it is shown anew for each letter
    ];
    const { env, expectQuickEnd } = endingReport({ BT_BASE_URL: url });
    const seen = await talk(ended("bt auth login"), typing, env);
    expect(seen.out).toContain(`code ${code}`);
    expect(seen.out).not.toContain("half-a-k3y");
    for (const setting of SANE) expect(seen.out).toMatch(setting);
    expectQuickEnd();
  });

  test.each(ENDS)("%s and %i while waiting for a response", async (_, code, type) => {
    const tracker = await faultyTracker({ read: () => undefined });
    const typing = [{ after: /> GET \/rest\/bug/, type }];
    const { env, expectQuickEnd } = endingReport({ ...tracker.env, HOME: freshFolder() });
    const seen = await talk(ended("bt bug get 43 -v"), typing, env);
    expect(seen.out).toContain(`code ${code}`);
    for (const setting of SANE) expect(seen.out).toMatch(setting);
    expectQuickEnd();
    expect(tracker.requests).toHaveLength(1);
  });

  test.each(ENDS)("%s and %i while waiting for a retry", async (_, code, type) => {
    const tracker = await faultyTracker({ read: FATES.patience });
    const typing = [{ after: /retrying in 3[01]/, type }];
    const { env, expectQuickEnd } = endingReport({ ...tracker.env, HOME: freshFolder() });
    const seen = await talk(ended("bt bug get 43 -v"), typing, env);
    expect(seen.out).toContain(`code ${code}`);
    for (const setting of SANE) expect(seen.out).toMatch(setting);
    expectQuickEnd();
    expect(tracker.requests).toHaveLength(1);
  });

  test("at the prompt of a bulk update: nothing is changed", async () => {
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
});

describe.skipIf(!HAS_TERMINAL)("E11 E12 a bug is one row of the terminal, whatever its summary", () => {
  test.each(
    sampled(
      [
        ["70 kB", "long ".repeat(14_000)],
        ["a newline and a tab", "one\ntwo\tthree"],
        ["wide characters", "図書館の写真が逆さまに表示される".repeat(5)],
        ["joined emoji", "👩‍👩‍👧‍👦".repeat(40)],
        ["combining marks", "e\u0301".repeat(200)],
        ["zero-width characters", "a\u200bb\u200dc".repeat(50)],
      ],
      2,
    ),
  )("%s", async (_, summary) => {
    const { url, store } = await demoServer();
    store.run("UPDATE bugs SET summary = @summary WHERE id = 1", { summary });
    const env = { BT_BASE_URL: url, NO_COLOR: "1" };
    const { code, out } = await onTerminal("bt bug search --id 1,2 --sort id --fields id,summary,status", { env });
    const rows = out.trimEnd().split("\n");
    expect({ code, rows: rows.length }).toEqual({ code: 0, rows: 3 });
    const columns = rows.map((row) =>
      width(row.slice(0, row.search(/STATUS|VERIFIED|CONFIRMED|RESOLVED|IN_PROGRESS/))),
    );
    expect(new Set(columns).size).toBe(1);
    for (const row of rows) expect(width(row)).toBeLessThanOrEqual(80);
    expect(rows[1]).not.toMatch(/\ufffd|\u200d…|[\ud800-\udbff](?![\udc00-\udfff])/);
    if (summary.length > 100) expect(rows[1]).toContain("…");
    const whole = await shell("bt bug get 1 --json --fields summary", { env: { BT_BASE_URL: url } });
    expect(JSON.parse(whole.out)).toEqual([{ summary }]);
  });
});

test.skipIf(!HAS_TERMINAL)("E13 a window that is resized while a list is printed", async () => {
  const line =
    "(for i in 1 2 3 4 5; do stty cols $((40 + i * 20)); sleep 0.02; done) & bt bug search --all --color never; wait";
  const { code, out } = await onTerminal(line);
  expect({ code, ends: out.includes("#1 ") || /^1 /m.test(out) }).toEqual({ code: 0, ends: true });
});
