import { expect, test } from "vitest";
import {
  isTemporaryName,
  mentionedNames,
  standInId,
  temporaryNamesIn,
  withNumbersInText,
  withRealNumbers,
  withTemporaryNames,
} from "../../../src/api/offline/temporary-names.ts";
import { CREATE_COMMENT } from "../../../src/api/operations/comments.ts";
import { requestFor } from "../../../src/api/operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../src/api/operations/write-bugs.ts";

const [ONE, TWO] = [standInId("new-1"), standInId("new-2")];
const KNOWN = new Map([["new-1", 51]]);

test.each([
  ["new-1", true],
  ["new-12", true],
  ["new-0", false],
  ["new-", false],
  ["anew-1", false],
  ["new-01", false],
])("%s is a temporary name: %s", (name, is) => {
  expect(isTemporaryName(name)).toBe(is);
});

test.each([
  ["the bug of a comment", requestFor(CREATE_COMMENT, { id: ONE, comment: "new-1" }), ["new-1"]],
  ["updated bugs", requestFor(UPDATE_BUG, { ids: [7, ONE], priority: "High" }), ["new-1"]],
  ["a duplicate of a new bug", requestFor(UPDATE_BUG, { ids: [7], dupe_of: ONE }), ["new-1"]],
  [
    "dependencies",
    requestFor(CREATE_BUG, { summary: "new-1", depends_on: [ONE, 7], blocks: [TWO] }),
    ["new-1", "new-2"],
  ],
  [
    "edited dependencies",
    requestFor(UPDATE_BUG, { ids: [7], blocks: { add: [ONE], remove: [TWO] } }),
    ["new-1", "new-2"],
  ],
  ["texts alone", requestFor(CREATE_BUG, { summary: "new-1", keywords: ["new-1"], alias: "new-1" }), []],
])("%s: temporary names become numbers", (_, request, names) => {
  const kept = withTemporaryNames(request);
  expect(temporaryNamesIn(kept)).toEqual(names);
  expect(mentionedNames(kept)).toEqual(names);
  expect(JSON.stringify(kept)).not.toMatch(/90{12}/);
  const real = withRealNumbers(kept, KNOWN);
  expect(temporaryNamesIn(real)).toEqual(names.filter((name) => name !== "new-1"));
  expect(JSON.stringify(withRealNumbers(kept, new Map([...KNOWN, ["new-2", 52]])))).toBe(
    JSON.stringify(request).replaceAll(String(ONE), "51").replaceAll(String(TWO), "52"),
  );
});

test("names that are still unknown stay", () => {
  const kept = withTemporaryNames(requestFor(UPDATE_BUG, { ids: [ONE], depends_on: { add: [TWO] } }));
  expect(withRealNumbers(kept, KNOWN).body).toEqual({ ids: [51], depends_on: { add: ["new-2"] } });
});

test.each([
  ["a comment", (text: string) => requestFor(CREATE_COMMENT, { id: 7, comment: text })],
  ["the comment of an update", (text: string) => requestFor(UPDATE_BUG, { ids: [7], comment: { body: text } })],
  ["a description", (text: string) => requestFor(CREATE_BUG, { summary: "bug new-1", description: text })],
])('in %s, "bug new-1" gets the number, and nothing else does', (_, made) => {
  const text = "Bug new-1, bug new-12, bug  new-2: not new-1, a debug new-1, bug new-1x";
  expect(mentionedNames(made(text))).toEqual(["new-1", "new-12", "new-2"]);
  const now = "Bug 51, bug new-12, bug  52: not new-1, a debug new-1, bug new-1x";
  const numbers = new Map([...KNOWN, ["new-2", 52]]);
  expect(withNumbersInText(made(text), numbers)).toEqual(made(now));
});
