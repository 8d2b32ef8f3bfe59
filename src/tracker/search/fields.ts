import { FIELD_TYPE } from "../bug-fields/custom-fields.ts";
import { Fault, faults } from "../http/fault.ts";
import { isInGroup } from "../users/requester.ts";
import type { SearchableCustomField, SearchContext } from "./context.ts";
import {
  bugItems,
  bugPeople,
  bugPerson,
  optionalBugPerson,
  ownColumn,
  referencedColumn,
  type ValueSource,
} from "./field-source.ts";
import { type Sql, sql } from "./sql.ts";

/** Whether rows may name a field; what this requester may not know of does not exist. */
function isField(asking: SearchContext, name: string): boolean {
  return SPECIAL.has(name) || isVisible(asking, sourceNamed(asking, name));
}

/** Refuses a name that is none of a field. */
export function checkSearchField(asking: SearchContext, name: string): void {
  if (!isField(asking, name)) throw new Fault(400, 108, `Can't use "${name}" as a field name.`);
}

/** Where the values of a field are that rows may name. */
export function fieldSource(asking: SearchContext, name: string): ValueSource {
  checkSearchField(asking, name);
  const source = sourceNamed(asking, name);
  if (!source) throw notComparable(name);
  const { insidergroup } = asking.parameters;
  if (source.restricted === "insiders" && !isInGroup(asking.requester, insidergroup)) {
    throw faults.notInGroup(insidergroup, `search the "${name}" field`);
  }
  return source;
}

/** The names of all fields that rows may name. */
export function searchableFields(asking: SearchContext): readonly string[] {
  return [
    ...Object.keys(SEARCH_FIELDS),
    ...Object.keys(COMPUTED_FIELDS),
    ...SPECIAL,
    ...asking.customFields.keys(),
  ].filter((name) => isField(asking, name));
}

/** The refusal of an operator that a field does not have. */
export function notComparable(name: string): Fault {
  return new Fault(400, 32000, `The "${name}" field cannot be searched with that operator.`);
}

// Fields that have no values of their own; special.ts says what their rows mean.
const SPECIAL: ReadonlySet<string> = new Set(["content", "owner_idle_time"]);

function sourceNamed(asking: SearchContext, name: string): ValueSource | undefined {
  const custom = asking.customFields.get(name);
  if (custom) return customFieldSource(custom);
  return Object.hasOwn(SEARCH_FIELDS, name) ? SEARCH_FIELDS[name] : computedSource(asking, name);
}

function computedSource(asking: SearchContext, name: string): ValueSource | undefined {
  return Object.hasOwn(COMPUTED_FIELDS, name) ? COMPUTED_FIELDS[name]?.(asking) : undefined;
}

function isVisible({ requester, parameters }: SearchContext, source: ValueSource | undefined): boolean {
  return (
    source !== undefined &&
    (source.restricted !== "time trackers" || isInGroup(requester, parameters.timetrackinggroup))
  );
}

/** Every standard field that rows may name, under its chart name, with where its values are. */
export const SEARCH_FIELDS: Readonly<Record<string, ValueSource>> = {
  bug_id: ownColumn(sql`bug.id`, "number"),
  short_desc: ownColumn(sql`bug.summary`),
  bug_status: ownColumn(sql`bug.status`),
  resolution: ownColumn(sql`bug.resolution`),
  version: ownColumn(sql`bug.version`),
  target_milestone: ownColumn(sql`bug.target_milestone`),
  priority: ownColumn(sql`bug.priority`),
  bug_severity: ownColumn(sql`bug.severity`),
  rep_platform: ownColumn(sql`bug.platform`),
  op_sys: ownColumn(sql`bug.op_sys`),
  bug_file_loc: ownColumn(sql`bug.url`),
  status_whiteboard: ownColumn(sql`bug.whiteboard`),
  everconfirmed: ownColumn(sql`bug.is_confirmed`, "number"),
  cclist_accessible: ownColumn(sql`bug.is_cc_accessible`, "number"),
  reporter_accessible: ownColumn(sql`bug.is_creator_accessible`, "number"),
  creation_ts: ownColumn(sql`bug.creation_time`, "moment"),
  delta_ts: ownColumn(sql`bug.last_change_time`, "moment"),
  deadline: ownColumn(sql`coalesce(bug.deadline, '1970-01-01')`, "day"),

  product: referencedColumn(sql`bug.product_id`, sql`products`, sql`thing.name`),
  component: referencedColumn(sql`bug.component_id`, sql`components`, sql`thing.name`),
  classification: referencedColumn(
    sql`bug.product_id`,
    sql`(SELECT products.id, kind.name FROM products JOIN classifications AS kind ON kind.id = products.classification_id)`,
    sql`thing.name`,
  ),

  assigned_to: bugPerson(sql`bug.assigned_to_id`, sql`person.login`, "person"),
  reporter: bugPerson(sql`bug.creator_id`, sql`person.login`, "person"),
  qa_contact: optionalBugPerson(sql`bug.qa_contact_id`, sql`person.login`, "person"),
  assigned_to_realname: bugPerson(sql`bug.assigned_to_id`, sql`person.real_name`, "text"),
  reporter_realname: bugPerson(sql`bug.creator_id`, sql`person.real_name`, "text"),
  qa_contact_realname: optionalBugPerson(sql`bug.qa_contact_id`, sql`person.real_name`, "text"),
  cc: bugPeople(sql`bug_cc`),
  commenter: bugPeople(sql`(SELECT bug_id, creator_id AS user_id FROM visible_comments)`),
  "attachments.submitter": bugPeople(sql`(SELECT bug_id, creator_id AS user_id FROM visible_attachments)`),
  "setters.login_name": bugPeople(sql`(SELECT bug_id, setter_id AS user_id FROM visible_flags)`),
  "requestees.login_name": bugPeople(sql`(SELECT bug_id, requestee_id AS user_id FROM visible_flags)`),

  alias: bugItems(sql`bug_aliases`, sql`item.alias`),
  keywords: bugItems(
    sql`(SELECT bug_id, name FROM bug_keywords JOIN keywords ON keywords.id = keyword_id)`,
    sql`item.name`,
  ),
  bug_group: bugItems(sql`(SELECT bug_id, name FROM bug_groups JOIN groups ON groups.id = group_id)`, sql`item.name`),
  see_also: bugItems(sql`bug_see_also`, sql`item.url`),
  dependson: bugItems(sql`bug_dependencies`, sql`item.depends_on_id`, { kind: "number" }),
  blocked: bugItems(sql`(SELECT depends_on_id AS bug_id, bug_id AS id FROM bug_dependencies)`, sql`item.id`, {
    kind: "number",
  }),
  "flagtypes.name": bugItems(
    sql`(SELECT bug_id, kind.name || flag.status AS name
      FROM visible_flags AS flag JOIN flag_types AS kind ON kind.id = flag.type_id)`,
    sql`item.name`,
  ),
  tag: bugItems(
    sql`(SELECT bug_id, name FROM bug_tags JOIN personal_tags ON personal_tags.id = tag_id
      WHERE personal_tags.user_id = (SELECT user_id FROM viewer))`,
    sql`item.name`,
  ),

  longdesc: bugItems(sql`visible_comments`, sql`item.text`, { key: sql`item.id` }),
  "longdescs.isprivate": bugItems(sql`visible_comments`, sql`item.is_private`, {
    kind: "number",
    restricted: "insiders",
  }),
  comment_tag: bugItems(
    sql`(SELECT bug_id, tag FROM visible_comments JOIN comment_tags ON comment_tags.comment_id = visible_comments.id)`,
    sql`item.tag`,
  ),
  "attachments.description": bugItems(sql`visible_attachments`, sql`item.summary`, { key: sql`item.id` }),
  "attachments.filename": bugItems(sql`visible_attachments`, sql`item.file_name`, { key: sql`item.id` }),
  "attachments.mimetype": bugItems(sql`visible_attachments`, sql`item.content_type`, { key: sql`item.id` }),
  "attachments.ispatch": bugItems(sql`visible_attachments`, sql`item.is_patch`, { kind: "number" }),
  "attachments.isobsolete": bugItems(sql`visible_attachments`, sql`item.is_obsolete`, { kind: "number" }),
  "attachments.isprivate": bugItems(sql`visible_attachments`, sql`item.is_private`, {
    kind: "number",
    restricted: "insiders",
  }),

  "longdescs.count": ownColumn(sql`(SELECT count(*) FROM visible_comments WHERE bug_id = bug.id)`, "number"),
  estimated_time: { ...ownColumn(sql`bug.estimated_time`, "number"), restricted: "time trackers" },
  remaining_time: { ...ownColumn(sql`bug.remaining_time`, "number"), restricted: "time trackers" },
};

/** Fields whose values are worked out when they are asked for, under their chart names. */
export const COMPUTED_FIELDS: Readonly<Record<string, (asking: SearchContext) => ValueSource>> = {
  work_time: () => ({ ...ownColumn(sql`${WORKED}`, "number"), restricted: "time trackers" }),
  percentage_complete: () => ({
    ...ownColumn(
      sql`CAST(coalesce(100.0 * ${WORKED} / nullif(${WORKED} + bug.remaining_time, 0), 0) AS INTEGER)`,
      "number",
    ),
    restricted: "time trackers",
  }),
  days_elapsed: ({ now }) =>
    ownColumn(sql`CAST(julianday(date(${now})) - julianday(date(bug.last_change_time)) AS INTEGER)`, "number"),
  last_visit_ts: () =>
    bugItems(sql`(SELECT bug_id, time FROM last_visits JOIN viewer USING (user_id))`, sql`item.time`, {
      kind: "moment",
    }),
  "attach_data.thedata": () => ({
    ...bugItems(sql`visible_attachments`, sql`item.data`, { key: sql`item.id` }),
    decode: (data) => Buffer.from(data, "base64").toString("utf8"),
  }),
};

/** Where the values of a custom field are. */
function customFieldSource({ id, type }: SearchableCustomField): ValueSource {
  const value = sql`(SELECT value FROM custom_values WHERE field_id = ${id} AND bug_id = bug.id)`;
  return (CUSTOM_SOURCES[type] ?? CUSTOM_TEXT)(value, id);
}

const WORKED = sql`(SELECT round(coalesce(sum(work_time), 0), 5) FROM comments WHERE bug_id = bug.id)`;

type MakeSource = (value: Sql, id: number) => ValueSource;

const CUSTOM_TEXT: MakeSource = (value) => ownColumn(sql`coalesce(${value}, '')`);

const customNumber: MakeSource = (value) => ownColumn(sql`coalesce(CAST(${value} AS INTEGER), 0)`, "number");

const CUSTOM_SOURCES: Readonly<Record<number, MakeSource>> = {
  [FIELD_TYPE.select]: (value) => ownColumn(sql`coalesce(${value}, '---')`),
  [FIELD_TYPE.multiSelect]: (_value, id) =>
    bugItems(sql`(SELECT bug_id, value FROM custom_choices WHERE field_id = ${id})`, sql`item.value`),
  [FIELD_TYPE.dateTime]: (value) => ownColumn(sql`coalesce(${value}, '1970-01-01T00:00:00Z')`, "moment"),
  [FIELD_TYPE.date]: (value) => ownColumn(sql`coalesce(${value}, '1970-01-01')`, "day"),
  [FIELD_TYPE.bugId]: customNumber,
  [FIELD_TYPE.integer]: customNumber,
};
