import { expect, test } from "vitest";
import { inChunks } from "../../src/api/lists.ts";
import { bugMessage, bugsByMessage } from "../../src/commands/shared/bug-messages.ts";
import { BtError, bugRefusal } from "../../src/errors.ts";

test.each([
  ["none", [], []],
  ["fewer than fit into a part", [1], [[1]]],
  ["as many as fit", [1, 2], [[1, 2]]],
  ["a last part that is shorter", [1, 2, 3], [[1, 2], [3]]],
])("parts of a list: %s", (_, items, parts) => {
  expect(inChunks(items, 2)).toEqual(parts);
});

const closed = (bug: string, hint?: string) => bugMessage(bug, bugRefusal(bug, "cannot change from A to B", hint));
const missing = new BtError("missing", "Bug #9 does not exist.", { bug: "9", reason: "not found" });

test.each([
  [[closed("2"), closed("10")], ["bugs 2, 10: cannot change from A to B"]],
  [[closed("2")], ["bug 2: cannot change from A to B"]],
  [
    [closed("2", "use C"), closed("3", "use D")],
    ["bug 2: cannot change from A to B (use C)", "bug 3: cannot change from A to B (use D)"],
  ],
  [[bugMessage("9", missing)], ["bug 9: not found"]],
  [[bugMessage("2", missing)], ["bug 2: Bug #9 does not exist."]],
  [
    [
      { bug: "no", message: "No such bug" },
      { bug: { line: 4 }, message: "No such bug" },
    ],
    ["bug no, line 4: No such bug"],
  ],
])("each line has its bugs once: %j", (messages, lines) => {
  expect(bugsByMessage(messages)).toEqual(lines);
});
