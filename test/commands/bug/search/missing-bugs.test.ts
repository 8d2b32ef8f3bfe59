import { expect, test } from "vitest";
import { demo } from "../../demo.ts";

const said = (count: string) => `note: ${count} not found: missing, or not visible to you\n`;

test.each([
  ["--id 44,9999", said("1 of 2 bugs")],
  ["id:44,9998,9999 --count", said("2 of 3 bugs")],
  ["'id in (9999)'", said("1 of 1 bug")],
  ["--id 44,45 --format ids", ""],
  ["--id 44,44", ""],
  ["--id 44,45 --limit 1", ""],
  ["--id 44,9999 --status RESOLVED", "note: no bugs match id in (44, 9999) and status = RESOLVED\n"],
  ["'id:44,9999 or is:open' --count", ""],
])("a search by numbers notes those that it did not find: %s", async (line, note) => {
  expect(await demo()(`bug search ${line}`)).toMatchObject({ code: 0, err: note });
});
