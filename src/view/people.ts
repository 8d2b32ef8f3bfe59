import type { Group, Member, UserAccount } from "../wire/resources.ts";
import { type CardRow, cardBody, cardTitle } from "./card.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";
import { tableText } from "./listing.ts";
import { palette } from "./palette.ts";
import { yesNoText } from "./text.ts";
import type { View } from "./view.ts";

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
  column("groups", "Groups", "names", {
    cell: ({ groups }) => (groups ?? []).map(({ name }) => name).join(", "),
    shrink: "first",
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
function otherEmail({ name, email }: { readonly name: string; readonly email?: string | null | undefined }): string {
  return !email || email === name ? "" : email;
}

const groupColumn = columnMaker<Group>();

export const GROUP_COLUMNS: readonly Column<Group>[] = [
  groupColumn("id", "ID", "number", { optional: 4 }),
  groupColumn("name", "Name", "text", { shrink: "never" }),
  groupColumn("description", "Description", "lines"),
  groupColumn("is_active", "Active", "yes-no", {
    paint: ({ is_active }) => (is_active ? undefined : "quiet"),
    optional: 3,
    isRare: true,
  }),
  groupColumn("is_bug_group", "For bugs", "yes-no", {
    paint: ({ is_bug_group }) => (is_bug_group ? undefined : "quiet"),
    optional: 2,
    isRare: true,
  }),
  groupColumn("user_regexp", "Login pattern", "lines", { optional: 1, isRare: true }),
];

/** Members of a group under either name that servers use; undefined if not requested. */
export function returnedMembers({ membership, users }: Group): readonly Member[] | undefined {
  return membership ?? users;
}

export function groupCard(group: Group, view: View): string {
  const { quiet } = palette(view);
  const heading = cardTitle(group.name, group.description ?? "", view);
  const rows: CardRow[] = [
    ["ID", String(group.id)],
    ["Active", yesNoText(group.is_active) || NOT_AVAILABLE],
    ["For bugs", yesNoText(group.is_bug_group) || NOT_AVAILABLE],
    ["Login pattern", group.user_regexp ?? NOT_AVAILABLE],
    ["Icon", group.icon_url ?? ""],
  ];
  const members = returnedMembers(group);
  const table = members?.length ? tableText(members, MEMBER_COLUMNS, view) : quiet("no members\n");
  return `${heading}\n${cardBody(rows, view)}${members ? `\n${table}` : ""}`;
}

const NOT_AVAILABLE = "not available";
