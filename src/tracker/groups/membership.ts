import { compilePattern } from "../regexp.ts";
import type { Store } from "../store/store.ts";

/** Makes the users whose logins match the patterns of groups their members. @see Bugzilla/User.pm, derive_regexp_groups */
export function deriveMembers(store: Store): void {
  const users = store.all<{ id: number; login: string }>("SELECT id, login FROM users");
  store.run("DELETE FROM group_members WHERE given_by = 'regexp'");
  for (const { id, user_regexp } of store.all<PatternGroup>(
    "SELECT id, user_regexp FROM groups WHERE user_regexp <> ''",
  )) {
    const { test = () => false } = compilePattern(user_regexp);
    for (const user of users) if (test(user.login)) store.run(ADD, [id, user.id]);
  }
}

type PatternGroup = { id: number; user_regexp: string };

const ADD = "INSERT INTO group_members (group_id, user_id, kind, given_by) VALUES (?, ?, 'member', 'regexp')";
