import type { Json } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import type { Row } from "../store/database.ts";

/** Reads one list-valued part of many bugs at once. The rows have `bug_id` and what is needed to show an item, in order. */
const bugLists: Readonly<Record<string, string>> = {
  alias:
    "SELECT bug_id, alias AS item FROM bug_aliases WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY alias",
  blocks: `SELECT depends_on_id AS bug_id, bug_id AS item FROM bug_dependencies
    WHERE depends_on_id IN (SELECT value FROM json_each(@ids)) ORDER BY bug_id`,
  cc: `SELECT bug_id, user_id AS item FROM bug_cc JOIN users ON users.id = user_id
    WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY login`,
  depends_on: `SELECT bug_id, depends_on_id AS item FROM bug_dependencies
    WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY depends_on_id`,
  groups: `SELECT bug_id, name AS item FROM bug_groups JOIN groups ON groups.id = group_id
    WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY groups.id`,
  keywords: `SELECT bug_id, name AS item FROM bug_keywords JOIN keywords ON keywords.id = keyword_id
    WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY name`,
  see_also:
    "SELECT bug_id, url AS item FROM bug_see_also WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY id",
  tags: `SELECT bug_id, name AS item FROM bug_tags
    JOIN personal_tags ON personal_tags.id = tag_id JOIN viewer ON viewer.user_id = personal_tags.user_id
    WHERE bug_id IN (SELECT value FROM json_each(@ids)) ORDER BY personal_tags.id`,
};

/** What each bug has in a list; bugs that have nothing are absent. */
export function readList(call: Call, list: string, ids: readonly number[]): ReadonlyMap<number, readonly Json[]> {
  return grouped(call.store.all<Item>(bugLists[list] ?? "", { ids: JSON.stringify(ids) }), ({ item }) => item);
}

/** Rows by the bug that they belong to, in their order. */
export function grouped<R extends Row & { readonly bug_id: number }, T>(
  rows: readonly R[],
  show: (row: R) => T,
): ReadonlyMap<number, readonly T[]> {
  const lists = new Map<number, T[]>();
  for (const row of rows) {
    const list = lists.get(row.bug_id);
    if (list) {
      list.push(show(row));
    } else {
      lists.set(row.bug_id, [show(row)]);
    }
  }
  return lists;
}

type Item = { readonly bug_id: number; readonly item: string | number };
