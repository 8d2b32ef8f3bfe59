/**
 * SQL of the temporary views of what the requester may see; queries about bugs, comments or history read these, never the
 * tables below. `viewer` has one row, `viewer_groups` the requester's groups. The CROSS JOIN has SQLite read bugs in the order
 * of an index, such as that of their last changes, and not sort all of them for each row of `viewer`.
 */
export const VISIBLE_VIEWS = `
CREATE TEMP TABLE viewer (
  user_id INTEGER NOT NULL,                        -- 0: nobody is logged in
  is_insider INTEGER NOT NULL,
  is_time_tracker INTEGER NOT NULL,
  has_qa_contacts INTEGER NOT NULL                 -- the tracker uses QA contacts at all
);
CREATE TEMP TABLE viewer_groups (group_id INTEGER PRIMARY KEY);

CREATE TEMP VIEW visible_bugs AS
SELECT bugs.* FROM bugs CROSS JOIN viewer
WHERE NOT EXISTS (
    SELECT 1 FROM bug_groups
    WHERE bug_groups.bug_id = bugs.id AND bug_groups.group_id NOT IN (SELECT group_id FROM viewer_groups))
  OR bugs.assigned_to_id = viewer.user_id
  OR (viewer.has_qa_contacts AND bugs.qa_contact_id = viewer.user_id)
  OR (bugs.is_creator_accessible AND bugs.creator_id = viewer.user_id)
  OR (bugs.is_cc_accessible AND EXISTS (
    SELECT 1 FROM bug_cc WHERE bug_cc.bug_id = bugs.id AND bug_cc.user_id = viewer.user_id));

CREATE TEMP VIEW visible_comments AS
SELECT comments.* FROM comments, viewer
WHERE (comments.is_private = 0 OR viewer.is_insider)
  AND comments.bug_id IN (SELECT id FROM visible_bugs WHERE visible_bugs.id = comments.bug_id);

CREATE TEMP VIEW visible_attachments AS
SELECT attachments.* FROM attachments, viewer
WHERE (attachments.is_private = 0 OR viewer.is_insider)
  AND attachments.bug_id IN (SELECT id FROM visible_bugs WHERE visible_bugs.id = attachments.bug_id);

CREATE TEMP VIEW visible_flags AS
SELECT flags.* FROM flags, viewer
WHERE (flags.attachment_id IS NULL OR viewer.is_insider
    OR flags.attachment_id NOT IN (SELECT id FROM attachments WHERE is_private = 1))
  AND flags.bug_id IN (SELECT id FROM visible_bugs WHERE visible_bugs.id = flags.bug_id);

CREATE TEMP VIEW visible_activity AS
SELECT activity.* FROM activity, viewer
WHERE (activity.field NOT IN ('estimated_time', 'remaining_time', 'work_time') OR viewer.is_time_tracker)
  AND (viewer.is_insider OR activity.attachment_id IS NULL
    OR activity.attachment_id NOT IN (SELECT id FROM attachments WHERE is_private = 1))
  AND (viewer.is_insider OR activity.comment_id IS NULL
    OR activity.comment_id NOT IN (SELECT id FROM comments WHERE is_private = 1))
  AND activity.bug_id IN (SELECT id FROM visible_bugs WHERE visible_bugs.id = activity.bug_id);
`;
