import { sql } from "../sql.ts";
import { list, own, people, person, personOrNobody, referred, type Source } from "./source.ts";

/** Every standard field that rows may name, under its chart name, with where its values are. */
export const FIELDS: Readonly<Record<string, Source>> = {
  bug_id: own(sql`bug.id`, "number"),
  short_desc: own(sql`bug.summary`),
  bug_status: own(sql`bug.status`),
  resolution: own(sql`bug.resolution`),
  version: own(sql`bug.version`),
  target_milestone: own(sql`bug.target_milestone`),
  priority: own(sql`bug.priority`),
  bug_severity: own(sql`bug.severity`),
  rep_platform: own(sql`bug.platform`),
  op_sys: own(sql`bug.op_sys`),
  bug_file_loc: own(sql`bug.url`),
  status_whiteboard: own(sql`bug.whiteboard`),
  everconfirmed: own(sql`bug.is_confirmed`, "number"),
  cclist_accessible: own(sql`bug.is_cc_accessible`, "number"),
  reporter_accessible: own(sql`bug.is_creator_accessible`, "number"),
  creation_ts: own(sql`bug.creation_time`, "moment"),
  delta_ts: own(sql`bug.last_change_time`, "moment"),
  deadline: own(sql`coalesce(bug.deadline, '1970-01-01')`, "day"),

  product: referred(sql`bug.product_id`, sql`products`, sql`thing.name`),
  component: referred(sql`bug.component_id`, sql`components`, sql`thing.name`),
  classification: referred(
    sql`bug.product_id`,
    sql`(SELECT products.id, kind.name FROM products JOIN classifications AS kind ON kind.id = products.classification_id)`,
    sql`thing.name`,
  ),

  assigned_to: person(sql`bug.assigned_to_id`, sql`person.login`, "person"),
  reporter: person(sql`bug.creator_id`, sql`person.login`, "person"),
  qa_contact: personOrNobody(sql`bug.qa_contact_id`, sql`person.login`, "person"),
  assigned_to_realname: person(sql`bug.assigned_to_id`, sql`person.real_name`, "text"),
  reporter_realname: person(sql`bug.creator_id`, sql`person.real_name`, "text"),
  qa_contact_realname: personOrNobody(sql`bug.qa_contact_id`, sql`person.real_name`, "text"),
  cc: people(sql`bug_cc`),
  commenter: people(sql`(SELECT bug_id, creator_id AS user_id FROM visible_comments)`),
  "attachments.submitter": people(sql`(SELECT bug_id, creator_id AS user_id FROM visible_attachments)`),
  "setters.login_name": people(sql`(SELECT bug_id, setter_id AS user_id FROM visible_flags)`),
  "requestees.login_name": people(sql`(SELECT bug_id, requestee_id AS user_id FROM visible_flags)`),

  alias: list(sql`bug_aliases`, sql`item.alias`),
  keywords: list(
    sql`(SELECT bug_id, name FROM bug_keywords JOIN keywords ON keywords.id = keyword_id)`,
    sql`item.name`,
  ),
  bug_group: list(sql`(SELECT bug_id, name FROM bug_groups JOIN groups ON groups.id = group_id)`, sql`item.name`),
  see_also: list(sql`bug_see_also`, sql`item.url`),
  dependson: list(sql`bug_dependencies`, sql`item.depends_on_id`, { kind: "number" }),
  blocked: list(sql`(SELECT depends_on_id AS bug_id, bug_id AS id FROM bug_dependencies)`, sql`item.id`, {
    kind: "number",
  }),
  "flagtypes.name": list(
    sql`(SELECT bug_id, kind.name || flag.status AS name
      FROM visible_flags AS flag JOIN flag_types AS kind ON kind.id = flag.type_id)`,
    sql`item.name`,
  ),
  tag: list(
    sql`(SELECT bug_id, name FROM bug_tags JOIN personal_tags ON personal_tags.id = tag_id
      WHERE personal_tags.user_id = (SELECT user_id FROM viewer))`,
    sql`item.name`,
  ),

  longdesc: list(sql`visible_comments`, sql`item.text`, { key: sql`item.id` }),
  "longdescs.isprivate": list(sql`visible_comments`, sql`item.is_private`, { kind: "number", restricted: "insiders" }),
  comment_tag: list(
    sql`(SELECT bug_id, tag FROM visible_comments JOIN comment_tags ON comment_tags.comment_id = visible_comments.id)`,
    sql`item.tag`,
  ),
  "attachments.description": list(sql`visible_attachments`, sql`item.summary`, { key: sql`item.id` }),
  "attachments.filename": list(sql`visible_attachments`, sql`item.file_name`, { key: sql`item.id` }),
  "attachments.mimetype": list(sql`visible_attachments`, sql`item.content_type`, { key: sql`item.id` }),
  "attachments.ispatch": list(sql`visible_attachments`, sql`item.is_patch`, { kind: "number" }),
  "attachments.isobsolete": list(sql`visible_attachments`, sql`item.is_obsolete`, { kind: "number" }),
  "attachments.isprivate": list(sql`visible_attachments`, sql`item.is_private`, {
    kind: "number",
    restricted: "insiders",
  }),

  "longdescs.count": own(sql`(SELECT count(*) FROM visible_comments WHERE bug_id = bug.id)`, "number"),
  estimated_time: { ...own(sql`bug.estimated_time`, "number"), restricted: "time trackers" },
  remaining_time: { ...own(sql`bug.remaining_time`, "number"), restricted: "time trackers" },
};
