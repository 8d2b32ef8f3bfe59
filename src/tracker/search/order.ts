import { FIELD_TYPE } from "../bug-fields/custom-fields.ts";
import { type Condition, criteriaOf } from "./condition.ts";
import type { ParameterValues, SearchContext } from "./context.ts";
import { fieldSource } from "./fields.ts";
import { relevanceWeights } from "./fulltext.ts";
import { commaList, type Sql, sql } from "./sql.ts";

/**
 * The order that `order=` asks for: a comma list of columns, each with ASC or DESC; then by id. Names of no column have no
 * effect, and neither has a repeated parameter.
 */
export function readSortOrder(asking: SearchContext, values: ParameterValues, where: Condition): Sql {
  const [text = "", second] = values.get("order") ?? [];
  if (second !== undefined) {
    asking.ignore("order", "it can be given once; separate columns by commas");
    return sql`bug.id`;
  }
  const keys = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => readPart(asking, part, where));
  return commaList([...keys, sql`bug.id`]);
}

function readPart(asking: SearchContext, part: string, where: Condition): readonly Sql[] {
  const [, name = "", direction] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(part) ?? [];
  const keys = keysOf(asking, OLD_NAMES.get(name) ?? name.replace(/^bugs\./, ""), where);
  if (keys.length === 0) asking.ignore("order", `'${part}' is no column to sort by`);
  return direction?.toUpperCase() === "DESC" ? keys.map((key) => sql`${key} DESC`) : keys;
}

const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ["bugs.creation_ts", "opendate"],
  ["bugs.delta_ts", "changeddate"],
]);

function keysOf(asking: SearchContext, column: string, where: Condition): readonly Sql[] {
  if (column === "relevance") {
    const texts = criteriaOf(where).flatMap(({ field, text }) => (field === "content" ? [text] : []));
    return texts.length === 0 ? [] : [sql`(SELECT weight FROM ${relevanceWeights(texts)} WHERE bug_id = bug.id)`];
  }
  const custom = asking.custom.get(column);
  if (custom) return customKeys(asking, column);
  const key = Object.hasOwn(COLUMNS, column) ? COLUMNS[column] : undefined;
  return key?.(asking) ?? [];
}

type Keys = (asking: SearchContext) => readonly Sql[];

function by(...keys: readonly Sql[]): Keys {
  return () => keys;
}

/** By the sort keys of the legal values, then by name. */
function ranked(field: string, value: Sql): Keys {
  return () => [rank(field, value), value];
}

function rank(field: string, value: Sql): Sql {
  return sql`(
  SELECT sort_key FROM field_values
  WHERE field_id = (SELECT id FROM fields WHERE name = ${field}) AND field_values.name = ${value})`;
}

/** By the values that rows compare; nothing when the requester may not know them. */
function compared(field: string): Keys {
  return (asking) => {
    const isHidden = !asking.requester.groups.has(asking.parameters.timetrackinggroup);
    return isHidden ? [] : [fieldSource(asking, field).value];
  };
}

function loginOf(user: Sql): Sql {
  return sql`(SELECT login FROM users WHERE id = ${user})`;
}

function realNameOf(user: Sql): Sql {
  return sql`(SELECT real_name FROM users WHERE id = ${user})`;
}

const PRODUCT = sql`(SELECT name FROM products WHERE id = bug.product_id)`;

function customKeys(asking: SearchContext, name: string): readonly Sql[] {
  const type = asking.custom.get(name)?.type;
  if (type === FIELD_TYPE.multiSelect) return [];
  const { value } = fieldSource(asking, name);
  return type === FIELD_TYPE.select ? [rank(name, value), value] : [value];
}

/** The columns that bugs can be sorted by, under the names that `order` takes. */
const COLUMNS: Readonly<Record<string, Keys>> = {
  bug_id: by(sql`bug.id`),
  short_desc: by(sql`bug.summary`),
  bug_status: ranked("bug_status", sql`bug.status`),
  resolution: ranked("resolution", sql`bug.resolution`),
  priority: ranked("priority", sql`bug.priority`),
  bug_severity: ranked("bug_severity", sql`bug.severity`),
  rep_platform: ranked("rep_platform", sql`bug.platform`),
  op_sys: ranked("op_sys", sql`bug.op_sys`),
  product: by(PRODUCT),
  component: by(sql`(SELECT name FROM components WHERE id = bug.component_id)`),
  classification: by(sql`(
    SELECT classifications.name FROM products JOIN classifications ON classifications.id = classification_id
    WHERE products.id = bug.product_id)`),
  version: by(sql`bug.version`),
  target_milestone: by(
    sql`(SELECT sort_key FROM milestones WHERE product_id = bug.product_id AND name = bug.target_milestone)`,
    sql`bug.target_milestone`,
  ),
  assigned_to: by(loginOf(sql`bug.assigned_to_id`)),
  assigned_to_realname: by(realNameOf(sql`bug.assigned_to_id`)),
  reporter: by(loginOf(sql`bug.creator_id`)),
  reporter_realname: by(realNameOf(sql`bug.creator_id`)),
  qa_contact: by(loginOf(sql`bug.qa_contact_id`)),
  qa_contact_realname: by(realNameOf(sql`bug.qa_contact_id`)),
  opendate: by(sql`bug.creation_time`),
  changeddate: by(sql`bug.last_change_time`),
  deadline: by(sql`bug.deadline`),
  bug_file_loc: by(sql`bug.url`),
  status_whiteboard: by(sql`bug.whiteboard`),
  "longdescs.count": (asking) => [fieldSource(asking, "longdescs.count").value],
  estimated_time: compared("estimated_time"),
  remaining_time: compared("remaining_time"),
  actual_time: compared("work_time"),
  percentage_complete: compared("percentage_complete"),
};

/** The names of all columns that bugs can be sorted by, without those of custom fields. */
export const SORT_COLUMNS: readonly string[] = [...Object.keys(COLUMNS), "relevance"];
