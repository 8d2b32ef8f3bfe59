import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Attachment, BugHistory, FieldChange, HistoryEntry } from "../../wire/resources.ts";
import { type BatchPlan, foundThings, requestAll } from "../batch.ts";
import { historyPlan } from "../bugs/bug-parts.ts";
import { type CatalogField, requireField } from "../catalog/catalog.ts";
import { requestOptional } from "../facts/optional.ts";
import { partition } from "../lists.ts";
import { GET_BUG_ATTACHMENTS } from "../operations/attachments.ts";
import { requestFor } from "../operations/operation.ts";
import { meetsFlagCondition } from "../query/evaluate.ts";
import { isSameUser, mustReadEachBug, type ReadCondition, toAnyValue } from "../query/matching.ts";
import { allOf, anyOf, conjunctsOf, leavesOf, mapLeaves, type Query, type ResolvedTerm } from "../query/tree.ts";
import { readBugAttachments } from "../response/response-objects.ts";
import { type BugSearch, PLAIN_SEARCH, type SearchTools, type WantedBugs } from "./bug-search.ts";

/** Yields the bugs that match a search. */
type Find = (search: BugSearch, wanted: WantedBugs, tools: SearchTools) => AsyncIterable<readonly Bug[]>;

/**
 * A search with the numbers of bugs in place of the conditions that rows cannot express: several facts about one flag, and a
 * value among those that a change added to a list. Candidates are found by rows, and their flags or changes read.
 */
export async function readConditions(search: BugSearch, tools: SearchTools, find: Find): Promise<BugSearch> {
  const isRead = (leaf: ResolvedTerm): leaf is ReadCondition => mustReadEachBug(leaf);
  const leaves = leavesOf(search.query).filter(isRead);
  if (leaves.length === 0 || (await tools.rows.known()) === false) return search;
  const conjuncts = conjunctsOf(search.query);
  const others = conjuncts.filter((one) => !leavesOf(one).some(mustReadEachBug));
  const met = new Map<ResolvedTerm, Query>();
  for (const leaf of leaves) {
    const among = conjuncts.includes(leaf) ? allOf(others) : EVERY_BUG;
    const reading = { search, among, tools, find };
    const ids = leaf.kind === "flag" ? await findBugsWithFlag(leaf, reading) : await findBugsWithChange(leaf, reading);
    const field = requireField(search.catalog, "id");
    met.set(leaf, ids.length > 0 ? { kind: "test", field, op: "=", values: ids.map(String) } : anyOf([]));
  }
  return { ...search, query: mapLeaves(search.query, (leaf) => met.get(leaf) ?? leaf) };
}

const EVERY_BUG: Query = allOf([]);

type Reading = {
  search: BugSearch;
  among: Query; // further conditions on the bugs
  tools: SearchTools;
  find: Find;
};

async function readPossibleMatches(query: Query, include: string[], { search, among, tools, find }: Reading) {
  const { catalog, zone } = search;
  const found: Bug[] = [];
  const pages = find(
    { ...PLAIN_SEARCH, catalog, zone, query: allOf([query, among]) },
    { include, limit: undefined, offset: 0 },
    tools,
  );
  for await (const page of pages) found.push(...page);
  return found;
}

/** The bugs of which one flag, be it of an attachment, meets all parts of a condition. */
async function findBugsWithFlag(leaf: ReadCondition & { kind: "flag" }, reading: Reading): Promise<number[]> {
  const { tools, search } = reading;
  const test = (field: string, values: string[]): Query => ({
    kind: "test",
    field: requireField(search.catalog, field),
    op: "=",
    values,
  });
  const { name, requestee, setter } = leaf;
  const tests = [test("flags", /[?+-]$/.test(name) ? [name] : ["?", "+", "-"].map((status) => name + status))];
  if (requestee !== undefined) tests.push(test("requestee", [requestee]));
  if (setter !== undefined) tests.push(test("setter", [setter]));
  const login = await tools.login();
  const meets = (flags?: readonly Flag[] | null) =>
    (flags ?? []).some((flag) => meetsFlagCondition(flag, leaf, { login }));
  const found = await readPossibleMatches(allOf(tests), ["flags"], reading);
  const [own, rest] = partition(found, ({ flags }) => meets(flags));
  const ids = own.map(({ id }) => id);
  const unmet = rest.map(({ id }) => id);
  for (const { id, attachments } of await readBugsWithAttachments(unmet, tools)) {
    if (attachments.some(({ flags }) => meets(flags))) ids.push(id);
  }
  return ids;
}

type AttachedBug = { id: number; attachments: Attachment[] };

/** Bugs with their attachments; none from a tracker without attachments. */
async function readBugsWithAttachments(ids: number[], { send }: SearchTools): Promise<AttachedBug[]> {
  const sendOptional = async (...[request]: Parameters<SearchTools["send"]>) =>
    (await requestOptional(request, send)) ?? { bugs: Object.fromEntries(ids.map((id) => [id, []])) };
  return foundThings(await requestAll(ids.map(String), ATTACHMENTS, sendOptional));
}

const ATTACHMENTS: BatchPlan<AttachedBug> = {
  request: (ids) => requestFor(GET_BUG_ATTACHMENTS, { ids, exclude_fields: "data" }),
  read: (response) =>
    [...readBugAttachments(response)].map(([id, attachments]) => ({
      thing: { id: Number(id), attachments },
      names: [id],
    })),
};

/** The bugs of which one change meets all parts of a condition. */
async function findBugsWithChange(leaf: ReadCondition & { kind: "change" }, reading: Reading): Promise<number[]> {
  const { tools } = reading;
  const by = leaf.by === "%user%" ? ((await tools.login()) ?? leaf.by) : leaf.by;
  const found = await readPossibleMatches(toAnyValue(leaf), [], reading);
  const refs = found.map(({ id }) => String(id));
  const histories = foundThings(await requestAll(refs, historyPlan(undefined), tools.send));
  return histories.filter((history) => hasChange(history, { ...leaf, by })).map(({ id }) => id);
}

type Parts = Omit<ReadCondition & { kind: "change" }, "by"> & { by: string | undefined };

function hasChange({ history }: BugHistory, parts: Parts): boolean {
  return history.some((entry) => isEntry(entry, parts) && entry.changes.some((change) => isChange(change, parts)));
}

function isEntry({ who, when }: HistoryEntry, { by, since, before }: Parts): boolean {
  return (
    (by === undefined || isSameUser(who, by)) &&
    (since === undefined || when >= since) &&
    (before === undefined || when < before)
  );
}

function isChange({ field_name, removed, added }: FieldChange, { field, from, to }: Parts): boolean {
  return (
    [field.api, field.chart].includes(field_name) &&
    (from === undefined || hasListedItem(removed, from, field)) &&
    (to === undefined || hasListedItem(added, to, field))
  );
}

/**
 * True if a list of a history, `a, b`, has an item. Lists of one second are joined by a space, which only groups and values of
 * custom fields may contain.
 */
function hasListedItem(list: string, item: string, { chart, isCustom }: CatalogField): boolean {
  let items = isCustom || chart === "bug_group" ? list.trim() : list.trim().replace(/[\s,]+/g, ", ");
  if (chart === "flagtypes.name") items = flagsAsNamed(items, item);
  return `, ${items}, `.toLowerCase().includes(`, ${item}, `.toLowerCase());
}

/** Flags `review?(ada@example.org), needinfo-` without requestees, or statuses, if the flag that is looked for has none. */
function flagsAsNamed(flags: string, flag: string): string {
  const named = flag.includes("(") ? flags : flags.replace(/\([^)]*\)/g, "");
  return /[?+-](?:\(|$)/.test(flag) ? named : named.replace(/[?+-](?=,|$)/g, "");
}
