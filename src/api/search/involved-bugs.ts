import { fieldTest } from "../query/families.ts";
import { allOf, anyOf, type Query } from "../query/tree.ts";

/**
 * The bugs that a user has to do with: flag requests to and by them (of attachments too), open bugs assigned to them, and
 * bugs of theirs that changed since a time. It may find more.
 */
export function involvedBugs(login: string, since: string): Query {
  const isUser = (name: string) => fieldTest(name, "=", login);
  return anyOf<ReturnType<typeof isUser>>([
    isUser("requestee"),
    allOf([isUser("setter"), fieldTest("flags", "~", "?")]),
    allOf([isUser("assigned_to"), fieldTest("resolution", "empty")]),
    allOf([anyOf(["assigned_to", "creator", "cc"].map(isUser)), fieldTest("last_change_time", ">=", since)]),
  ]);
}
