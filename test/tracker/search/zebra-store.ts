import type { Store } from "../../../src/tracker/store/store.ts";
import { recordedStore } from "../state.ts";

/**
 * The recorded server's 300 bugs and four more, 20002 to 20005, that differ in everything a search can ask for; in ZEBRAS
 * are those four. 20004 is for the group core-security only.
 */
export function zebraStore(): Store {
  const store = recordedStore();
  store.exec(ZEBRAS);
  return store;
}

function product(name: string) {
  return `(SELECT id FROM products WHERE name = '${name}')`;
}

function component(of: string, name: string) {
  return `(SELECT id FROM components WHERE product_id = ${product(of)} AND name = '${name}')`;
}

function field(name: string) {
  return `(SELECT id FROM fields WHERE name = '${name}')`;
}

function keyword(name: string) {
  return `(SELECT id FROM keywords WHERE name = '${name}')`;
}

// Users: 1 admin, 2 alice, 3 bob, 4 carol, 5 dave.
const ZEBRAS = `
INSERT INTO bugs (id, summary, status, resolution, product_id, component_id, version, target_milestone, priority, severity,
  platform, op_sys, assigned_to_id, creator_id, qa_contact_id, creation_time, last_change_time, deadline, url, whiteboard,
  is_confirmed)
VALUES
  (20002, 'Zebra stripes vanish', 'RESOLVED', 'FIXED', ${product("Firefox")}, ${component("Firefox", "General")}, '121',
    'M1', 'Highest', 'blocker', 'Macintosh', 'Mac OS', 2, 2, 4, '2026-11-20T05:57:40Z', '2026-11-20T05:57:43Z',
    '2027-01-31', 'http://zoo.example.org/page?x=1', '[zoo] p1', 1),
  (20003, 'Stripes on zebra are wrong', 'CONFIRMED', '', ${product("Firefox")},
    ${component("Firefox", "New Tab, Start/Home & More")}, 'Trunk / nightly, 2026', '---', 'Low', 'enhancement', 'PC',
    'Linux', 3, 2, 3, '2026-11-20T05:57:40Z', '2026-11-20T05:57:43Z', NULL, '', '[zoo] p2', 1),
  (20004, 'Quagga, not zebra; 100% "quoted"', 'CONFIRMED', '', ${product("Firefox")}, ${component("Firefox", "General")},
    '121', '---', '---', 'enhancement', 'PC', 'Linux', 2, 2, 1, '2026-11-20T05:57:40Z', '2026-11-20T05:57:40Z', NULL, '',
    '', 1),
  (20005, 'zebra unconfirmed', 'RESOLVED', 'DUPLICATE', ${product("Toolkit")}, ${component("Toolkit", "Places")}, 'trunk',
    '---', '---', 'enhancement', 'PC', 'Linux', 2, 2, NULL, '2026-11-20T05:57:40Z', '2026-11-20T05:57:43Z', NULL, '', '',
    0);
UPDATE bugs SET estimated_time = 3 WHERE id = 20002;
UPDATE bugs SET remaining_time = 5 WHERE id = 20003;
INSERT INTO bug_aliases VALUES ('zeb', 20002), ('zebra-two', 20002);
INSERT INTO bug_groups SELECT 20004, id FROM groups WHERE name = 'core-security';
INSERT INTO bug_cc VALUES (20002, 3), (20002, 4), (20003, 5);
INSERT INTO bug_keywords VALUES (20002, ${keyword("crash")}), (20003, ${keyword("crash")}), (20003, ${keyword("perf")});
INSERT INTO bug_see_also (bug_id, url) VALUES (20003, 'https://github.com/a/b/issues/1');
INSERT INTO bug_dependencies VALUES (20003, 20002);
INSERT INTO bug_duplicates VALUES (20005, 20002);
INSERT INTO custom_choices VALUES (20002, ${field("cf_platforms")}, 'tv');
INSERT INTO custom_values VALUES (20002, ${field("cf_tracking")}, 'yes'), (20002, ${field("cf_due")}, '2027-02-28'),
  (20002, ${field("cf_points")}, '8');
INSERT INTO flags (type_id, bug_id, status, setter_id, requestee_id, creation_date, modification_date)
  SELECT id, 20002, '?', 2, 3, '2026-11-20T05:57:40Z', '2026-11-20T05:57:40Z' FROM flag_types WHERE name = 'review';
INSERT INTO comments (bug_id, creator_id, creation_time, text) VALUES
  (20002, 2, '2026-11-20T05:57:40Z', 'the quagga hides here'),
  (20003, 2, '2026-11-20T05:57:40Z', ''),
  (20004, 2, '2026-11-20T05:57:40Z', ''),
  (20005, 2, '2026-11-20T05:57:40Z', ''),
  (20002, 2, '2026-11-20T05:57:43Z', ''),
  (20005, 2, '2026-11-20T05:57:43Z', ''),
  (20003, 2, '2026-11-20T05:57:43Z', 'okapi sighting');
INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES
  (20002, 2, '2026-11-20T05:57:42Z', 'bug_status', 'CONFIRMED', 'RESOLVED'),
  (20002, 2, '2026-11-20T05:57:42Z', 'resolution', '', 'FIXED'),
  (20003, 3, '2026-11-20T05:57:43Z', 'priority', '---', 'Low'),
  (20003, 3, '2026-11-20T05:57:43Z', 'cc', '', 'dave@example.org'),
  (20005, 2, '2026-11-20T05:57:43Z', 'bug_status', 'UNCONFIRMED', 'RESOLVED'),
  (20005, 2, '2026-11-20T05:57:43Z', 'resolution', '', 'DUPLICATE');
INSERT INTO personal_tags (id, name, user_id) VALUES (1, 'mine', 2), (2, 'later', 2), (3, 'mine', 3);
INSERT INTO bug_tags VALUES (20002, 1), (20003, 2), (20003, 3);
`;
