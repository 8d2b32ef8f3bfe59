import { expect, test } from "vitest";
import { demo } from "../../demo.ts";

const said = (count: string) => `note: ${count} bugs do not exist, or are not visible to you; bt bug get shows which\n`;

test.each([
  ["--id 44,9999", said("1 of 2")],
  ["id:44,9998,9999 --count", said("2 of 3")],
  [
    "'id in (9999)'",
    "note: bug 9999 does not exist, or is not visible to you; for the text: bt bug search '\"9999\"'\n",
  ],
  ["--id 44,45 --format ids", ""],
  ["--id 44,44", ""],
  ["--id 44,45 --limit 1", ""],
  ["--id 44,9999 --status RESOLVED", "note: no bugs match id in (44, 9999) and status = RESOLVED\n"],
  ["'id:44,9999 or is:open' --count", ""],
])("a search by numbers notes those that it did not find: %s", async (line, note) => {
  expect(await demo()(`bug search ${line}`)).toMatchObject({ code: 0, err: note });
});
