import type { Member, UserAccount } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./looks.ts";

const column = columnMaker<UserAccount>();

export const USER_COLUMNS: readonly Column<UserAccount>[] = [
  column("id", "ID", "number"),
  column("name", "Login", "text", { shrink: "never" }),
  column("real_name", "Name", "lines"),
  column("email", "E-mail", "lines", { cell: otherEmail, isRare: true }),
  column("can_login", "Can log in", "yes-no", {
    cell: ({ can_login }) => (can_login === false ? "no" : ""),
    paint: () => "warn",
    optional: 2,
    isRare: true,
  }),
  column("groups", "Groups", "lines", {
    text: ({ groups }) => (groups ?? []).map(({ name }) => name).join(","),
    cell: ({ groups }) => (groups ?? []).map(({ name }) => name).join(", "),
    optional: 1,
    isRare: true,
  }),
];

const memberColumn = columnMaker<Member>();

export const MEMBER_COLUMNS: readonly Column<Member>[] = [
  memberColumn("id", "ID", "number"),
  memberColumn("name", "Login", "text", { shrink: "never" }),
  memberColumn("real_name", "Name", "lines"),
  memberColumn("email", "E-mail", "lines", { cell: otherEmail, optional: 1, isRare: true }),
  memberColumn("can_login", "Can log in", "yes-no", {
    paint: ({ can_login }) => (can_login ? undefined : "warn"),
    optional: 3,
  }),
  memberColumn("email_enabled", "Mail", "yes-no", { optional: 2 }),
  memberColumn("login_denied_text", "Barred because", "lines", {
    value: ({ login_denied_text, disabled_text }) => login_denied_text || disabled_text || "",
    isRare: true,
  }),
];

/** The email, unless it is the login. */
function otherEmail({ name, email }: { readonly name: string; readonly email?: string | undefined }): string {
  return email === undefined || email === name ? "" : email;
}
