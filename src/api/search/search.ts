import { BtError, isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { ATTACHMENTS_OF_BUGS, historyPlan, readPartsOfBugs } from "../bugs.ts";
import { collectPages, hasIgnoringCase, inChunks } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { evaluate, hasChange, hasFlag, type Knowledge } from "../query/evaluate.ts";
import { type Pair, row } from "../query/rows.ts";
import { allOf, EVERY_BUG, isEveryBug, isGroup, type Leaf, leavesOf, type Query } from "../query/tree.ts";
import { hasCode } from "../response/response.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";
import { type Compiled, compile, draftLeaf, pairsOf, splitByIds } from "./compile.ts";
import type { TrackerDialect } from "./dialect.ts";
import { checkNames, leavesByUnknownName } from "./names.ts";
import { orderParameter, type SortKey, sortBugs, sortFields } from "./sort.ts";

/** A search for bugs; without sort keys, the newest come first. */
export type Search = {
  readonly query: Query;
  readonly passed?: readonly Pair[] | undefined; // a quicksearch, or pairs of a URL, which only the tracker understands
  readonly order?: readonly SortKey[] | undefined;
};

/** Fields and number of the bugs to return. */
export type WantedBugs = {
  readonly include: readonly string[];
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

/** How searches are sent, and what they know of the tracker. */
export type SearchTools = {
  readonly send: SendRequest;
  readonly dialect: () => Promise<TrackerDialect>;
  readonly login: () => Promise<string | undefined>;
};

/** Names are checked first if an unknown one could widen the search, else after an empty result. */
export async function* matchingBugs(search: Search, wanted: WantedBugs, tools: SearchTools) {
  const { query, order } = search;
  if (isGroup(query) && query.kind === "any" && query.of.length === 0) return;
  const { alone, mixed } = leavesByUnknownName(query);
  if (mixed.length > 0) await checkNames(mixed, tools.send);
  let isEmpty = true;
  try {
    for await (const page of orderedBugs(await compileParts(search, tools), order, wanted, tools)) {
      isEmpty &&= page.length === 0;
      yield page;
    }
  } catch (error) {
    if (hasCode(error, "object_does_not_exist")) await checkNames(alone, tools.send);
    throw error;
  }
  if (isEmpty && !wanted.offset) await checkNames(alone, tools.send);
}

/** The first bugs of a search; of a Bugzilla by its rows alone, which may find more. */
export async function firstCandidates(search: Search, wanted: WantedBugs, tools: SearchTools): Promise<readonly Bug[]> {
  const parts = await compileParts(search, tools);
  const isPlain = (await tools.dialect()).name === "plain";
  const untested = parts.map((part) => (isPlain ? part : { ...part, rest: EVERY_BUG, tested: [], asides: [] }));
  return collectPages(orderedBugs(untested, search.order, wanted, tools));
}

export async function countUpTo(most: number, search: Search, tools: SearchTools): Promise<number | undefined> {
  const parts = await compileParts(search, tools);
  if (!parts.every(({ rest }) => isEveryBug(rest)) || (await tools.dialect()).name === "plain") return undefined;
  return (await collectPages(foundBugs(parts, { include: ["id"], limit: most }, tools))).length;
}

/** Disjoint parts of a search, each of which fits into a request; those with the highest ids come first. */
async function compileParts({ query, passed }: Search, tools: SearchTools): Promise<readonly Compiled[]> {
  const { name, now } = await tools.dialect();
  return splitByIds(query).map((part) => compile(part, name, now(), passed));
}

/** Bugs by the sort keys, else newest first: as found or sorted by Bugzilla, or all sorted here. */
async function* orderedBugs(
  parts: readonly Compiled[],
  order: readonly SortKey[] = [],
  wanted: WantedBugs,
  tools: SearchTools,
): AsyncGenerator<readonly Bug[]> {
  const { include, limit = Number.POSITIVE_INFINITY, offset = 0 } = wanted;
  const isBugzilla = (await tools.dialect()).name === "bugzilla";
  const [key] = order;
  const isNewestFirst = key === undefined || (key.column === "bug_id" && key.isDescending);
  if (isBugzilla && isNewestFirst) return yield* foundBugs(parts, wanted, tools);
  const first = isBugzilla ? await firstInOrder(parts, order, wanted, tools) : undefined;
  if (first) return yield first;
  const bugs = await collectPages(foundBugs(parts, { include: [...include, ...sortFields(order)] }, tools));
  const sorted = isNewestFirst ? bugs.sort((one, other) => other.id - one.id) : sortBugs(bugs, order);
  yield* inChunks(sorted.slice(offset, offset + limit), PAGE_SIZE);
}

/**
 * The first bugs as Bugzilla sorts them: only these have to be read. Undefined for more than a page, if some conditions are
 * tested here, or if the server returns fewer than it has.
 */
async function firstInOrder(
  [part, ...others]: readonly Compiled[],
  order: readonly SortKey[],
  { include, limit = Number.POSITIVE_INFINITY, offset = 0 }: WantedBugs,
  tools: SearchTools,
): Promise<readonly Bug[] | undefined> {
  if (limit > PAGE_SIZE || part === undefined || others.length > 0 || !isEveryBug(part.rest)) return undefined;
  const fields = fieldsOf(part, include).join();
  const query: readonly Pair[] = [...pairsOf(part), ["include_fields", fields], ["order", orderParameter(order)]];
  const page = await readPage([...query, ["offset", String(offset)]], limit, tools.send);
  const bugs = distinctBugs(page.bugs);
  for (const bug of bugs) checkBug(bug, part);
  if (bugs.length >= limit || isLastPage(page, await tools.dialect())) return bugs;
  const next = await readPage([...query, ["offset", String(offset + bugs.length)]], 1, tools.send);
  return next.bugs.length === 0 ? bugs : undefined;
}

/** Bugs that match, from an offset on, page by page as read; from Bugzilla the newest first. */
async function* foundBugs(
  parts: readonly Compiled[],
  { include, limit = Number.POSITIVE_INFINITY, offset = 0 }: WantedBugs,
  tools: SearchTools,
): AsyncGenerator<readonly Bug[]> {
  const end = offset + limit;
  const pagesOf = (await tools.dialect()).name === "plain" ? allByOffset : pagesById;
  let count = 0; // of the matches before a page
  for (const part of parts) {
    const known = await readKnowledge(part, tools);
    const most = isEveryBug(part.rest) ? end - count : undefined;
    for await (const page of pagesOf(part, fieldsOf(part, include), tools, most)) {
      for (const bug of page) checkBug(bug, part);
      const bugs = page.filter((bug) => evaluate(part.rest, bug, known));
      const shown = bugs.slice(Math.max(0, offset - count), end - count);
      count += bugs.length;
      if (shown.length > 0) yield shown;
      if (count >= end) return;
    }
  }
}

/** Wanted fields, and the fields that testing and checking need. */
function fieldsOf({ tested, statuses }: Compiled, include: readonly string[]): readonly string[] {
  return [...new Set(["id", ...include, ...tested, ...(statuses.length > 0 ? ["status"] : [])])];
}

/**
 * @throws BtError of kind reply for a bug in another status, since Bugzilla drops one that it does not know and then finds bugs in
 * any, and for one without a field that is tested: a hidden one, such as hours, must not count as unset
 */
function checkBug(bug: Bug, { tested, statuses }: Compiled): void {
  const missing = tested.find((name) => (bug as Readonly<Record<string, unknown>>)[name] === undefined);
  if (missing !== undefined)
    throw new BtError("reply", `the tracker returned bug ${bug.id} without "${missing}", which this search needs`);
  const { id, status } = bug;
  if (!status || statuses.length === 0 || hasIgnoringCase(statuses, status)) return;
  throw new BtError("reply", `the tracker returned bug ${id} in ${status}: it may not know ${statuses.join(", ")}`, {
    hint: "bt field values status --refresh",
  });
}

/** What the rest needs: the own login, and for each aside the bugs that meet it. */
async function readKnowledge(part: Compiled, tools: SearchTools): Promise<Knowledge> {
  const namesMe = leavesOf(part.rest).some((leaf) => Object.values(leaf).flat().includes(PRONOUNS.me));
  const login = namesMe ? await tools.login() : undefined;
  const found = new Map<Leaf, ReadonlySet<number>>();
  for (const leaf of part.asides) {
    const bugs = await bugsMeeting(leaf, part, login, tools);
    found.set(leaf, new Set(bugs.map(({ id }) => id)));
  }
  return { login, found };
}

/**
 * The bugs that meet an aside, by a search; where its rows are not exact, by flags or histories: for several facts about one flag,
 * and for a change of an item of a list.
 * @throws BtError if a candidate cannot be read
 */
async function bugsMeeting(leaf: Leaf, part: Compiled, login: string | undefined, tools: SearchTools): Promise<Bug[]> {
  const { chart, isExact } = draftLeaf(leaf, (await tools.dialect()).now());
  const search = { ...part, chart: allOf([part.chart, chart]) };
  const candidates = await collectPages(pagesById(search, leaf.kind === "flag" ? ["id", "flags"] : ["id"], tools));
  const idsOf = (bugs: readonly Bug[]) => bugs.map(({ id }) => String(id));
  if (leaf.kind === "test" || isExact || candidates.length === 0) return candidates;
  if (leaf.kind === "change") {
    const histories = await readPartsOfBugs(idsOf(candidates), historyPlan(), tools.send);
    const historyOf = ({ id }: Bug) => histories.get(String(id))?.history ?? [];
    return candidates.filter((bug) => historyOf(bug).some((entry) => hasChange(entry, leaf, login)));
  }
  const isMet = (item: Pick<Bug, "flags">) => hasFlag(item, leaf, login);
  const others = candidates.filter((bug) => !isMet(bug));
  const attachments = await readPartsOfBugs(idsOf(others), ATTACHMENTS_OF_BUGS, tools.send);
  return candidates.filter((bug) => isMet(bug) || attachments.get(String(bug.id))?.some(isMet));
}

const PAGE_SIZE = 1000; // bugs in a request

/**
 * Every bug that Bugzilla finds, or `most`, once each, newest first: each page begins below the last
 * id, so that changes meanwhile neither hide nor repeat bugs.
 */
async function* pagesById(
  search: Compiled,
  fields: readonly string[],
  tools: SearchTools,
  most = Number.POSITIVE_INFINITY,
) {
  const dialect = await tools.dialect();
  let size = PAGE_SIZE;
  let lastId = Number.POSITIVE_INFINITY;
  for (let count = 0; count < most; ) {
    const below = Number.isFinite(lastId) ? [row("bug_id", "lessthan", String(lastId))] : [];
    const criteria = pairsOf({ ...search, chart: allOf([search.chart, ...below]) });
    const pairs = [...criteria, ["include_fields", fields.join()], ["order", "bug_id DESC"]] as const;
    const limit = Math.min(size, most - count);
    const page = await readPage(pairs, limit, tools.send);
    if (page.size < limit) size = page.size;
    const bugs = distinctBugs(page.bugs);
    const isLast = isLastPage(page, dialect);
    if (isLast) bugs.sort((one, other) => other.id - one.id);
    if (!bugs.every(({ id }, at) => id < (bugs[at - 1]?.id ?? lastId)))
      throw new BtError("reply", "the tracker returned bugs out of the order that was requested");
    lastId = bugs.at(-1)?.id ?? lastId;
    await dialect.noteLength(page.bugs.length);
    if (bugs.length > 0) yield bugs;
    if (bugs.length === 0 || isLast || lastId === 1) return;
    count += bugs.length;
  }
}

/** True if no bugs follow: a server may cut pages, but to no less than the longest it returned. */
function isLastPage({ size, bugs }: Page, { longest }: TrackerDialect): boolean {
  return bugs.length < size && bugs.length < longest();
}

/**
 * Every bug that a server of the interface alone finds by its parameters, once each. `limit=0` means all, but a server may have a
 * maximum: the list is continued until a page is empty.
 * @throws BtError of kind reply if the server obeys `limit`, but returns bugs at any offset: what it leaves out cannot be read
 */
async function* allByOffset(search: Compiled, fields: readonly string[], { send }: SearchTools) {
  const query: readonly Pair[] = [...pairsOf(search), ["include_fields", fields.join()]];
  const found = new Map<number, Bug>();
  let page = await readPage(query, 0, send);
  const pageSize = page.size || page.bugs.length;
  for (let offset = 0; page.bugs.length > 0; ) {
    const known = found.size;
    for (const bug of page.bugs) found.set(bug.id, bug);
    if (found.size === known) {
      // nothing new: a tracker that ignores "offset" returns a bug here, too
      const { bugs } = await readPage([...query, ["offset", "1000000000"]], 1, send); // beyond any list
      if (bugs.length > 1 || found.size === 1) break; // no limit at all: the list was whole
      if (bugs.length === 1)
        throw new BtError("reply", `the tracker ignores "offset", so that only the first ${known} bugs can be read`);
    }
    offset += page.bugs.length;
    page = await readPage([...query, ["offset", String(offset)]], pageSize, send);
  }
  yield [...found.values()];
}

type Page = { readonly size: number; readonly bugs: Bug[] };

/** A page of at most `limit` bugs, 0 is all; its size is halved while the response is too large or too slow. */
async function readPage(query: readonly Pair[], limit: number, send: SendRequest): Promise<Page> {
  for (let size = limit; ; size = size === 0 ? PAGE_SIZE : Math.ceil(size / 2)) {
    try {
      return { size, bugs: readBugs(await send(requestFor(SEARCH_BUGS, [...query, ["limit", String(size)]]))) };
    } catch (error) {
      const isTooSlow = error instanceof BtError && error.facts.httpStatus === 504;
      if (!(isTooBig(error) || isTooSlow) || size === 1) throw error;
    }
  }
}
