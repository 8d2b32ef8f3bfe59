import { describe, expect, test } from "vitest";
import { groupCard } from "../../src/view/people.ts";
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
