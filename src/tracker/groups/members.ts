import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";

/** The users in a group, those in it through another group included. */
export function membersOf({ store }: Call, groupId: number): readonly JsonObject[] {
  return store
    .all<MemberRow>(MEMBERS, [groupId])
    .map(({ login, is_enabled, email_enabled, disabled_text, ...user }) => ({
      ...user,
      name: login,
      email: login,
      can_login: is_enabled === 1,
      email_enabled: email_enabled === 1,
      login_denied_text: disabled_text,
    }));
}

type MemberRow = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly email_enabled: number;
  readonly disabled_text: string;
};

const MEMBERS = `
  WITH RECURSIVE included (id) AS (
    VALUES (?)
    UNION
    SELECT member_id FROM group_inclusions JOIN included ON grantor_id = included.id WHERE kind = 'member')
  SELECT DISTINCT users.id, login, real_name, is_enabled, email_enabled, disabled_text
  FROM users JOIN group_members ON group_members.user_id = users.id AND kind = 'member'
  WHERE group_members.group_id IN (SELECT id FROM included) ORDER BY login`;
