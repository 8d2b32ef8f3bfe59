import { PRONOUN_FIELDS } from "../../../wire/search-names.ts";
import { TRACKER_FIELDS } from "../../fields.ts";
import { Fault, faults } from "../../http/fault.ts";
import { isInGroup } from "../../users/requester.ts";
import type { SearchContext } from "../context.ts";
import { bugColumn, type Sql, sql } from "../sql.ts";

/**
 * SQL test of the row `person` by a pronoun (`%user%`, `%assignee%`, `%group.NAME%`); undefined for any other text.
 * `link` joins `person` to the bug, for pronouns that are roles of the bug.
 * @throws Fault 804 for a group the requester is not in, 32000 for an unknown pronoun
 * @see Bugzilla/Search.pm, pronoun
 */
export function pronounTest(context: SearchContext, text: string, link: Sql): Sql | undefined {
  const [, group] = /^%group\.([^%]+)%$/.exec(text) ?? [];
  if (group !== undefined) return sql`person.id IN ${groupMembers(context, group)}`;
  if (text === "%user%") return sql`person.id = ${requesterId(context)}`;
  if (/^%\w+%$/.test(text)) return sql`${link} AND person.id = ${pronounPeople(text)}`;
  return undefined;
}

/**
 * Id of the user with this login, or of the requester for `%user%`; nobody's for a user whom a mirror does not know.
 * @throws Fault 51 for an unknown user of another tracker, 32000 if nobody is logged in
 */
export function userIdNamed(context: SearchContext, text: string): number {
  if (text === "%user%") return requesterId(context);
  const user = context.store.get<{ id: number }>("SELECT id FROM users WHERE login = ?", [text]);
  if (!user && !context.isMirror) throw faults.noSuchUser(text);
  return user?.id ?? NOBODY;
}

const NOBODY = 0;

function requesterId({ requester }: SearchContext): number {
  if (!requester.user) {
    throw new Fault(
      400,
      32000,
      "You can't use %user% without being logged in, because %user% refers to your login name, which we don't know.",
    );
  }
  return requester.user.id;
}

const ROLES: Readonly<Record<string, Sql>> = Object.fromEntries(
  Object.entries(PRONOUN_FIELDS).map(([pronoun, field]) => [pronoun, bugColumn(TRACKER_FIELDS[field].column)]),
);

function pronounPeople(pronoun: string): Sql {
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

// The same fault for unknown groups, so that their names are not disclosed.
function groupMembers({ requester, store }: SearchContext, name: string): Sql {
  const group = store.get<{ id: number; name: string }>("SELECT id, name FROM groups WHERE name = ?", [name]);
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
