/** Changes that the recorders made in the server's database between requests, by the statement they ran, said in this tracker's way. */
export const SERVER_CHANGES: Readonly<Record<string, string>> = {
  'insert into status_workflow (old_status,new_status,require_comment) select NULL,id,0 from bug_status where value="RESOLVED"':
    "INSERT INTO status_moves (from_status, to_status) VALUES (NULL, 'RESOLVED')",
  "update status_workflow set require_comment=1 where old_status is NULL":
    "UPDATE status_moves SET comment_required = 1 WHERE from_status IS NULL",
  'update status_workflow set require_comment=1 where new_status=(select id from bug_status where value="VERIFIED")':
    "UPDATE status_moves SET comment_required = 1 WHERE to_status = 'VERIFIED'",
  "insert into tag(id,name,user_id) values (1,'mine',2),(2,'later',2),(3,'bobtag',3); insert into bug_tag(bug_id,tag_id) values (20002,1),(20002,2),(20003,2),(20002,3)":
    "INSERT INTO personal_tags (id, name, user_id) VALUES (1, 'mine', 2), (2, 'later', 2), (3, 'bobtag', 3);" +
    "INSERT INTO bug_tags (bug_id, tag_id) VALUES (20002, 1), (20002, 2), (20003, 2), (20002, 3)",
  "insert into tag(id,name,user_id) values (1,'mine',2),(2,'later',2),(3,'mine',3); insert into bug_tag(bug_id,tag_id) values (20002,1),(20003,2),(20003,3)":
    "INSERT INTO personal_tags (id, name, user_id) VALUES (1, 'mine', 2), (2, 'later', 2), (3, 'mine', 3);" +
    "INSERT INTO bug_tags (bug_id, tag_id) VALUES (20002, 1), (20003, 2), (20003, 3)",
};
