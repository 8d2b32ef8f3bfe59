import { FIELD_TYPE } from "../bug-fields/custom-fields.ts";
import { type Condition, criteriaOf } from "./condition.ts";
import type { ParameterValues, SearchContext } from "./context.ts";
import { fieldSource } from "./fields.ts";
import { relevanceWeights } from "./fulltext.ts";
import { commaList, type Sql, sql } from "./sql.ts";

/**
 * SQL of `order=`: comma-separated columns, each with optional ASC or DESC, then id. Unknown columns and repeated
 * parameters are ignored.
 */
export function readSortOrder(context: SearchContext, values: ParameterValues, condition: Condition): Sql {
  const [text = "", second] = values.get("order") ?? [];
  if (second !== undefined) {
    context.reportIgnored("order", "it can be given once; separate columns by commas");
    return sql`bug.id`;
  }
  const keys = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => readPart(context, part, condition));
  return commaList([...keys, sql`bug.id`]);
}

function readPart(context: SearchContext, part: string, condition: Condition): readonly Sql[] {
  const [, name = "", direction] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(part) ?? [];
  const keys = keysOf(context, OLD_NAMES.get(name) ?? name.replace(/^bugs\./, ""), condition);
  if (keys.length === 0) context.reportIgnored("order", `'${part}' is no column to sort by`);
  return direction?.toUpperCase() === "DESC" ? keys.map((key) => sql`${key} DESC`) : keys;
}

const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ["bugs.creation_ts", "opendate"],
  ["bugs.delta_ts", "changeddate"],
]);

function keysOf(context: SearchContext, column: string, condition: Condition): readonly Sql[] {
  if (column === "relevance") {
    const texts = criteriaOf(condition).flatMap(({ field, text }) => (field === "content" ? [text] : []));
    return texts.length === 0 ? [] : [sql`(SELECT weight FROM ${relevanceWeights(texts)} WHERE bug_id = bug.id)`];
  }
  const customField = context.customFields.get(column);
  if (customField) return customKeys(context, column);
  const key = Object.hasOwn(COLUMNS, column) ? COLUMNS[column] : undefined;
  return key?.(context) ?? [];
}

type SortKeys = (context: SearchContext) => readonly Sql[];

function sortBy(...keys: readonly Sql[]): SortKeys {
  return () => keys;
}

/** Sorts by the sort key of the legal value, then by name. */
function sortByRank(field: string, value: Sql): SortKeys {
  return () => [rank(field, value), value];
}

function rank(field: string, value: Sql): Sql {
  return sql`(
  SELECT sort_key FROM field_values
  WHERE field_id = (SELECT id FROM fields WHERE name = ${field}) AND field_values.name = ${value})`;
}

/** Sorts by the value that criteria compare; ignored outside the time-tracking group. */
function sortByTimeField(field: string): SortKeys {
  return (context) => {
    const isHidden = !context.requester.groups.has(context.parameters.timetrackinggroup);
    return isHidden ? [] : [fieldSource(context, field).value];
  };
}

function loginOf(user: Sql): Sql {
  return sql`(SELECT login FROM users WHERE id = ${user})`;
}

function realNameOf(user: Sql): Sql {
  return sql`(SELECT real_name FROM users WHERE id = ${user})`;
}

const PRODUCT = sql`(SELECT name FROM products WHERE id = bug.product_id)`;

function customKeys(context: SearchContext, name: string): readonly Sql[] {
  const type = context.customFields.get(name)?.type;
  if (type === FIELD_TYPE.multiSelect) return [];
  const { value } = fieldSource(context, name);
  return type === FIELD_TYPE.select ? [rank(name, value), value] : [value];
}

/** Sort keys by column name of `order`. */
const COLUMNS: Readonly<Record<string, SortKeys>> = {
  bug_id: sortBy(sql`bug.id`),
  short_desc: sortBy(sql`bug.summary`),
  bug_status: sortByRank("bug_status", sql`bug.status`),
  resolution: sortByRank("resolution", sql`bug.resolution`),
  priority: sortByRank("priority", sql`bug.priority`),
  bug_severity: sortByRank("bug_severity", sql`bug.severity`),
  rep_platform: sortByRank("rep_platform", sql`bug.platform`),
  op_sys: sortByRank("op_sys", sql`bug.op_sys`),
  product: sortBy(PRODUCT),
  component: sortBy(sql`(SELECT name FROM components WHERE id = bug.component_id)`),
  classification: sortBy(sql`(
    SELECT classifications.name FROM products JOIN classifications ON classifications.id = classification_id
    WHERE products.id = bug.product_id)`),
  version: sortBy(sql`bug.version`),
  target_milestone: sortBy(
    sql`(SELECT sort_key FROM milestones WHERE product_id = bug.product_id AND name = bug.target_milestone)`,
    sql`bug.target_milestone`,
  ),
  assigned_to: sortBy(loginOf(sql`bug.assigned_to_id`)),
  assigned_to_realname: sortBy(realNameOf(sql`bug.assigned_to_id`)),
  reporter: sortBy(loginOf(sql`bug.creator_id`)),
  reporter_realname: sortBy(realNameOf(sql`bug.creator_id`)),
  qa_contact: sortBy(loginOf(sql`bug.qa_contact_id`)),
  qa_contact_realname: sortBy(realNameOf(sql`bug.qa_contact_id`)),
  opendate: sortBy(sql`bug.creation_time`),
  changeddate: sortBy(sql`bug.last_change_time`),
  deadline: sortBy(sql`bug.deadline`),
  bug_file_loc: sortBy(sql`bug.url`),
  status_whiteboard: sortBy(sql`bug.whiteboard`),
  "longdescs.count": (context) => [fieldSource(context, "longdescs.count").value],
  estimated_time: sortByTimeField("estimated_time"),
  remaining_time: sortByTimeField("remaining_time"),
  actual_time: sortByTimeField("work_time"),
  percentage_complete: sortByTimeField("percentage_complete"),
};

/** Names of all sort columns except custom fields. */
export const SORT_COLUMNS: readonly string[] = [...Object.keys(COLUMNS), "relevance"];
