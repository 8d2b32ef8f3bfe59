import { expect, test } from "vitest";
import type { Io } from "../../src/io.ts";
import { openProgress } from "../../src/session/note.ts";

test.each([
  [true, ["\r\u001b[K1 of 9", "\r\u001b[K2 of 9", "\r\u001b[K3 of 9", "\r\u001b[K"]],
  [false, ["note: 2 of 9\n"]],
])("progress is a line on a terminal, else a note a minute (terminal: %s)", async (stderr, expected) => {
  const told: string[] = [];
  let clock = 0;
  const err = async (text: string) => void told.push(text);
  const progress = openProgress({ err, ticks: () => clock, terminal: { stderr } } as unknown as Io);
  for (const [time, text] of [
    [59_999, "1 of 9"],
    [60_000, "2 of 9"],
    [119_999, "3 of 9"],
  ] as const) {
    clock = time;
    await progress.show(text);
  }
  await progress.clear();
  expect(told).toEqual(expected);
});
