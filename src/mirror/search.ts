import { isPersonField } from "../api/catalog/catalog.ts";
import { inChunks } from "../api/lists.ts";
import { leavesByNames } from "../api/names.ts";
import { fieldsShowing } from "../api/query/evaluate.ts";
import { EVERY_BUG, isMet, type Leaf, leavesOf, type Query, type Test } from "../api/query/tree.ts";
import type { Search, WantedBugs } from "../api/search/search.ts";
import type { BugGroup, Searches } from "../api/search/searches.ts";
import { type SortKey, sortBugs, sortFields } from "../api/search/sort.ts";
import { usageError } from "../errors.ts";
import type { SqlRow } from "../tracker/store/store.ts";
import { type Bug, bugFieldRow } from "../wire/bug-fields.ts";
import { PRONOUNS } from "../wire/search-names.ts";
import { columnKind } from "./columns.ts";
import { type Condition, splitQuery, textsIn } from "./conditions.ts";
import { type Asking, ITEMS, meets, partsShowing } from "./evaluate-known.ts";
import type { Facts, Store } from "./store.ts";

/** A mirror to search, and when; `without` is how to reach its tracker: "without --offline". */
export type SearchedMirror = {
  readonly store: Store;
  readonly now: Date;
  readonly name: string;
  readonly without: string;
  readonly noteRead?: () => void; // called before it is read
};

export function mirrorSearches(mirror: SearchedMirror): Searches {
  const checkUsers = ({ query }: Search) => checkKnown("user", leavesOf(query).flatMap(loginsIn), mirror);
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

/** @throws BtError of kind usage for a login or a flag that no bug of the mirror has as a value */
function checkKnown(kind: "user" | "flag", texts: readonly string[], { store, name }: SearchedMirror): void {
  const unknown = texts.find((text) => {
    if (/^%|^$/.test(text)) return false; // a pronoun, or nobody
    const pattern = `%"${text.replace(/[\\%_]/g, "\\$&")}"%`;
    return store.database.get(NAMING, Array(4).fill(pattern)) === undefined;
  });
  if (unknown === undefined) return;
  throw usageError(`no bug of the mirror ${name} has the ${kind} ${JSON.stringify(unknown)}`);
}

const NAMING = `SELECT 1 FROM received WHERE bug LIKE ? ESCAPE '\\' OR comments LIKE ? ESCAPE '\\'
  OR history LIKE ? ESCAPE '\\' OR attachments LIKE ? ESCAPE '\\' LIMIT 1`;

/** The logins in a condition. */
function loginsIn(leaf: Leaf): readonly string[] {
  if (leaf.kind === "change") return [leaf.by ?? []].flat();
  if (leaf.kind === "flag") return [leaf.requestee ?? [], leaf.setter ?? []].flat();
  return leaf.op === "=" && isPersonField(leaf.field) ? leaf.values : [];
}

/**
 * Yields the bugs of a mirror that match, in their order. Columns and words decide by SQL what they can; the rest is evaluated
 * on the bugs, from the first on until there are enough.
 * @throws BtError of kind usage for a condition that a mirror cannot decide
 */
function* searchMirror(
  search: Search,
  { limit = Number.POSITIVE_INFINITY, offset = 0 }: Pick<WantedBugs, "limit" | "offset">,
  mirror: SearchedMirror,
): Generator<Bug[]> {
  const { store } = mirror;
  const { where, rest } = checkedSplit(search, mirror);
  const keys = search.order ?? [];
  const order = sqlOrder(keys);
  if (order !== undefined) {
    const pages = candidatePages(where, order, offset + limit, rest !== undefined, mirror);
    return yield* inPages(meetingBugs(pages, rest, mirror), offset, offset + limit);
  }
  const fields = ["id", ...sortFields(keys)];
  const isByColumns = rest === undefined && keys.every(({ field }) => field && isSortedByColumn(field.api));
  const bugs = isByColumns
    ? store.database.all<Bug & SqlRow>(`SELECT ${[...new Set(fields)]} FROM bug WHERE ${where.sql}`, where.values)
    : Array.from(meetingBugs([idsOf(where, "id", mirror)], rest, mirror), (bug) => picked(bug, fields));
  const sorted = sortBugs(bugs, keys).slice(offset, offset + limit);
  for (const some of inChunks(sorted, CHUNK)) yield known(some, mirror);
}

/** The fields of a bug by which it is sorted, so that others need no memory. */
function picked(bug: Bug, fields: readonly string[]): Bug {
  const names = fields.flatMap((name) => [name, `${name}_detail`]) as (keyof Bug)[];
  return Object.fromEntries(names.map((name) => [name, bug[name]])) as unknown as Bug;
}

function isSortedByColumn(name: string): boolean {
  return !["list", undefined].includes(columnKind(name));
}

function known(rows: readonly { readonly id: number }[], { store }: SearchedMirror): Bug[] {
  const ids = rows.map(({ id }) => id);
  return store.known(ids, []).map(({ bug }) => bug);
}

/** The bugs that match in groups that are equal in these fields, all without fields; the group of the newest bug first. */
function groupMirror(search: Search, fields: readonly string[], mirror: SearchedMirror): BugGroup[] {
  const { where, rest } = checkedSplit(search, mirror);
  if (rest === undefined && fields.every((name) => columnKind(name) === "one")) {
    const by = fields.join(", ") || "NULL";
    const sql = `SELECT max(id) AS id, count(*) AS count FROM bug WHERE ${where.sql} GROUP BY ${by} ORDER BY 1 DESC`;
    const rows = mirror.store.database.all<{ id: number; count: number }>(sql, where.values);
    return known(rows, mirror).map((bug, at) => ({ bug, count: rows[at]?.count ?? 0 }));
  }
  const groups = new Map<string, { bug: Bug; count: number }>();
  for (const bug of meetingBugs([idsOf(where, "id DESC", mirror)], rest, mirror)) {
    const key = JSON.stringify(fields.map((name) => (bug as Readonly<Record<string, unknown>>)[name])).toLowerCase();
    const group = groups.get(key) ?? { bug, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Ids of the bugs that meet a condition; the first are asked for alone where these may do. */
function* candidatePages(
  where: Condition,
  order: string,
  most: number,
  hasRest: boolean,
  mirror: SearchedMirror,
): Generator<number[]> {
  if (!Number.isFinite(most)) return yield idsOf(where, order, mirror);
  const first = idsOf(where, order, mirror, hasRest ? CHUNK : most);
  yield first;
  if (hasRest && first.length === CHUNK) yield idsOf(where, order, mirror, -1, CHUNK);
}

/** Ids as one text: a hundred thousand rows take four times as long. A limit of -1 is none. */
function idsOf({ sql, values }: Condition, order: string, { store }: SearchedMirror, limit = -1, offset = 0): number[] {
  const ids = `SELECT id FROM bug WHERE ${sql} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  const [row] = store.database.all<{ ids: string }>(`SELECT json_group_array(id) AS ids FROM (${ids})`, values);
  return JSON.parse(row?.ids ?? "[]");
}

/** The order in SQL, where it is by id and times alone; newest first without keys. */
function sqlOrder(keys: readonly SortKey[]): string | undefined {
  if (keys.length === 0) return "id DESC";
  if (!keys.every(({ column }) => Object.hasOwn(SORTED, column))) return undefined;
  return keys.map(({ column, isDescending }) => `${SORTED[column]}${isDescending ? " DESC" : ""}`).join(", ");
}

const SORTED: Readonly<Record<string, string>> = {
  ...{ bug_id: "id", changeddate: "last_change_time", opendate: "creation_time" },
};

const CHUNK = 200;

/** The bugs that meet the rest of a query, in the order of the ids; they are read in chunks that grow, since the first may do. */
function* meetingBugs(
  pages: Iterable<readonly number[]>,
  rest: Query | undefined,
  mirror: SearchedMirror,
): Generator<Bug> {
  const parts = rest ? [...new Set(leavesOf(rest).flatMap(partsShowing))] : [];
  const asking = askingFor(rest ?? EVERY_BUG, mirror);
  let size = 50;
  for (const ids of pages) {
    for (let start = 0; start < ids.length; start += size, size = Math.min(CHUNK, size * 2)) {
      for (const one of mirror.store.known(ids.slice(start, start + size), parts))
        if (rest === undefined || isMet(rest, (leaf) => meets(leaf, one, asking))) yield one.bug;
    }
  }
}

/** What the rest of a query needs; its full-text searches are searches by the word index. */
function askingFor(rest: Query, mirror: SearchedMirror): Asking {
  const { store, now } = mirror;
  const words = leavesOf(rest).filter((leaf) => leaf.kind === "test" && leaf.field.chart === "content");
  const found = new Map(words.map((leaf) => [leaf, new Set(idsOf(splitQuery(leaf, undefined).where, "id", mirror))]));
  return { login: store.facts().login ?? undefined, now, found };
}

/** The bugs from one place to another, in pages. */
function* inPages(bugs: Iterable<Bug>, from: number, to: number): Generator<Bug[]> {
  const page: Bug[] = [];
  let place = 0;
  for (const bug of bugs) {
    place += 1;
    if (place > from) page.push(bug);
    if (place >= to) break;
    if (page.length === CHUNK) yield page.splice(0);
  }
  if (page.length > 0) yield page;
}

/** SQL for a search and its rest, after the check that a mirror can decide it. */
function checkedSplit({ query, passed = [] }: Search, mirror: SearchedMirror) {
  const { store, name, noteRead } = mirror;
  noteRead?.();
  const facts = store.facts();
  const cannot = (about: string, reason: string) => usageError(`the mirror ${name} cannot decide ${about}: ${reason}`);
  const [pair] = passed;
  if (pair) throw cannot(pair.join("="), "only the tracker can");
  for (const leaf of leavesOf(query)) {
    const reason = undecidable(leaf, facts);
    if (reason !== undefined) throw cannot(leaf.kind === "flag" ? "flag(...)" : leaf.field.api, reason);
    const isOfFlags = leaf.kind === "flag" || ("op" in leaf && leaf.op === "=" && leaf.field.api === "flags");
    if (isOfFlags) checkKnown("flag", textsIn(leaf).texts, mirror);
  }
  const named = leavesByNames(query).mixed.flatMap(loginsIn);
  checkKnown(
    "user",
    named.filter((login) => login !== facts.login),
    mirror,
  );
  return splitQuery(query, facts.login ?? undefined);
}

/** Why a mirror cannot decide a condition; undefined if it can. */
function undecidable(leaf: Leaf, facts: Facts): string | undefined {
  if (leaf.kind !== "change") return leaf.kind === "test" ? undecidableTest(leaf, facts) : undefined;
  if (leaf.by?.startsWith("%") && leaf.by !== PRONOUNS.me) return "only the tracker knows who is meant";
  return bugFieldRow(leaf.field.api)?.json ? ifHidden([leaf.field.api], facts) : undefined;
}

function undecidableTest(leaf: Test, facts: Facts): string | undefined {
  const { field, values, op } = leaf;
  const { products, shown } = facts;
  if (Object.hasOwn(UNKNOWN, field.api)) return UNKNOWN[field.api];
  if (values.some((value) => value.startsWith("%group."))) return "it does not have the members of groups";
  if (field.api.startsWith("private_") && !shown.includes("private")) return "its login saw nothing private";
  if (field.api === "product" && op === "=" && products.length > 0 && !values.every((one) => products.includes(one)))
    return `it has only ${products.join(", ")}`;
  if (field.chart === "content") return undefined;
  const ofParts = field.api === "complete" ? ["remaining_time"] : [];
  return ifHidden(Object.hasOwn(ITEMS, field.api) ? ofParts : fieldsShowing(leaf), facts);
}

/** Why fields cannot be tested that no bug shows, or that bugs never show. */
function ifHidden(names: readonly string[] | undefined, { shown }: Facts): string | undefined {
  const isSeen = shown.length === 0 || names?.every((name) => shown.includes(name));
  return isSeen ? undefined : "its login does not see it";
}

const UNKNOWN: Readonly<Record<string, string>> = {
  last_visit: "it does not know what you looked at",
  idle: "it does not know it",
  attachment_data: "it does not have the contents of attachments",
};
