import type { Group, Member } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./looks.ts";

const column = columnMaker<Group>();

export const GROUP_COLUMNS: readonly Column<Group>[] = [
  column("id", "ID", "number", { optional: 4 }),
  column("name", "Name", "text", { shrink: "never" }),
  column("description", "Description", "lines"),
  column("is_active", "Active", "text", {
    cell: ({ is_active }) => booleanText(is_active),
    paint: ({ is_active }) => (is_active ? undefined : "quiet"),
    optional: 3,
  }),
  column("is_bug_group", "For bugs", "text", {
    cell: ({ is_bug_group }) => booleanText(is_bug_group),
    paint: ({ is_bug_group }) => (is_bug_group ? undefined : "quiet"),
    optional: 2,
  }),
  column("user_regexp", "Login pattern", "lines", {
    cell: ({ user_regexp }) => user_regexp ?? NOT_AVAILABLE,
    optional: 1,
  }),
];

/** Columns of these groups for the terminal, without those that are empty, or that the tracker did not return; see `missingAttributesNote`. */
export function groupColumns(groups: readonly Group[]): Column<Group>[] {
  return GROUP_COLUMNS.filter(({ value }) => groups.some((group) => ![undefined, ""].includes(value(group) as string)));
}

const memberColumn = columnMaker<Member>();

export const MEMBER_COLUMNS: readonly Column<Member>[] = [
  memberColumn("id", "ID", "number"),
  memberColumn("name", "Login", "text", { shrink: "never" }),
  memberColumn("real_name", "Name", "lines"),
  memberColumn("email", "E-mail", "lines", { optional: 1 }),
  memberColumn("can_login", "Can log in", "yes-no", {
    paint: ({ can_login }) => (can_login ? undefined : "warn"),
    optional: 3,
  }),
  memberColumn("email_enabled", "Mail", "yes-no", { optional: 2 }),
  memberColumn("login_denied_text", "Barred because", "lines", { value: disabledReason }),
];

/**
 * Columns of these members for the terminal: the email only if it differs from the login, reasons only if there are
 * any.
 */
export function memberColumns(members: readonly Member[]): Column<Member>[] {
  const left = [
    members.every(({ name, email }) => email === name) ? "email" : "",
    members.every((member) => disabledReason(member) === "") ? "login_denied_text" : "",
  ];
  return MEMBER_COLUMNS.filter(({ name }) => !left.includes(name));
}

/** Members of a group under either name that servers use; undefined if not requested. */
export function returnedMembers({ membership, users }: Group): readonly Member[] | undefined {
  return membership ?? users;
}

/** Note on missing attributes, which trackers return to few users; undefined if none is missing. */
export function missingAttributesNote(groups: readonly Group[]): string | undefined {
  const isUntold = ({ is_active, is_bug_group, user_regexp }: Group) =>
    [is_active, is_bug_group, user_regexp].includes(undefined);
  return groups.some(isUntold) ? "only members of creategroups can see whether a group is active" : undefined;
}

/** Text of an attribute that the tracker did not return. */
export const NOT_AVAILABLE = "not available";

/** Text of a boolean; older servers send numbers. */
export function booleanText(value: number | boolean | undefined): string {
  if (value === undefined) return NOT_AVAILABLE;
  return value ? "yes" : "no";
}

function disabledReason({ login_denied_text, disabled_text }: Member): string {
  return login_denied_text || disabled_text || "";
}
