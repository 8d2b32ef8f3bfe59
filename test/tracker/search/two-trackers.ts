import type { Store } from "../../../src/tracker/store/store.ts";
import { zebraStore } from "./zebra-store.ts";

/**
 * Two trackers that differ only in what carol may not see: bug 20004, private comments with tags and hours, a private
 * attachment with a flag and its history, and what is personal to others.
 */
export function twoTrackers(): { readonly secretive: Store; readonly open: Store } {
  const open = zebrasOnly();
  open.exec("DELETE FROM bugs WHERE id = 20004; DELETE FROM personal_tags");
  const secretive = zebrasOnly();
  secretive.exec(SECRETS);
  return { secretive, open };
}

/** The zebras without the recorded server's own bugs. */
export function zebrasOnly(): Store {
  const store = zebraStore();
  store.run("DELETE FROM bugs WHERE id < 20000");
  store.run("UPDATE bugs SET assigned_to_id = 5 WHERE id = 20005"); // what dave does is not seen
  return store;
}

const SECRETS = `
INSERT INTO comments (id, bug_id, creator_id, creation_time, text, is_private, work_time) VALUES
  (70001, 20002, 5, '2026-11-20T05:57:50Z', 'secret word', 1, 3),
  (70002, 20003, 5, '2026-11-20T05:57:50Z', 'secret zebra', 1, 0),
  (70003, 20004, 5, '2026-11-20T05:57:50Z', 'secret word', 0, 0);
INSERT INTO comment_tags VALUES (70001, 'secret');
INSERT INTO attachments (id, bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_patch,
  is_private, data, size)
VALUES (900, 20002, 5, '2026-11-20T05:57:50Z', '2026-11-20T05:57:50Z', 'secret.txt', 'secret', 'text/secret', 1, 1, 'c2VjcmV0', 6);
INSERT INTO flags (type_id, bug_id, attachment_id, status, setter_id, requestee_id, creation_date, modification_date)
  SELECT id, 20002, 900, '+', 5, 5, '', '' FROM flag_types WHERE name = 'approval';
INSERT INTO activity (bug_id, user_id, time, field, removed, added, comment_id, attachment_id) VALUES
  (20002, 5, '2026-11-20T05:57:50Z', 'attachments.isobsolete', '0', 'secret', NULL, 900),
  (20002, 5, '2026-11-20T05:57:50Z', 'longdescs.isprivate', '0', 'secret', 70001, NULL),
  (20002, 5, '2026-11-20T05:57:50Z', 'work_time', '0', 'secret', NULL, NULL),
  (20004, 5, '2026-11-20T05:57:50Z', 'priority', 'secret', 'secret', NULL, NULL);
`;
