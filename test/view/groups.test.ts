import { describe, expect, test } from "vitest";
import { filledColumns } from "../../src/view/column.ts";
import { listing, listText } from "../../src/view/listing.ts";
import { GROUP_COLUMNS, groupCard } from "../../src/view/people.ts";
import type { Group, Member } from "../../src/wire/resources.ts";
import { viewOf } from "./samples.ts";

const alice: Member = {
  id: 2,
  real_name: "Alice Example",
  email: "alice@example.org",
  name: "alice@example.org",
  can_login: true,
  email_enabled: true,
  login_denied_text: "",
};
const eve: Member = {
  ...alice,
  id: 6,
  real_name: "Eve 画面",
  email: "eve@example.org",
  name: "eve@example.org",
  can_login: false,
  email_enabled: false,
  login_denied_text: "Left the project",
};
const security: Group = {
  id: 15,
  name: "core-security",
  description: "Security bugs",
  is_bug_group: true,
  is_active: 1,
  user_regexp: "@security\\.example\\.org$",
};
const untold: Group = { id: 15, name: "core-security", description: "Security bugs" };

describe("the card of a group", () => {
  test("with its members", () => {
    expect(groupCard({ ...security, membership: [alice, eve] }, viewOf())).toMatchInlineSnapshot(`
      "core-security  Security bugs

      ID             15
      Active         yes
      For bugs       yes
      Login pattern  @security\\.example\\.org$

      ID  LOGIN              NAME           CAN LOG IN  MAIL  BARRED BECAUSE
       2  alice@example.org  Alice Example  yes         yes
       6  eve@example.org    Eve 画面       no          no    Left the project
      "
    `);
  });

  test("explains attributes that the tracker hides", () => {
    expect(groupCard({ ...untold, users: [alice] }, viewOf())).toMatchInlineSnapshot(`
      "core-security  Security bugs

      ID             15
      Active         not available
      For bugs       not available
      Login pattern  not available

      ID  LOGIN              NAME           CAN LOG IN  MAIL
       2  alice@example.org  Alice Example  yes         yes
      "
    `);
  });
});

describe("a list of groups", () => {
  const groups = [
    security,
    { ...security, id: 1, name: "admin", description: "Administrators", is_bug_group: 0, user_regexp: "" },
  ];

  test("at a terminal", () => {
    expect(
      listText(groups, listing("table", filledColumns(GROUP_COLUMNS, groups, viewOf()), viewOf())),
    ).toMatchInlineSnapshot(`
      "ID  NAME           DESCRIPTION     ACTIVE  FOR BUGS  LOGIN PATTERN
      15  core-security  Security bugs   yes     yes       @security\\.example\\.org$
       1  admin          Administrators  yes     no
      "
    `);
  });

  test("for programs is exact", () => {
    expect(listText([security, untold], listing("tsv", GROUP_COLUMNS, viewOf({ terminal: false })))).toBe(
      "15\tcore-security\tSecurity bugs\t1\ttrue\t@security\\\\.example\\\\.org$\n15\tcore-security\tSecurity bugs\t\t\t\n",
    );
  });
});
