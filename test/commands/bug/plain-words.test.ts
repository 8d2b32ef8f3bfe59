import { expect, test } from "vitest";
import { demo } from "../demo.ts";

const NOTE = `note: searched summaries for "changed since -2h"; as conditions: 'updated >= -2h'\n`;

test.each([false, true])("words that look like the query language get a note at a terminal: %s", async (terminal) => {
  const ran = await demo()("bug search 'changed since -2h'", { terminal, columns: 120 });
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining(NOTE)]);
});

test.each(["'priority high'", "priority high", "--where 'priority high'"])(
  "in one argument or several: %s",
  async (line) => {
    const { code, err } = await demo()(`bug search ${line}`);
    expect([code, err]).toEqual([0, expect.stringContaining("as conditions: 'priority:High'")]);
  },
);

test("--explain has the note, and other words have none", async () => {
  expect((await demo()("bug search 'assigned to mei' --explain")).out).toContain("as conditions: 'assignee = mei'");
  expect((await demo()("bug search 'red eye'")).err).toBe("");
});
