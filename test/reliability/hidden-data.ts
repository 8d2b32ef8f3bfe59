import type { Store } from "../../src/tracker/store/store.ts";
import { twoTrackers } from "../tracker/search/two-trackers.ts";

/** Users who are in none of the groups that hide something: one logged out, one without groups, one who edits bugs. */
export const OUTSIDERS = ["", "carol", "olga"] as const;

/** Names that exist only where they are hidden. */
export const HIDDEN_NAMES = {
  alias: ["hush-alias", "hush"],
  classification: ["Hush things"],
  component: ["Hush parts"],
  flag: ["hush-flag"],
  group: ["hush-team", "core-security"],
  milestone: ["hush-M1"],
  product: ["Hush"],
  text: ["hushed", "secret", "secret word"],
  version: ["hush-1.0"],
} as const;

/**
 * Two trackers that differ only in what the OUTSIDERS may not see: bugs, comments and attachments with all that hangs on
 * them, a group, a product with its parts, memberships, what is personal to others and how others log in.
 */
export function hiddenData(): { readonly secretive: Store; readonly open: Store } {
  const stores = twoTrackers();
  for (const store of [stores.secretive, stores.open]) store.exec(OLGA);
  stores.secretive.exec(HIDDEN);
  for (const store of [stores.secretive, stores.open]) store.exec(SAME_NUMBERS);
  return stores;
}

// What outsiders make has the same ids in both.
const SAME_NUMBERS = `
INSERT INTO sqlite_sequence (name, seq) SELECT name, 100000 FROM sqlite_schema
  WHERE sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence);
UPDATE sqlite_sequence SET seq = 100000;
`;

const OLGA = `
INSERT INTO users (id, login, real_name) VALUES (70, 'olga@example.org', 'Olga Outside');
INSERT INTO api_keys (user_id, key_sha256, creation_time) VALUES
  (70, '92e5bc8f20812cff79458a0186f74fbebef21ed9476c4e52d336a117e2fb6304', '');
INSERT INTO group_members (group_id, user_id, kind) VALUES (8, 70, 'member'), (9, 70, 'member');
INSERT INTO classifications (id, name, description) VALUES (40, 'Visible things', '');
UPDATE products SET classification_id = 40 WHERE name = 'Toolkit';
INSERT OR REPLACE INTO parameters VALUES ('timetrackinggroup', 'admin'), ('useclassification', '1');
`;

const HIDDEN = `
INSERT INTO groups (id, name, description) VALUES (900, 'hush-team', 'hushed');
INSERT INTO group_members (group_id, user_id, kind) VALUES (900, 5, 'member'), (900, 2, 'bless'), (16, 5, 'member');
INSERT INTO group_members (group_id, user_id, kind) SELECT 900, id, 'member' FROM users WHERE id IN (1, 2, 3);
INSERT INTO classifications (id, name, description) VALUES (900, 'Hush things', 'hushed');
INSERT INTO products (id, name, classification_id, description) VALUES (900, 'Hush', 900, 'hushed');
INSERT INTO components (id, product_id, name, default_assignee_id) VALUES (900, 900, 'Hush parts', 5), (901, 900, 'General', 5);
INSERT INTO versions (id, product_id, name) VALUES (900, 900, 'hush-1.0'), (901, 900, '121');
INSERT INTO milestones (id, product_id, name) VALUES (900, 900, 'hush-M1'), (901, 900, '---');
INSERT INTO group_controls (product_id, group_id, entry, member_control, other_control) VALUES
  (900, 900, 1, 3, 3), (2, 900, 0, 1, 0);
INSERT INTO flag_types (id, name, target) VALUES (900, 'hush-flag', 'bug'), (901, 'review', 'bug');
INSERT INTO flag_type_inclusions VALUES (900, 900, NULL), (901, 900, NULL);
INSERT INTO field_visibility SELECT field_id, 'Hush' FROM field_visibility WHERE value = 'Toolkit';
INSERT INTO field_values (field_id, name, visible_for) SELECT id, 'hush-value', 'Hush' FROM fields
  WHERE value_field = 'product' AND is_custom;
INSERT INTO bugs (id, summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
  assigned_to_id, creator_id, creation_time, last_change_time, whiteboard, url) VALUES
  (90001, 'hushed zebra', 'CONFIRMED', 900, 900, 'hush-1.0', 'Highest', 'blocker', 'PC', 'Linux', 5, 5,
    '2026-11-20T05:57:41Z', '2026-11-20T05:57:41Z', 'hushed', 'http://hush.example.org'),
  (90002, 'hushed too', 'UNCONFIRMED', 2, 2, '121', 'Highest', 'blocker', 'PC', 'Linux', 5, 5,
    '2026-11-20T05:57:41Z', '2026-11-20T05:57:41Z', '', '');
INSERT INTO bug_groups VALUES (90001, 900), (90002, 15);
INSERT INTO bug_aliases VALUES ('hush-alias', 90001), ('hush', 90002);
INSERT INTO bug_keywords VALUES (90001, 1);
INSERT INTO bug_cc VALUES (90001, 3), (90002, 2);
INSERT INTO bug_see_also (id, bug_id, url) VALUES (90001, 90001, 'https://github.com/a/b/issues/9');
INSERT INTO flags (id, type_id, bug_id, status, setter_id, requestee_id, creation_date, modification_date) VALUES
  (90001, 900, 90001, '?', 5, 2, '2026-11-20T05:57:41Z', '2026-11-20T05:57:41Z');
INSERT INTO comments (id, bug_id, creator_id, creation_time, text) VALUES
  (90001, 90001, 5, '2026-11-20T05:57:41Z', 'hushed zebra'), (90002, 90002, 5, '2026-11-20T05:57:41Z', 'secret');
INSERT INTO comment_tags VALUES (90001, 'hushed'), (90002, 'hush-tag');
INSERT INTO attachments (id, bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, data, size)
  VALUES (90001, 90001, 5, '2026-11-20T05:57:41Z', '2026-11-20T05:57:41Z', 'hush.txt', 'hushed', 'text/plain', 'aHVzaA==', 4);
INSERT INTO personal_tags (id, user_id, name) VALUES (90001, 5, 'hushed');
INSERT INTO bug_tags VALUES (20002, 90001);
INSERT INTO login_tokens (user_id, token_sha256, last_used) VALUES (2, 'none', '2026-11-20T05:57:41Z');
INSERT INTO outbox (time, user_id, bug_id, reasons, subject, body) VALUES ('2026-11-20T05:57:41Z', 2, 90001, 'cc', 'hushed', '');
`;
