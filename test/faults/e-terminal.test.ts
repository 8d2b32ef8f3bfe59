import { describe, expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { endingReport } from "../process/ending.ts";
import { shell } from "../process/real.ts";
import { HAS_TERMINAL } from "../process/terminal.ts";
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

  const waits = [
    ["a response", () => undefined, /> GET \/rest\/bug/],
    ["a retry", FATES.patience, /retrying in 3[01]/],
  ] as const;
  test.each(waits.flatMap((wait) => ENDS.map((end) => [...wait, ...end] as const)))(
    "while waiting for %s, %s",
    async (...[, read, after, , code, type]) => {
      const tracker = await faultyTracker({ read });
      const { env, expectQuickEnd } = endingReport({ ...tracker.env, HOME: freshFolder() });
      const seen = await talk(ended("bt bug get 43 -v"), [{ after, type }], env);
      expect(seen.out).toContain(`code ${code}`);
      for (const setting of SANE) expect(seen.out).toMatch(setting);
      expectQuickEnd();
      expect(tracker.requests).toHaveLength(1);
    },
  );

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
