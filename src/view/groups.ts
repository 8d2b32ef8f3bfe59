import type { Group, Member } from "../wire/resources.ts";
import type { Column } from "./column.ts";

/** Every column of a list of groups. */
export const GROUP_COLUMNS: readonly Column<Group>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", gives: "never" },
  { name: "name", heading: "Name", value: ({ name }) => name, gives: "never" },
  { name: "description", heading: "Description", value: ({ description }) => description, gives: "first" },
  claimColumn("is_active", "Active"),
  claimColumn("is_bug_group", "For bugs"),
  {
    name: "user_regexp",
    heading: "Login pattern",
    value: ({ user_regexp }) => user_regexp,
    cell: ({ user_regexp }) => user_regexp ?? UNTOLD,
    gives: "first",
  },
];

/** The columns of these groups for eyes: what the tracker told of none of them is left out, and `untoldNote` says why. */
export function groupColumns(groups: readonly Group[]): readonly Column<Group>[] {
  return GROUP_COLUMNS.filter(({ value }) => groups.some((group) => value(group) !== undefined));
}

/** Every column of the members of a group. */
export const MEMBER_COLUMNS: readonly Column<Member>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", gives: "never" },
  { name: "name", heading: "Login", value: ({ name }) => name, gives: "never" },
  { name: "real_name", heading: "Name", value: ({ real_name }) => real_name, gives: "first" },
  { name: "email", heading: "E-mail", value: ({ email }) => email, gives: "first" },
  {
    name: "can_login",
    heading: "Can log in",
    value: ({ can_login }) => can_login,
    cell: ({ can_login }) => (can_login ? "yes" : "no"),
    paint: ({ can_login }) => (can_login ? undefined : "warn"),
  },
  {
    name: "email_enabled",
    heading: "Mail",
    value: ({ email_enabled }) => email_enabled,
    cell: ({ email_enabled }) => (email_enabled ? "yes" : "no"),
  },
  { name: "login_denied_text", heading: "Barred because", value: barred, gives: "first" },
];

/** The columns of these members for eyes: an e-mail address stands there only where it is not the login, reasons if any. */
export function memberColumns(members: readonly Member[]): readonly Column<Member>[] {
  const left = [
    members.every(({ name, email }) => email === name) ? "email" : "",
    members.every((member) => barred(member) === "") ? "login_denied_text" : "",
  ];
  return MEMBER_COLUMNS.filter(({ name }) => !left.includes(name));
}

/** The members of a group under either name that servers use, or nothing when they were not asked for. */
export function membersTold({ membership, users }: Group): readonly Member[] | undefined {
  return membership ?? users;
}

/** Why some facts of these groups are missing, if some are: the tracker tells them to few. */
export function untoldNote(groups: readonly Group[]): string | undefined {
  const isUntold = ({ is_active, is_bug_group, user_regexp }: Group) =>
    [is_active, is_bug_group, user_regexp].includes(undefined);
  return groups.some(isUntold)
    ? "whether a group is active is told only to members of the creategroups group"
    : undefined;
}

/** What stands where the tracker did not tell. */
export const UNTOLD = "not told";

/** A claim of the wire in words; older servers send numbers. */
export function claimText(value: number | boolean | undefined): string {
  if (value === undefined) return UNTOLD;
  return value ? "yes" : "no";
}

function claimColumn(name: "is_active" | "is_bug_group", heading: string): Column<Group> {
  return {
    name,
    heading,
    value: (group) => group[name],
    cell: (group) => claimText(group[name]),
    paint: (group) => (group[name] ? undefined : "quiet"),
  };
}

function barred({ login_denied_text, disabled_text }: Member): string {
  return login_denied_text || disabled_text || "";
}
