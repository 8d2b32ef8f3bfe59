import { Fault } from "../../http/fault.ts";
import { isInGroup } from "../../users/requester.ts";
import type { SearchContext } from "../context.ts";
import { type Sql, sql } from "../sql.ts";

/**
 * What a pronoun (`%user%`, `%assignee%`, `%group.NAME%`) says about the row `person`; undefined when the text is none.
 * `link` says which bug the row belongs to, for the pronouns that look at the bug.
 */
export function pronounTest(asking: SearchContext, text: string, link: Sql): Sql | undefined {
  const [, group] = /^%group\.([^%]+)%$/.exec(text) ?? [];
  if (group !== undefined) return sql`person.id IN ${membersOf(asking, group)}`;
  if (text === "%user%") return sql`person.id = ${ownId(asking)}`;
  if (/^%\w+%$/.test(text)) return sql`${link} AND person.id = ${roleOf(text)}`;
  return undefined;
}

/** The id of the person that a login or `%user%` names; there must be one. */
export function userIdNamed(asking: SearchContext, text: string): number {
  if (text === "%user%") return ownId(asking);
  const user = asking.store.get<{ readonly id: number }>("SELECT id FROM users WHERE login = ?", [text]);
  if (!user) {
    throw new Fault(
      404,
      51,
      `There is no user named '${text}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
    );
  }
  return user.id;
}

function ownId({ requester }: SearchContext): number {
  if (!requester.user) {
    throw new Fault(
      400,
      32000,
      "You can't use %user% without being logged in, because %user% refers to your login name, which we don't know.",
    );
  }
  return requester.user.id;
}

const ROLES: Readonly<Record<string, Sql>> = {
  "%reporter%": sql`bug.creator_id`,
  "%assignee%": sql`bug.assigned_to_id`,
  "%qacontact%": sql`bug.qa_contact_id`,
};

function roleOf(pronoun: string): Sql {
  const role = ROLES[pronoun];
  if (!role) {
    throw new Fault(
      400,
      32000,
      `The pronoun you used (${pronoun}) is illegal. You must use one of the approved pronouns. Please see Pronoun Substitution for a complete list.`,
    );
  }
  return role;
}

// A group that the requester is not in and one that does not exist are told alike.
function membersOf({ requester, store }: SearchContext, name: string): Sql {
  const group = store.get<{ readonly id: number; readonly name: string }>(
    "SELECT id, name FROM groups WHERE name = ?",
    [name],
  );
  if (!group || !isInGroup(requester, group.name)) {
    throw new Fault(400, 804, `The group '${name}' does not exist, or you are not a member of it.`);
  }
  return sql`(
    WITH RECURSIVE counted (id) AS (
      SELECT ${group.id}
      UNION
      SELECT member_id FROM group_inclusions JOIN counted ON grantor_id = counted.id WHERE kind = 'member')
    SELECT user_id FROM group_members JOIN counted ON group_id = counted.id WHERE kind = 'member')`;
}
