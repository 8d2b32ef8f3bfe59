import { expect, test } from "vitest";
import { bugsByMessage } from "../../src/api/bug-messages.ts";

const closed = (bug: string, hint?: string) => ({ bug, message: `bug ${bug} cannot change from A to B`, hint });

test.each([
  [[closed("2"), closed("10")], ["bugs 2, 10: cannot change from A to B"]],
  [[closed("2")], ["bug 2 cannot change from A to B"]],
  [
    [closed("2", "use C"), closed("3", "use D")],
    ["bug 2 cannot change from A to B; use C", "bug 3 cannot change from A to B; use D"],
  ],
  [
    [closed("2", "bt bug update 2 -s C"), closed("3", "bt bug update 3 -s C")],
    ["bugs 2, 3: cannot change from A to B; bt bug update 2 3 -s C"],
  ],
  [[{ bug: "2", message: "changing bug 2 to B requires a comment" }], ["bug 2: changing it to B requires a comment"]],
  [[{ bug: "1", message: "bug 12 depends on bug 1" }], ["bug 1: bug 12 depends on it"]],
  [[{ bug: "2", message: "Bug #2 does not exist.", hint: "use C" }], ["bug 2: does not exist; use C"]],
  [[{ bug: "2", message: "bug 2: changed" }], ["bug 2: changed"]],
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
