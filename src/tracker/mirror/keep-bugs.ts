import type { ReceivedBug } from "../../wire/mirror.ts";
import { customFieldRows } from "../bug-fields/custom-fields.ts";
import type { Runtime } from "../http/call.ts";
import type { Store } from "../store/store.ts";
import { userByLogin } from "../users/requester.ts";
import { keepRests } from "./keep-rests.ts";
import { mirrorPeople } from "./people.ts";
import { putBugs } from "./put-bug.ts";
import { hideProduct } from "./put-products.ts";
import { textOf, timeOf, wholeOf } from "./received.ts";
import { openRegistry, type Registry } from "./registry.ts";
import { hideFromLists } from "./rest.ts";
import { type RowInsert, rowBatch } from "./row-batch.ts";
import type { ShortSteps } from "./short-steps.ts";

/** Store, clock and login of a mirror that is written. */
export type KeepContext = { readonly store: Store; readonly runtime: Runtime; readonly login: string | null };

/** A registry of a mirror: what the metadata does not list is hidden from lists. */
export function mirrorRegistry({ store, login }: KeepContext): Registry {
  return openRegistry(store, {
    person: mirrorPeople(store, login === null),
    onUnlisted: (table, id) => {
      if (table === "products") hideProduct(store, id);
      else hideFromLists(store, [table === "groups" ? "group" : "field", id]);
    },
  });
}

/**
 * Stores bugs of a mirror so that the tracker's readers return them as received; differences are stored separately.
 * Called in a transaction.
 */
export function* keepBugs(context: KeepContext, bugs: readonly ReceivedBug[], readTime: string): ShortSteps<void> {
  if (bugs.length === 0) return;
  const { store, login } = context;
  const registry = mirrorRegistry(context);
  const tagger = login === null ? undefined : userByLogin(store, login)?.id;
  forgetRests(store, bugs.map(idOf));
  const stored = yield* putBugs({ store, registry, customFields: customFieldRows(store), tagger }, bugs);
  const states = rowBatch(store);
  for (const { bug } of bugs) {
    states.add(STATE, [wholeOf(bug["id"]), "held", timeOf(bug["last_change_time"]), readTime, null]);
  }
  yield* states.insertAll();
  adaptParameters(store, bugs);
  yield* keepRests(context, stored);
}

function idOf({ bug }: ReceivedBug): number {
  return wholeOf(bug["id"]);
}

const STATE: RowInsert = {
  or: "REPLACE",
  table: "mirror_bugs",
  columns: ["bug_id", "state", "last_change_time", "read_time", "reason"],
};

/** Removes the rests of bugs and of all that belongs to them. */
function forgetRests(store: Store, ids: readonly number[]): void {
  const list = JSON.stringify(ids);
  const these = "IN (SELECT value FROM json_each(?))";
  for (const kind of ["bug", "history"])
    store.run(`DELETE FROM mirror_rest WHERE kind = '${kind}' AND id ${these}`, [list]);
  for (const [kind, table] of [
    ["comment", "comments"],
    ["attachment", "attachments"],
  ]) {
    store.run(
      `DELETE FROM mirror_rest WHERE kind = '${kind}' AND id IN (SELECT id FROM ${table} WHERE bug_id ${these})`,
      [list],
    );
  }
}

/** Makes the groups that decide which fields are shown those of a login that sees what was received. */
function adaptParameters(store: Store, bugs: readonly ReceivedBug[]): void {
  const [first] = bugs;
  const comment = bugs.find(({ comments }) => comments.length > 0)?.comments[0];
  const group = (isShown: boolean) => (isShown ? "editbugs" : "");
  const set = (name: string, value: string) =>
    store.run(
      "INSERT INTO parameters (name, value) VALUES (@name, @value) ON CONFLICT (name) DO UPDATE SET value = @value WHERE value <> @value",
      { name, value },
    );
  if (first) set("timetrackinggroup", group("estimated_time" in first.bug));
  if (comment) set("comment_taggers_group", group("tags" in comment));
}

/** Rows that belong to bugs, by table and the column with the bug's id. */
const OF_BUGS = [
  ["bug_aliases", "bug_id"],
  ["bug_cc", "bug_id"],
  ["bug_keywords", "bug_id"],
  ["bug_groups", "bug_id"],
  ["bug_see_also", "bug_id"],
  ["bug_duplicates", "bug_id"],
  ["bug_tags", "bug_id"],
  ["custom_values", "bug_id"],
  ["custom_choices", "bug_id"],
  ["flags", "bug_id"],
  ["activity", "bug_id"],
  ["attachments", "bug_id"],
  ["comments", "bug_id"],
  ["mirror_bugs", "bug_id"],
  ["bugs", "id"],
] as const;

/** Removes bugs and all that belongs to them. Returns the kept bugs that refer to one of them: they may have changed. */
export function removeBugs(store: Store, ids: readonly number[]): readonly number[] {
  const list = JSON.stringify(ids);
  const neighbours = store.all<{ readonly id: number }>(NEIGHBOURS, { ids: list }).map(({ id }) => id);
  forgetRests(store, ids);
  for (const id of ids) {
    store.run("DELETE FROM comment_tags WHERE comment_id IN (SELECT id FROM comments WHERE bug_id = ?)", [id]);
    for (const [table, column] of OF_BUGS) store.run(`DELETE FROM ${table} WHERE ${column} = ?`, [id]);
  }
  return neighbours;
}

const NEIGHBOURS = `
  SELECT bug_id AS id FROM mirror_bugs WHERE state = 'held' AND bug_id NOT IN (SELECT value FROM json_each(@ids))
    AND bug_id IN (
      SELECT bug_id FROM bug_dependencies WHERE depends_on_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT depends_on_id FROM bug_dependencies WHERE bug_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT bug_id FROM bug_duplicates WHERE dupe_of IN (SELECT value FROM json_each(@ids)))`;

/** Text of a received bug's problem, in one line. */
export function reasonOf(reason: string): string {
  return textOf(reason).split("\n", 1)[0] ?? "";
}
