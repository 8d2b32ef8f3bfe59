import { BtError, isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { ATTACHMENTS_OF_BUGS, historyPlan, readPartsOfBugs } from "../bugs.ts";
import { collectPages, hasIgnoringCase, inChunks } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { evaluate, hasChange, hasFlag, type Knowledge } from "../query/evaluate.ts";
import { type Pair, row } from "../query/rows.ts";
import {
  allOf,
  type Change,
  EVERY_BUG,
  type FlagTerm,
  isEveryBug,
  isGroup,
  type Leaf,
  leavesOf,
  type Query,
} from "../query/tree.ts";
import { hasCode } from "../response/response.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";
import { type Compiled, compile, draftLeaf, pairsOf, splitByIds } from "./compile.ts";
import type { TrackerDialect } from "./dialect.ts";
import { checkNames, leavesByNames } from "./names.ts";
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

/**
 * Yields the bugs that match, page by page, each once, in the order of the search. Names of people, groups and flags are checked
 * first if an unknown one could widen it, else after an empty result.
 */
export async function* matchingBugs(search: Search, wanted: WantedBugs, tools: SearchTools) {
  const { query, order } = search;
  if (isGroup(query) && query.kind === "any" && query.of.length === 0) return;
  const { alone, mixed } = leavesByNames(query);
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

/** Number of bugs that match, up to a maximum; undefined if all have to be read for it. */
export async function countUpTo(most: number, search: Search, tools: SearchTools): Promise<number | undefined> {
  const parts = await compileParts(search, tools);
  const isExact = parts.every(({ rest }) => isEveryBug(rest));
  if (!isExact || (await tools.dialect()).name === "plain") return undefined;
  return (await collectPages(foundBugs(parts, ["id"], tools, most))).length;
}

/** Disjoint parts of a search, each of which fits into a request; those with the highest ids come first. */
async function compileParts({ query, passed }: Search, tools: SearchTools): Promise<readonly Compiled[]> {
  const { name, now } = await tools.dialect();
  return splitByIds(query).map((part) => compile(part, name, now(), passed));
}

/** Bugs in the order of the sort keys: as Bugzilla finds them, as it sorts the first ones, or all of them sorted here. */
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
  if (isBugzilla && isNewestFirst) return yield* foundBugs(parts, include, tools, limit, offset);
  const first = isBugzilla ? await firstInOrder(parts, order, wanted, tools) : undefined;
  if (first) return yield first;
  const bugs = await collectPages(foundBugs(parts, [...include, ...sortFields(order)], tools));
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
  const read = async (fields: readonly string[], most: number, from: number) => {
    const pairs: readonly Pair[] = [
      ...pairsOf(part),
      ["include_fields", fieldsOf(part, fields).join()],
      ["order", orderParameter(order)],
      ["limit", String(most)],
      ...(from > 0 ? [["offset", String(from)] as const] : []),
    ];
    return distinctBugs(readBugs(await tools.send(requestFor(SEARCH_BUGS, pairs))));
  };
  const bugs = await read(include, limit, offset);
  for (const bug of bugs) checkBug(bug, part);
  const isWhole = bugs.length >= limit || bugs.length < (await tools.dialect()).longest();
  if (isWhole) return bugs;
  const next = await read(["id"], 1, offset + bugs.length);
  return next.length === 0 ? bugs : undefined;
}

/** Bugs that match, from an offset on, each page of them as it is read. */
async function* foundBugs(
  parts: readonly Compiled[],
  include: readonly string[],
  tools: SearchTools,
  limit = Number.POSITIVE_INFINITY,
  offset = 0,
): AsyncGenerator<readonly Bug[]> {
  const end = offset + limit;
  const pagesOf = (await tools.dialect()).name === "plain" ? allAtOnce : pagesById;
  let place = 0;
  for (const part of parts) {
    const known = await readKnowledge(part, tools);
    const most = isEveryBug(part.rest) ? end - place : undefined;
    for await (const page of pagesOf(part, fieldsOf(part, include), tools, most)) {
      for (const bug of page) checkBug(bug, part);
      const bugs = page.filter((bug) => evaluate(part.rest, bug, known));
      const shown = bugs.slice(Math.max(0, offset - place), end - place);
      place += bugs.length;
      if (shown.length > 0) yield shown;
      if (place >= end) return;
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

/** What the rest needs: the own login, and for each aside the bugs that meet it, by a search. */
async function readKnowledge(part: Compiled, tools: SearchTools): Promise<Knowledge> {
  const namesMe = leavesOf(part.rest).some((leaf) => Object.values(leaf).flat().includes(PRONOUNS.me));
  const login = namesMe ? await tools.login() : undefined;
  const found = new Map<Leaf, ReadonlySet<number>>();
  for (const leaf of part.asides) {
    const { chart, isExact } = draftLeaf(leaf, (await tools.dialect()).now());
    const fields = ["id", ...(leaf.kind === "flag" ? ["flags"] : [])];
    const candidates = await collectPages(pagesById({ ...part, chart: allOf([part.chart, chart]) }, fields, tools));
    const isRead = leaf.kind !== "test" && !isExact && candidates.length > 0;
    const met = isRead ? await meetingBugs(leaf, candidates, login, tools.send) : candidates;
    found.set(leaf, new Set(met.map(({ id }) => id)));
  }
  return { login, found };
}

/**
 * The candidates that meet a condition on several facts about one flag, or on a change of an item of a list.
 * @throws BtError if a candidate cannot be read
 */
async function meetingBugs(
  leaf: FlagTerm | Change,
  candidates: readonly Bug[],
  login: string | undefined,
  send: SendRequest,
): Promise<readonly Bug[]> {
  const idsOf = (bugs: readonly Bug[]) => bugs.map(({ id }) => String(id));
  if (leaf.kind === "change") {
    const histories = await readPartsOfBugs(idsOf(candidates), historyPlan(), send);
    return candidates.filter(({ id }) =>
      histories.get(String(id))?.history.some((entry) => hasChange(entry, leaf, login)),
    );
  }
  const isMet = (item: Pick<Bug, "flags">) => hasFlag(item, leaf, login);
  const others = candidates.filter((bug) => !isMet(bug));
  const attachments = await readPartsOfBugs(idsOf(others), ATTACHMENTS_OF_BUGS, send);
  return candidates.filter((bug) => isMet(bug) || attachments.get(String(bug.id))?.some(isMet));
}

const PAGE_SIZE = 1000; // bugs in a request

/**
 * Every bug that Bugzilla finds, or `most`, once each, by id: each page begins where the last one ended, so that changes meanwhile
 * neither hide nor repeat bugs. A server may cut responses, so only an empty one is the end, or one that is shorter than its
 * longest.
 */
async function* pagesById(
  search: Compiled,
  fields: readonly string[],
  tools: SearchTools,
  most = Number.POSITIVE_INFINITY,
) {
  const { longest, noteLength } = await tools.dialect();
  let size = PAGE_SIZE;
  let end: number | undefined; // the last id
  for (let count = 0; count < most; ) {
    const below = end === undefined ? [] : [row("bug_id", "lessthan", String(end))];
    const pairs = [...pairsOf(search, ...below), ["include_fields", fields.join()], ["order", "bug_id DESC"]] as const;
    const limit = Math.min(size, most - count);
    const read = await readFitting(pairs, limit, tools.send);
    if (read.size < limit) size = read.size;
    const bugs = distinctBugs(read.bugs);
    const isWhole = read.bugs.length < read.size && read.bugs.length < longest(); // all that is left
    if (isWhole) bugs.sort((one, other) => other.id - one.id);
    end = lastId(bugs, end);
    await noteLength(read.bugs.length);
    if (bugs.length > 0) yield bugs;
    if (bugs.length === 0 || isWhole || end === 1) return;
    count += bugs.length;
  }
}

/** The last id of a page. @throws BtError of kind reply for ids that do not fall */
function lastId(bugs: readonly Bug[], before: number | undefined): number | undefined {
  const ids = bugs.map(({ id }) => id);
  if (ids.every((id, at) => id < (ids[at - 1] ?? before ?? Number.POSITIVE_INFINITY))) return ids.at(-1) ?? before;
  throw new BtError("reply", "the tracker returned bugs out of the order that was requested");
}

/**
 * Every bug that a server of the interface alone finds by its parameters, once each. `limit=0` means all, but a server may have a
 * maximum: the list is continued until a page is empty.
 * @throws BtError of kind reply if the server obeys `limit`, but returns bugs at any offset: what it leaves out cannot be read
 */
async function* allAtOnce(search: Compiled, fields: readonly string[], { send }: SearchTools) {
  const query: readonly Pair[] = [...pairsOf(search), ["include_fields", fields.join()]];
  const found = new Map<number, Bug>();
  let page = await readFitting(query, 0, send);
  const pageSize = page.size || page.bugs.length;
  for (let offset = 0; page.bugs.length > 0; ) {
    const known = found.size;
    for (const bug of page.bugs) found.set(bug.id, bug);
    if (found.size === known) {
      const { bugs } = await readFitting([...query, ["offset", BEYOND_ALL]], 1, send);
      if (bugs.length > 1 || found.size === 1) break; // no limit at all: the list was whole
      if (bugs.length === 1)
        throw new BtError("reply", `the tracker ignores "offset", so that only the first ${known} bugs can be read`);
    }
    offset += page.bugs.length;
    page = await readFitting([...query, ["offset", String(offset)]], pageSize, send);
  }
  yield [...found.values()];
}

const BEYOND_ALL = "1000000000"; // an offset at which no list has a bug

/** A page of at most `limit` bugs, 0 is all; halved while the response is too large or too slow. */
async function readFitting(query: readonly Pair[], limit: number, send: SendRequest) {
  for (let size = limit; ; size = size === 0 ? PAGE_SIZE : Math.ceil(size / 2)) {
    try {
      return { size, bugs: readBugs(await send(requestFor(SEARCH_BUGS, [...query, ["limit", String(size)]]))) };
    } catch (error) {
      const isTooSlow = error instanceof BtError && error.facts.httpStatus === 504;
      if (!(isTooBig(error) || isTooSlow) || size === 1) throw error;
    }
  }
}
