import { BUG_FIELDS, type WireField } from "../../wire/bug-fields.ts";
import type { ValueTypes } from "../../wire/bug-values.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { type BugField, FIELDS, STORED_FIELDS, type StoredField } from "../fields.ts";
import { Fault, faults } from "../http/fault.ts";
import { isInGroup } from "../http/requester.ts";
import type { SearchableCustomField, SearchContext } from "./context.ts";
import {
  bugItems,
  bugPeople,
  bugPerson,
  fromBug,
  optionalBugPerson,
  ownColumn,
  referencedColumn,
  type ValueKind,
  type ValueSource,
} from "./field-source.ts";
import { bugColumn, type Sql, sql } from "./sql.ts";

/** True if rows may name a field; one that is hidden from the requester does not exist. */
function isSearchField(context: SearchContext, name: string): boolean {
  return SPECIAL.has(name) || isVisibleSource(context, sourceNamed(context, name));
}

/** Refuses a name that is none of a field. */
export function checkSearchField(context: SearchContext, name: string): void {
  if (!isSearchField(context, name)) throw new Fault("invalid_field_name", `Can't use "${name}" as a field name.`);
}

/** Source of the values of a field that rows may name. */
export function fieldSource(context: SearchContext, name: string): ValueSource {
  checkSearchField(context, name);
  const source = sourceNamed(context, name);
  if (!source) throw notComparableFault(name);
  const { insidergroup } = context.parameters;
  if (source.restricted === "insiders" && !isInGroup(context.requester, insidergroup)) {
    throw faults.notInGroup(insidergroup, `search the "${name}" field`);
  }
  return context.lowest === undefined ? source : fromBug(source, context.lowest);
}

/** The names of all fields that rows may name. */
export function searchableFields(context: SearchContext): string[] {
  return [...SEARCH_FIELDS, ...SPECIAL, ...context.customFields.keys()].filter((name) => isSearchField(context, name));
}

/** The refusal of an operator that a field does not have. */
export function notComparableFault(name: string): Fault {
  return new Fault("other", `The "${name}" field cannot be searched with that operator.`);
}

// Fields that have no values of their own; special.ts says what their rows mean.
const SPECIAL: ReadonlySet<string> = new Set([BUG_FIELDS.fulltext.chart, BUG_FIELDS.idle.chart]);

function sourceNamed(context: SearchContext, name: string): ValueSource | undefined {
  const custom = context.customFields.get(name);
  if (custom) return customFieldSource(custom);
  return FIELD_SOURCES.get(name)?.(context);
}

function isVisibleSource({ requester, parameters }: SearchContext, source: ValueSource | undefined): boolean {
  return (
    source !== undefined &&
    (source.restricted !== "time trackers" || isInGroup(requester, parameters.timetrackinggroup))
  );
}

/** Source of the values of a field with a column: the column, or the table it refers to. */
function columnSource({ column, json, family, readers, isOptional }: (typeof STORED_FIELDS)[number]): ValueSource {
  const value = bugColumn(column);
  if (family === "person") return (isOptional ? optionalBugPerson : bugPerson)(value, sql`person.login`, "person");
  if (json === "date") return ownColumn(sql`coalesce(${value}, '1970-01-01')`, "day");
  return { ...ownColumn(value, json && VALUE_KIND_BY_TYPE[json]), ...(readers && { restricted: readers }) };
}

const VALUE_KIND_BY_TYPE: Readonly<Partial<Record<keyof ValueTypes, ValueKind>>> = {
  int: "number",
  double: "number",
  bool: "number",
  datetime: "moment",
};

function realNameSource({ column, isOptional }: (typeof STORED_FIELDS)[number]): ValueSource {
  return (isOptional ? optionalBugPerson : bugPerson)(bugColumn(column), sql`person.real_name`, "text");
}

/** The name of a field that can be searched by and whose values are neither in a column nor somebody's real name. */
type SourcedField = Exclude<
  { [Name in WireField]: (typeof BUG_FIELDS)[Name] extends { family: string } ? Name : never }[WireField],
  Exclude<StoredField, "product" | "component"> | `${string}_name` | "fulltext" | "idle"
>;

/** Sources of the values of comparable fields without a column. */
const SOURCES: Readonly<Record<SourcedField, MakeFieldSource>> = {
  product: () => referencedColumn(sql`bug.product_id`, sql`products`, sql`thing.name`),
  component: () => referencedColumn(sql`bug.component_id`, sql`components`, sql`thing.name`),
  classification: () =>
    referencedColumn(
      sql`bug.product_id`,
      sql`(SELECT products.id, kind.name FROM products JOIN classifications AS kind ON kind.id = products.classification_id)`,
      sql`thing.name`,
    ),
  cc: () => bugPeople(sql`bug_cc`),
  commenter: () => bugPeople(sql`(SELECT bug_id, creator_id AS user_id FROM visible_comments)`),
  attacher: () => bugPeople(sql`(SELECT bug_id, creator_id AS user_id FROM visible_attachments)`),
  setter: () => bugPeople(sql`(SELECT bug_id, setter_id AS user_id FROM visible_flags)`),
  requestee: () => bugPeople(sql`(SELECT bug_id, requestee_id AS user_id FROM visible_flags)`),
  alias: () => comparedRowByRow(bugItems(sql`bug_aliases`, sql`item.alias`)),
  keywords: () =>
    bugItems(sql`(SELECT bug_id, name FROM bug_keywords JOIN keywords ON keywords.id = keyword_id)`, sql`item.name`),
  groups: () =>
    bugItems(sql`(SELECT bug_id, name FROM bug_groups JOIN groups ON groups.id = group_id)`, sql`item.name`),
  see_also: () => bugItems(sql`bug_see_also`, sql`item.url`),
  depends_on: () => bugItems(sql`bug_dependencies`, sql`item.depends_on_id`, { kind: "number" }),
  blocks: () =>
    bugItems(sql`(SELECT depends_on_id AS bug_id, bug_id AS id FROM bug_dependencies)`, sql`item.id`, {
      kind: "number",
    }),
  flags: () =>
    comparedRowByRow(
      bugItems(
        sql`(SELECT bug_id, kind.name || flag.status AS name
      FROM visible_flags AS flag JOIN flag_types AS kind ON kind.id = flag.type_id)`,
        sql`item.name`,
      ),
    ),
  tags: () =>
    bugItems(
      sql`(SELECT bug_id, name FROM bug_tags JOIN personal_tags ON personal_tags.id = tag_id
      WHERE personal_tags.user_id = (SELECT user_id FROM viewer))`,
      sql`item.name`,
    ),
  comment: () => comparedRowByRow(bugItems(sql`visible_comments`, sql`item.text`, { key: sql`item.id` })),
  private_comment: () =>
    bugItems(sql`visible_comments`, sql`item.is_private`, {
      kind: "number",
      restricted: "insiders",
    }),
  comment_tag: () =>
    bugItems(
      sql`(SELECT bug_id, tag FROM visible_comments JOIN comment_tags ON comment_tags.comment_id = visible_comments.id)`,
      sql`item.tag`,
    ),
  attachment_text: () => bugItems(sql`visible_attachments`, sql`item.summary`, { key: sql`item.id` }),
  attachment: () => bugItems(sql`visible_attachments`, sql`item.file_name`, { key: sql`item.id` }),
  attachment_type: () => bugItems(sql`visible_attachments`, sql`item.content_type`, { key: sql`item.id` }),
  patch: () => bugItems(sql`visible_attachments`, sql`item.is_patch`, { kind: "number" }),
  obsolete: () => bugItems(sql`visible_attachments`, sql`item.is_obsolete`, { kind: "number" }),
  private_attachment: () =>
    bugItems(sql`visible_attachments`, sql`item.is_private`, {
      kind: "number",
      restricted: "insiders",
    }),
  comments: () => ownColumn(sql`(SELECT count(*) FROM visible_comments WHERE bug_id = bug.id)`, "number"),
  actual_time: () => ({ ...ownColumn(sql`${WORKED}`, "number"), restricted: "time trackers" }),
  complete: () => ({
    ...ownColumn(
      sql`CAST(coalesce(100.0 * ${WORKED} / nullif(${WORKED} + bug.remaining_time, 0), 0) AS INTEGER)`,
      "number",
    ),
    restricted: "time trackers",
  }),
  days_elapsed: ({ now }) =>
    ownColumn(sql`CAST(julianday(date(${now})) - julianday(date(bug.last_change_time)) AS INTEGER)`, "number"),
  last_visit: () =>
    bugItems(sql`(SELECT bug_id, time FROM last_visits JOIN viewer USING (user_id))`, sql`item.time`, {
      kind: "moment",
    }),
  attachment_data: () => ({
    ...bugItems(sql`visible_attachments`, sql`item.data`, { key: sql`item.id` }),
    decode: (data) => Buffer.from(data, "base64").toString("utf8"),
  }),
};

/** The source with rows of which one alone has to meet `allwords`. */
function comparedRowByRow(source: ValueSource): ValueSource {
  return { ...source, isList: undefined };
}

type MakeFieldSource = (context: SearchContext) => ValueSource;

/** Every standard field that rows may name, under its internal name, with where its values are. */
const FIELD_SOURCES: ReadonlyMap<string, MakeFieldSource> = new Map(
  FIELDS.flatMap((field) => {
    const make = field.family && findFieldSource(field);
    return make ? [[field.chart, make] as const] : [];
  }),
);

function findFieldSource(field: BugField): MakeFieldSource | undefined {
  const person = STORED_FIELDS.find(({ name }) => name === field.nameOf);
  if (person) return () => realNameSource(person);
  if (Object.hasOwn(SOURCES, field.name)) return SOURCES[field.name as keyof typeof SOURCES];
  const stored = STORED_FIELDS.find(({ name }) => name === field.name);
  return stored && (() => columnSource(stored));
}

/** The names of the standard fields that rows may name, under their internal names. */
export const SEARCH_FIELDS: readonly string[] = [...FIELD_SOURCES.keys()];

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
