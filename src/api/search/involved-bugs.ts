import { fieldIsEmpty, fieldTest } from "../query/field-test.ts";
import { allOf, anyOf, type Query } from "../query/tree.ts";

/**
 * The bugs that a user has to do with: flag requests to and by them (of attachments too), open bugs assigned to them, and
 * bugs of theirs that changed since a time. It may find more.
 */
export function involvedBugs(login: string, since: string): Query {
  const isUser = (name: string) => fieldTest(name, "=", login);
  return anyOf([
    isUser("requestee"),
    allOf([isUser("setter"), fieldTest("flags", "~", "?")]),
    allOf([isUser("assigned_to"), fieldIsEmpty("resolution")]),
    allOf([anyOf(["assigned_to", "creator", "cc"].map(isUser)), fieldTest("last_change_time", ">=", since)]),
  ]);
}
