import type { GroupedBugs, JsonObject } from "../../wire/exchange.ts";
import { customFieldRows, isMultiSelect } from "../bug-fields/custom-fields.ts";
import { LIST_FIELDS, listOfBug } from "../bugs/columns.ts";
import { FIELDS } from "../fields.ts";
import type { Call } from "../http/call.ts";
import { bugColumn, commaList, type Sql, sql, trustedSql } from "./sql.ts";

/** Maximum number of groups; more are hardly fewer than bugs, which are read page by page. */
const MAX_GROUPS = 5000;

/** The bugs that match, grouped by what is stored for fields: of each group its newest, as Get Bug shows it. */
export function groupBugs(
  call: Call,
  fields: readonly string[],
  where: Sql,
  show: (ids: number[]) => JsonObject[],
): GroupedBugs {
  const keys = fields.map((name) => keyOf(call, name));
  const known = keys.filter((key) => key !== undefined);
  if (known.length < keys.length) return NOT_GROUPED;
  const groups = readGroups(call, known, where);
  if (groups.length > MAX_GROUPS) return NOT_GROUPED;
  return { bugs: show(groups.map(({ id }) => id)), counts: groups.map(({ count }) => count) };
}

const NOT_GROUPED: GroupedBugs = { bugs: [], counts: null };

type Group = { id: number; count: number };

function readGroups({ store }: Call, keys: Sql[], where: Sql): readonly Group[] {
  const groups = keys.length === 0 ? sql`HAVING count(*) > 0` : sql`GROUP BY ${commaList(keys)}`;
  const query = sql`SELECT max(bug.id) AS id, count(*) AS count FROM visible_bugs AS bug WHERE ${where} ${groups}
    ORDER BY 1 DESC LIMIT ${MAX_GROUPS + 1}`;
  return store.all<Group>(query.text, query.values);
}

/** Expression on which the shown value of a field depends alone; undefined for a field whose values are not stored as such. */
function keyOf(call: Call, name: string): Sql | undefined {
  const custom = customFieldRows(call.store).find((field) => field.name === name);
  if (custom) return isMultiSelect(custom) ? choicesKey(custom.id) : valueKey(custom.id);
  const column = FIELDS.find((field) => field.name === name)?.column;
  return column === undefined ? KEYS.get(name) : sql`${bugColumn(column)} COLLATE BINARY`;
}

function valueKey(id: number): Sql {
  return sql`(SELECT value FROM custom_values WHERE field_id = ${id} AND bug_id = bug.id) COLLATE BINARY`;
}

function choicesKey(id: number): Sql {
  return sql`(SELECT json_group_array(value)
    FROM (SELECT value FROM custom_choices WHERE field_id = ${id} AND bug_id = bug.id ORDER BY value))`;
}

/** Keys of standard fields without a column. */
const KEYS: ReadonlyMap<string, Sql> = new Map([
  ["classification", bugColumn("product_id")],
  ["is_open", sql`${bugColumn("status")} COLLATE BINARY`],
  ["dupe_of", sql`(SELECT dupe_of FROM bug_duplicates WHERE bug_id = bug.id)`],
  [
    "flags",
    sql`(SELECT json_group_array(type_id || status)
    FROM (SELECT type_id, status FROM flags WHERE bug_id = bug.id AND attachment_id IS NULL ORDER BY type_id, status))`,
  ],
  ...LIST_FIELDS.map(
    (name) => [name, sql`(SELECT json_group_array(item) FROM (${trustedSql(listOfBug(name))}))`] as const,
  ),
]);
