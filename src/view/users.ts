import type { UserAccount } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { yesNoText } from "./text.ts";

/** All columns of a list of users. */
export const USER_COLUMNS: readonly Column<UserAccount>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", shrink: "never" },
  { name: "name", heading: "Login", value: ({ name }) => name, shrink: "never" },
  { name: "real_name", heading: "Name", value: ({ real_name }) => real_name, shrink: "first" },
  { name: "email", heading: "E-mail", value: ({ email }) => email, shrink: "first" },
  {
    name: "can_login",
    heading: "Can log in",
    value: ({ can_login }) => can_login,
    cell: ({ can_login }) => yesNoText(can_login),
    paint: ({ can_login }) => (can_login === false ? "warn" : undefined),
    optional: 2,
  },
  {
    name: "groups",
    heading: "Groups",
    value: ({ groups }) => groups,
    text: ({ groups }) => (groups ?? []).map(({ name }) => name).join(","),
    cell: groupNames,
    shrink: "first",
    optional: 1,
  },
];

/** Columns of these users for the terminal: the email only if it differs from a login, and nothing that is empty. */
export function userColumns(users: UserAccount[]): Column<UserAccount>[] {
  const conditions: Readonly<Record<string, (user: UserAccount) => boolean>> = {
    email: ({ name, email }) => email !== undefined && email !== name,
    can_login: ({ can_login }) => can_login === false,
    groups: ({ groups }) => (groups ?? []).length > 0,
  };
  return USER_COLUMNS.filter(({ name }) => conditions[name] === undefined || users.some(conditions[name]));
}

/** Names of a user's groups, as far as the tracker returns them. */
function groupNames({ groups }: UserAccount): string {
  return (groups ?? []).map(({ name }) => name).join(", ");
}
