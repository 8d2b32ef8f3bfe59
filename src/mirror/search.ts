import { inChunks } from "../api/lists.ts";
import { fieldsShowing } from "../api/query/evaluate.ts";
import { EVERY_BUG, isMet, type Leaf, leavesOf, type Query, type Test } from "../api/query/tree.ts";
import { flagsIn, leavesByUnknownName, loginsIn } from "../api/search/names.ts";
import type { Search, WantedBugs } from "../api/search/search.ts";
import type { BugGroup, Searches } from "../api/search/searches.ts";
import { type SortKey, sortBugs, sortFields } from "../api/search/sort.ts";
import { usageError } from "../errors.ts";
import type { SqlRow } from "../tracker/store/store.ts";
import { type Bug, bugFieldRow } from "../wire/bug-fields.ts";
import { PRONOUNS } from "../wire/search-names.ts";
import { columnKind } from "./columns.ts";
import { type Condition, type SplitQuery, splitQuery } from "./conditions.ts";
import { HIDDEN_FIELDS, type MirrorKnowledge, meets, partNeeded } from "./evaluate-mirrored.ts";
import type { Facts, Store } from "./store.ts";

/** A mirror to search, and when. */
export type SearchedMirror = {
  readonly store: Store;
  readonly now: Date;
  readonly name: string;
  readonly toReachTracker: string; // ends the hint "run the command": "without --offline"
  readonly noteRead?: () => void; // called before the mirror is read
};

export function mirrorSearches(mirror: SearchedMirror): Searches {
  const checkUsers = ({ query }: Search) => checkMentioned("user", leavesOf(query).flatMap(checkedLogins), mirror);
  return {
    pages: async function* (search, wanted) {
      let isEmpty = true;
      for (const page of searchMirror(search, wanted, mirror)) {
        isEmpty = false;
        yield page;
      }
      if (isEmpty && !wanted.offset) checkUsers(search);
    },
    first: async (search, wanted) => [...searchMirror(search, wanted, mirror)].flat(),
    groups: async function* (search, fields) {
      const groups = groupMirror(search, fields, mirror);
      if (groups.length === 0) checkUsers(search);
      yield groups;
    },
    count: async (search) => groupMirror(search, [], mirror)[0]?.count ?? 0,
  };
}

/** The logins in a condition; not in values before and after a change, since histories join people to one text. */
function checkedLogins(leaf: Leaf): readonly string[] {
  return leaf.kind === "change" ? [leaf.by ?? []].flat() : loginsIn(leaf);
}

/** @throws BtError of kind usage for a login or a flag that is in no bug of the mirror */
function checkMentioned(kind: "user" | "flag", names: readonly string[], { store, name }: SearchedMirror): void {
  for (const text of names) {
    if (text === "" || text.startsWith("%")) continue; // nobody, or a pronoun
    const pattern = `%"${text.replace(/[\\%_]/g, "\\$&")}"%`;
    if (store.database.get(MENTION, { pattern }) !== undefined) continue;
    throw usageError(`no bug of the mirror ${name} has the ${kind} ${JSON.stringify(text)}`);
  }
}

const MENTION = `SELECT 1 FROM received WHERE bug LIKE @pattern ESCAPE '\\' OR comments LIKE @pattern ESCAPE '\\'
  OR history LIKE @pattern ESCAPE '\\' OR attachments LIKE @pattern ESCAPE '\\' LIMIT 1`;

/**
 * Yields the bugs of a mirror that match, in their order. SQL decides what it can by columns and words; the rest is evaluated on
 * the bugs, from the first on until there are enough.
 * @throws BtError of kind usage for a condition that a mirror cannot decide
 */
function* searchMirror(
  search: Search,
  { limit = Number.POSITIVE_INFINITY, offset = 0 }: Pick<WantedBugs, "limit" | "offset">,
  mirror: SearchedMirror,
): Generator<Bug[]> {
  const split = checkAndSplit(search, mirror);
  const keys = search.order ?? [];
  const end = offset + limit;
  const order = sqlOrder(keys);
  if (order !== undefined) {
    const idLists = selectCandidates(split, order, end, mirror);
    return yield* slicePages(readMatchingBugs(idLists, split.rest, mirror), offset, end);
  }
  const sorted = sortBugs(readSortableBugs(split, keys, mirror), keys).slice(offset, end);
  for (const chunk of inChunks(sorted, CHUNK)) yield readFullBugs(chunk, mirror);
}

/** Checks that a mirror can decide a search, and splits it into SQL and the rest. */
function checkAndSplit({ query, passed = [] }: Search, mirror: SearchedMirror): SplitQuery {
  const { store, name, noteRead } = mirror;
  noteRead?.();
  const facts = store.facts();
  const cannot = (about: string, reason: string) => usageError(`the mirror ${name} cannot decide ${about}: ${reason}`);
  const [pair] = passed;
  if (pair) throw cannot(pair.join("="), "only the tracker can");
  for (const leaf of leavesOf(query)) {
    const reason = whyUndecidable(leaf, facts);
    if (reason !== undefined) throw cannot(leaf.kind === "flag" ? "flag(...)" : leaf.field.api, reason);
  }
  checkMentioned("flag", leavesOf(query).flatMap(flagsIn), mirror);
  const negatedOrAlternative = leavesByUnknownName(query).mixed; // where an unknown login finds other bugs than meant
  const logins = negatedOrAlternative.flatMap(checkedLogins).filter((login) => login !== facts.login);
  checkMentioned("user", logins, mirror);
  return splitQuery(query, facts.login ?? undefined);
}

/** Why a mirror cannot decide a condition; undefined if it can. */
function whyUndecidable(leaf: Leaf, facts: Facts): string | undefined {
  if (leaf.kind === "flag") return undefined;
  if (leaf.kind === "test") return whyTestUndecidable(leaf, facts);
  if (leaf.by?.startsWith("%") && leaf.by !== PRONOUNS.me) return "only the tracker knows who is meant";
  return bugFieldRow(leaf.field.api)?.json ? whyUnseen([leaf.field.api], facts) : undefined;
}

function whyTestUndecidable(leaf: Test, facts: Facts): string | undefined {
  const { field, values, op } = leaf;
  const { products, shown } = facts;
  if (Object.hasOwn(UNDECIDABLE, field.api)) return UNDECIDABLE[field.api];
  if (values.some((value) => value.startsWith("%group."))) return "it does not have the members of groups";
  if (field.api.startsWith("private_") && !shown.includes("private")) return "its login saw nothing private";
  const isOutside = (product: string) => products.length > 0 && !products.includes(product);
  if (field.api === "product" && op === "=" && values.some(isOutside)) return `it has only ${products.join(", ")}`;
  if (field.api === "complete") return whyUnseen(["remaining_time"], facts);
  if (field.chart === "content" || HIDDEN_FIELDS.has(field.api)) return undefined;
  return whyUnseen(fieldsShowing(leaf), facts);
}

const UNDECIDABLE: Readonly<Record<string, string>> = {
  last_visit: "it does not know what you looked at",
  idle: "it does not know it",
  attachment_data: "it does not have the contents of attachments",
};

/** Why fields cannot be tested, which no bug of the mirror shows; undefined if they can. */
function whyUnseen(names: readonly string[] | undefined, { shown }: Facts): string | undefined {
  const isSeen = shown.length === 0 || names?.every((name) => shown.includes(name));
  return isSeen ? undefined : "its login does not see it";
}

/** The order in SQL, where it is by id and times alone; newest first without keys. */
function sqlOrder(keys: readonly SortKey[]): string | undefined {
  if (keys.length === 0) return "id DESC";
  if (!keys.every(({ column }) => Object.hasOwn(SORT_COLUMNS, column))) return undefined;
  return keys.map(({ column, isDescending }) => `${SORT_COLUMNS[column]}${isDescending ? " DESC" : ""}`).join(", ");
}

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  ...{ bug_id: "id", changeddate: "last_change_time", opendate: "creation_time" },
};

/** Ids of the bugs that meet a condition: the first ones, then the others if these may not do. */
function* selectCandidates(
  { where, rest }: SplitQuery,
  order: string,
  end: number,
  mirror: SearchedMirror,
): Generator<number[]> {
  if (!Number.isFinite(end)) return yield selectIds(where, order, mirror);
  const first = selectIds(where, order, mirror, `LIMIT ${rest ? CHUNK : end}`);
  yield first;
  if (rest && first.length === CHUNK) yield selectIds(where, order, mirror, `LIMIT -1 OFFSET ${CHUNK}`);
}

/** Selects ids as one text: a hundred thousand rows take four times as long. */
function selectIds({ sql, values }: Condition, order: string, { store }: SearchedMirror, range = ""): number[] {
  const ids = `SELECT id FROM bug WHERE ${sql} ORDER BY ${order} ${range}`;
  const [text = "[]"] = store.database.values<string>(`SELECT json_group_array(id) FROM (${ids})`, values);
  return JSON.parse(text);
}

const CHUNK = 200; // bugs

/** The bugs that meet the rest of a query, read in chunks that grow, since the first may do. */
function* readMatchingBugs(idLists: Iterable<readonly number[]>, rest: Query = EVERY_BUG, mirror: SearchedMirror) {
  const leaves = leavesOf(rest);
  const parts = [...new Set(leaves.flatMap((leaf) => partNeeded(leaf) ?? []))];
  const knowledge = findKnowledge(leaves, mirror);
  let size = 50;
  for (const ids of idLists) {
    let start = 0;
    while (start < ids.length) {
      const chunk = mirror.store.bugs(ids.slice(start, start + size), parts);
      start += size;
      size = Math.min(CHUNK, size * 2);
      for (const mirrored of chunk) if (isMet(rest, (leaf) => meets(leaf, mirrored, knowledge))) yield mirrored.bug;
    }
  }
}

/** What conditions need beside a bug; full-text searches are made by the word index. */
function findKnowledge(leaves: readonly Leaf[], mirror: SearchedMirror): MirrorKnowledge {
  const { store, now } = mirror;
  const fullText = leaves.filter((leaf) => leaf.kind === "test" && leaf.field.chart === "content");
  const idsFor = (leaf: Leaf) => new Set(selectIds(splitQuery(leaf, undefined).where, "id", mirror));
  return { login: store.facts().login ?? undefined, now, found: new Map(fullText.map((leaf) => [leaf, idsFor(leaf)])) };
}

/** The bugs from index `start` up to `end`, in pages. */
function* slicePages(bugs: Iterable<Bug>, start: number, end: number): Generator<Bug[]> {
  const page: Bug[] = [];
  let count = 0;
  for (const bug of bugs) {
    count += 1;
    if (count > start) page.push(bug);
    if (count >= end) break;
    if (page.length === CHUNK) yield page.splice(0);
  }
  if (page.length > 0) yield page;
}

/** All bugs that match, with only their sort fields, so that many bugs need little memory. */
function readSortableBugs(
  { where, rest }: SplitQuery,
  keys: readonly SortKey[],
  mirror: SearchedMirror,
): readonly Bug[] {
  const fields = [...new Set(["id", ...sortFields(keys)])];
  const isByColumns = keys.every(({ field }) => field && !["list", undefined].includes(columnKind(field.api)));
  if (isByColumns && rest === undefined)
    return mirror.store.database.all<Bug & SqlRow>(`SELECT ${fields} FROM bug WHERE ${where.sql}`, where.values);
  // real names such as `assignee_name` are in details such as `assigned_to_detail`
  const members = fields.flatMap((name) => [name, `${name}_detail`]) as (keyof Bug)[];
  return Array.from(
    readMatchingBugs([selectIds(where, "id", mirror)], rest, mirror),
    (bug) => Object.fromEntries(members.map((name) => [name, bug[name]])) as unknown as Bug,
  );
}

function readFullBugs(bugs: readonly Pick<Bug, "id">[], { store }: SearchedMirror): Bug[] {
  const ids = bugs.map(({ id }) => id);
  return store.bugs(ids, []).map(({ bug }) => bug);
}

/** The bugs that match in groups that are equal in these fields, all without fields; the group of the newest bug first. */
function groupMirror(search: Search, fields: readonly string[], mirror: SearchedMirror): BugGroup[] {
  const { where, rest } = checkAndSplit(search, mirror);
  const isByColumns = fields.every((name) => columnKind(name) === "text" && !FREE_TEXTS.has(name));
  if (rest === undefined && isByColumns) return groupByColumns(where, fields, mirror);
  const groups = new Map<string, { bug: Bug; count: number }>();
  for (const bug of readMatchingBugs([selectIds(where, "id DESC", mirror)], rest, mirror)) {
    const values = fields.map((name) => (bug as Readonly<Record<string, unknown>>)[name]);
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { bug, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Texts that differ in letter case alone in some bugs, which their columns do not show. */
const FREE_TEXTS: ReadonlySet<string> = new Set(["summary", "whiteboard"]);

function groupByColumns({ sql, values }: Condition, columns: readonly string[], mirror: SearchedMirror): BugGroup[] {
  const groupBy = columns.length > 0 ? columns.join(", ") : "NULL";
  const rows = mirror.store.database.all<{ id: number; count: number }>(
    `SELECT max(id) AS id, count(*) AS count FROM bug WHERE ${sql} GROUP BY ${groupBy} ORDER BY 1 DESC`,
    values,
  );
  return readFullBugs(rows, mirror).map((bug, at) => ({ bug, count: rows[at]?.count ?? 0 }));
}
