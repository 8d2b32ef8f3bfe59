import type { UserAccount } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./looks.ts";

const column = columnMaker<UserAccount>();

export const USER_COLUMNS: readonly Column<UserAccount>[] = [
  column("id", "ID", "number"),
  column("name", "Login", "text", { shrink: "never" }),
  column("real_name", "Name", "lines"),
  column("email", "E-mail", "lines"),
  column("can_login", "Can log in", "yes-no", {
    paint: ({ can_login }) => (can_login === false ? "warn" : undefined),
    optional: 2,
  }),
  column("groups", "Groups", "lines", {
    text: ({ groups }) => (groups ?? []).map(({ name }) => name).join(","),
    cell: ({ groups }) => (groups ?? []).map(({ name }) => name).join(", "),
    optional: 1,
  }),
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
