import type { ValueTypes, WireField } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { CustomFieldRow } from "../bug-fields/values.ts";
import { type BugField, FIELDS, STORED_FIELDS } from "../fields.ts";
import { isInGroup } from "../http/call.ts";
import { Fault, faults } from "../values.ts";
import type { SearchContext } from "./condition.ts";
import { bugColumn, type Sql, sql } from "./sql.ts";

/** Type of a field's values, which decides how they are compared. */
export type ValueKind = "text" | "number" | "moment" | "day" | "person";

/** SQL source of a field's values: a test is about a row of `from`, which `link` joins to the bug. */
export type ValueSource = {
  readonly kind: ValueKind;
  readonly value: Sql; // the value compared
  readonly from: Sql; // rows visible to the requester
  readonly key: Sql; // identifies the row
  readonly link?: { readonly bugKey: Sql; readonly rowKey: Sql }; // equal for the rows of a bug
  readonly isSet?: Sql; // test of a row that counts as set; default: all do
  readonly isList?: true; // several rows together may meet `allwords`
  readonly readers?: "insiders" | "time trackers"; // others get fault 304, or 108 as for an unknown field
};

/** @throws Fault invalid_field_name, auth_failure, or other for a field without values */
export function fieldSource(context: SearchContext, name: string): ValueSource {
  checkSearchField(context, name);
  const source = findSource(context, name);
  if (!source) throw notComparableFault(name);
  const { insidergroup } = context.parameters;
  if (source.readers === "insiders" && !isInGroup(context.requester, insidergroup))
    throw faults.notInGroup(insidergroup, `search the "${name}" field`);
  return source;
}

/** @throws Fault invalid_field_name if the requester cannot search by a field of this name */
export function checkSearchField(context: SearchContext, name: string): void {
  if (!isSearchField(context, name)) throw new Fault("invalid_field_name", `Can't use "${name}" as a field name.`);
}

/** True if the requester can search by this field; others than its readers cannot. */
export function isSearchField(context: SearchContext, name: string): boolean {
  const source = findSource(context, name);
  if (source?.readers === "time trackers") return isInGroup(context.requester, context.parameters.timetrackinggroup);
  return source !== undefined || SPECIAL_FIELDS.includes(name);
}

/** Chart names of all fields that the requester can search by. */
export function searchableFields(context: SearchContext): string[] {
  const names = [...SEARCH_FIELDS, ...SPECIAL_FIELDS, ...context.customFields.keys()];
  return names.filter((name) => isSearchField(context, name));
}

/** Fault for an operator that a field does not have. */
export function notComparableFault(name: string): Fault {
  return new Fault("other", `The "${name}" field cannot be searched with that operator.`);
}

// Fields without values to compare; compile.ts has their tests.
const SPECIAL_FIELDS = ["content", "owner_idle_time"];

function findSource({ customFields, now }: SearchContext, name: string): ValueSource | undefined {
  const custom = customFields.get(name);
  if (custom) return customFieldSource(custom);
  return name === "days_elapsed" ? daysElapsed(now) : SOURCES_BY_CHART.get(name);
}

/** Source of a column of the bug itself, or of a value computed from it. */
function columnOfBug(value: Sql, kind: ValueKind = "text"): ValueSource {
  const isSet = sql`${value} <> ${UNSET[kind]}`;
  return { kind, value, from: sql`visible_bugs AS bug`, key: sql`bug.id`, isSet };
}

// The values that compare as "not set", by kind.
const UNSET_DAY = "1970-01-01";
const UNSET_MOMENT = "1970-01-01T00:00:00Z";
const UNSET = { text: "", person: "", number: 0, day: UNSET_DAY, moment: UNSET_MOMENT } as const;

/** Source of a value of the row `target` of a table, whose id the bug's column `foreignKey` has. */
function rowOfForeignKey(foreignKey: Sql, table: Sql, value: Sql, kind: ValueKind = "text"): ValueSource {
  const key = sql`target.id`;
  return { kind, value, from: sql`${table} AS target`, key, link: { bugKey: foreignKey, rowKey: key } };
}

/** Source of a column of the user in a role; nobody in an optional role compares as "". */
function personInRole({ column, isOptional }: (typeof STORED_FIELDS)[number], value: Sql, kind: ValueKind) {
  const userId = bugColumn(column);
  return isOptional
    ? { ...rowOfForeignKey(sql`coalesce(${userId}, 0)`, USERS_AND_NOBODY, value, kind), isSet: sql`target.id <> 0` }
    : rowOfForeignKey(userId, sql`users`, value, kind);
}

const USERS_AND_NOBODY = sql`(SELECT id, login, real_name FROM users UNION ALL SELECT 0, '', '')`;

/** Source of rows `item` with `bug_id`, compared one by one. The value is the key by default. */
function rowsOfBug(rows: Sql, value: Sql, overrides: Partial<ValueSource> = {}): ValueSource {
  const link = { bugKey: sql`bug.id`, rowKey: sql`item.bug_id` };
  return { kind: "text", value, from: sql`${rows} AS item`, key: value, link, ...overrides };
}

/** As `rowsOfBug`, for items of a list: several together may meet `allwords`. */
function listOfBug(rows: Sql, value: Sql, overrides: Partial<ValueSource> = {}): ValueSource {
  return rowsOfBug(rows, value, { isList: true, ...overrides });
}

/** Source of the users in a role with several users; `rows` has `bug_id` and `user_id`. */
function peopleOfBug(rows: Sql): ValueSource {
  const from = sql`${rows} AS item JOIN users AS target ON target.id = item.user_id`;
  return rowsOfBug(rows, sql`target.login`, { kind: "person", from, key: sql`target.id` });
}

function attachmentsOfBug(value: Sql, overrides: Partial<ValueSource> = {}): ValueSource {
  return listOfBug(sql`visible_attachments`, value, { key: sql`item.id`, ...overrides });
}

function daysElapsed(now: string): ValueSource {
  const days = sql`CAST(julianday(date(${now})) - julianday(date(bug.last_change_time)) AS INTEGER)`;
  return columnOfBug(days, "number");
}

const WORKED = sql`(SELECT round(coalesce(sum(work_time), 0), 5) FROM comments WHERE bug_id = bug.id)`;
const COMPLETE = sql`CAST(coalesce(100.0 * ${WORKED} / nullif(${WORKED} + bug.remaining_time, 0), 0) AS INTEGER)`;

/** Sources of the comparable fields that have no column in the table of bugs. */
const SOURCES: Readonly<Partial<Record<WireField, ValueSource>>> = {
  product: rowOfForeignKey(sql`bug.product_id`, sql`products`, sql`target.name`),
  component: rowOfForeignKey(sql`bug.component_id`, sql`components`, sql`target.name`),
  classification: rowOfForeignKey(
    sql`bug.product_id`,
    sql`(SELECT products.id, kind.name FROM products JOIN classifications AS kind ON kind.id = classification_id)`,
    sql`target.name`,
  ),
  cc: peopleOfBug(sql`bug_cc`),
  commenter: peopleOfBug(sql`(SELECT bug_id, creator_id AS user_id FROM visible_comments)`),
  attacher: peopleOfBug(sql`(SELECT bug_id, creator_id AS user_id FROM visible_attachments)`),
  setter: peopleOfBug(sql`(SELECT bug_id, setter_id AS user_id FROM visible_flags)`),
  requestee: peopleOfBug(sql`(SELECT bug_id, requestee_id AS user_id FROM visible_flags)`),
  alias: rowsOfBug(sql`bug_aliases`, sql`item.alias`),
  keywords: listOfBug(
    sql`(SELECT bug_id, name FROM bug_keywords JOIN keywords ON keywords.id = keyword_id)`,
    sql`item.name`,
  ),
  groups: listOfBug(sql`(SELECT bug_id, name FROM bug_groups JOIN groups ON groups.id = group_id)`, sql`item.name`),
  see_also: listOfBug(sql`bug_see_also`, sql`item.url`),
  depends_on: listOfBug(sql`bug_dependencies`, sql`item.depends_on_id`, { kind: "number" }),
  blocks: listOfBug(sql`(SELECT depends_on_id AS bug_id, bug_id AS id FROM bug_dependencies)`, sql`item.id`, {
    kind: "number",
  }),
  flags: rowsOfBug(
    sql`(SELECT bug_id, kind.name || flag.status AS name
      FROM visible_flags AS flag JOIN flag_types AS kind ON kind.id = flag.type_id)`,
    sql`item.name`,
  ),
  tags: listOfBug(
    sql`(SELECT bug_id, name FROM bug_tags JOIN personal_tags ON personal_tags.id = tag_id
      WHERE personal_tags.user_id = (SELECT user_id FROM viewer))`,
    sql`item.name`,
  ),
  comment: rowsOfBug(sql`visible_comments`, sql`item.text`, { key: sql`item.id` }),
  private_comment: listOfBug(sql`visible_comments`, sql`item.is_private`, { kind: "number", readers: "insiders" }),
  comment_tag: listOfBug(
    sql`(SELECT bug_id, tag FROM visible_comments JOIN comment_tags ON comment_tags.comment_id = visible_comments.id)`,
    sql`item.tag`,
  ),
  attachment_text: attachmentsOfBug(sql`item.summary`),
  attachment: attachmentsOfBug(sql`item.file_name`),
  attachment_type: attachmentsOfBug(sql`item.content_type`),
  patch: attachmentsOfBug(sql`item.is_patch`, { kind: "number" }),
  obsolete: attachmentsOfBug(sql`item.is_obsolete`, { kind: "number" }),
  private_attachment: attachmentsOfBug(sql`item.is_private`, { kind: "number", readers: "insiders" }),
  comments: columnOfBug(sql`(SELECT count(*) FROM visible_comments WHERE bug_id = bug.id)`, "number"),
  actual_time: { ...columnOfBug(WORKED, "number"), readers: "time trackers" },
  complete: { ...columnOfBug(COMPLETE, "number"), readers: "time trackers" },
  days_elapsed: daysElapsed(""), // findSource makes it anew, with the time of the search
};

/** The source of a field: its own, or a column, which has its value or the person that it names. */
function standardSource({ name, nameOf }: BugField): ValueSource | undefined {
  const stored = STORED_FIELDS.find((field) => field.name === (nameOf ?? name));
  if (SOURCES[name] || !stored) return SOURCES[name];
  if (nameOf) return personInRole(stored, sql`target.real_name`, "text");
  if (stored.family === "person") return personInRole(stored, sql`target.login`, "person");
  const value = bugColumn(stored.column);
  if (stored.json === "date") return columnOfBug(sql`coalesce(${value}, ${UNSET_DAY})`, "day");
  return {
    ...columnOfBug(value, stored.json && KINDS_BY_TYPE[stored.json]),
    ...(stored.readers && { readers: stored.readers }),
  };
}

const KINDS_BY_TYPE: Readonly<Partial<Record<keyof ValueTypes, ValueKind>>> = {
  int: "number",
  double: "number",
  bool: "number",
  datetime: "moment",
};

/** The sources of all comparable standard fields, by chart name. */
const SOURCES_BY_CHART: ReadonlyMap<string, ValueSource> = new Map(
  FIELDS.flatMap((field) => {
    const source = field.family && standardSource(field);
    return source ? [[field.chart, source] as const] : [];
  }),
);

/** Chart names of all comparable standard fields. */
export const SEARCH_FIELDS: readonly string[] = [...SOURCES_BY_CHART.keys()];

function customFieldSource({ id, type }: CustomFieldRow): ValueSource {
  if (type === FIELD_TYPE.multiSelect) {
    return listOfBug(sql`(SELECT bug_id, value FROM custom_choices WHERE field_id = ${id})`, sql`item.value`);
  }
  const value = sql`(SELECT value FROM custom_values WHERE field_id = ${id} AND bug_id = bug.id)`;
  if (type === FIELD_TYPE.bugId || type === FIELD_TYPE.integer)
    return columnOfBug(sql`coalesce(CAST(${value} AS INTEGER), 0)`, "number");
  const [unset, kind] = CUSTOM_KINDS[type] ?? ["", "text"];
  return columnOfBug(sql`coalesce(${value}, ${unset})`, kind);
}

/** The value that compares as "not set", and the kind, of custom fields that are no plain text. */
const CUSTOM_KINDS: Readonly<Record<number, readonly [unset: string, ValueKind]>> = {
  [FIELD_TYPE.select]: ["---", "text"],
  [FIELD_TYPE.dateTime]: [UNSET_MOMENT, "moment"],
  [FIELD_TYPE.date]: [UNSET_DAY, "day"],
};
