import type { Group, Member } from "../wire/resources.ts";
import type { Column } from "./column.ts";

/** All columns of a list of groups. */
export const GROUP_COLUMNS: readonly Column<Group>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", shrink: "never", optional: 4 },
  { name: "name", heading: "Name", value: ({ name }) => name, shrink: "never" },
  { name: "description", heading: "Description", value: ({ description }) => description, shrink: "first" },
  { ...yesColumn("is_active", "Active"), optional: 3 },
  { ...yesColumn("is_bug_group", "For bugs"), optional: 2 },
  {
    name: "user_regexp",
    heading: "Login pattern",
    value: ({ user_regexp }) => user_regexp,
    cell: ({ user_regexp }) => user_regexp ?? NOT_AVAILABLE,
    shrink: "first",
    optional: 1,
  },
];

/** Columns of these groups for the terminal, without those that are empty, or that the tracker did not return; see `missingAttributesNote`. */
export function groupColumns(groups: readonly Group[]): Column<Group>[] {
  return GROUP_COLUMNS.filter(({ value }) => groups.some((group) => ![undefined, ""].includes(value(group) as string)));
}

/** All columns of a group's members. */
export const MEMBER_COLUMNS: readonly Column<Member>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", shrink: "never" },
  { name: "name", heading: "Login", value: ({ name }) => name, shrink: "never" },
  { name: "real_name", heading: "Name", value: ({ real_name }) => real_name, shrink: "first" },
  { name: "email", heading: "E-mail", value: ({ email }) => email, shrink: "first", optional: 1 },
  {
    name: "can_login",
    heading: "Can log in",
    value: ({ can_login }) => can_login,
    cell: ({ can_login }) => (can_login ? "yes" : "no"),
    paint: ({ can_login }) => (can_login ? undefined : "warn"),
    optional: 3,
  },
  {
    name: "email_enabled",
    heading: "Mail",
    value: ({ email_enabled }) => email_enabled,
    cell: ({ email_enabled }) => (email_enabled ? "yes" : "no"),
    optional: 2,
  },
  { name: "login_denied_text", heading: "Barred because", value: disabledReason, shrink: "first" },
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

function yesColumn(name: "is_active" | "is_bug_group", heading: string): Column<Group> {
  return {
    name,
    heading,
    value: (group) => group[name],
    cell: (group) => booleanText(group[name]),
    paint: (group) => (group[name] ? undefined : "quiet"),
  };
}

function disabledReason({ login_denied_text, disabled_text }: Member): string {
  return login_denied_text || disabled_text || "";
}
