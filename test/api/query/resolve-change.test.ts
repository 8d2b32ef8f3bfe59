import { expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { needsOwnLogin } from "../../../src/api/query/resolve.ts";
import { exampleCatalog } from "../example-catalog.ts";
import { sent as sentAs } from "../sent.ts";

function sent(text: string, me?: string): string {
  return sentAs(text, me === undefined ? {} : { me });
}

test("a pronoun names the author of a change, except on a field that holds users", () => {
  expect(sent("status changed by @me", "ada@example.org")).toBe("f1=bug_status&o1=changedby&v1=%user%");
  expect(sent("status changed by @assignee")).toBe("f1=bug_status&o1=changedby&v1=%assignee%");
  expect(sent("assignee changed by @me", "ada@example.org")).toBe("f1=assigned_to&o1=changedby&v1=ada@example.org");
});

test("a history names users by login", () => {
  expect(sent("qa changed to @me", "ada@example.org")).toBe("f1=qa_contact&o1=changedto&v1=ada@example.org");
  expect(sent("assignee changed from bob@example.org")).toBe("f1=assigned_to&o1=changedfrom&v1=bob@example.org");
});

test.each([
  ["assignee changed to @me", "searching for @me requires a login"],
  ["assignee changed to @reporter", '@reporter cannot be used in "assigned_to changed"'],
  ["qa changed by @assignee", '@assignee cannot be used in "qa_contact changed"'],
  ["status changed by @group.editbugs", '@group.editbugs cannot be used in "status changed"'],
  ["requestee changed", "changes of requestee are not recorded"],
  ["flag(review? requestee @assignee)", "@assignee cannot be used in flag(...)"],
  ["setter = @group.editbugs", "flags cannot be searched by group"],
])("%s is rejected: %s", (text, message) => {
  expect(() => sent(text)).toThrow(message);
});

test.each([
  ["not (status changed by @me or crash)", true],
  ["assignee:@me status changed by @reporter", false],
])("whether %s refers to changes by the requester: %s", (text, isOwn) => {
  expect(needsOwnLogin(parseExpression(text), exampleCatalog)).toBe(isOwn);
});
