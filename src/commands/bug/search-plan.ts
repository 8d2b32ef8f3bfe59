import { type Catalog, requireField } from "../../api/catalog.ts";
import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import type { IdRange } from "../../api/paging/id-range.ts";
import type { Pace, PageMemory, PageTools } from "../../api/paging/pace.ts";
import { includedFields, type SearchPlan, searchPages } from "../../api/paging/search-pages.ts";
import { type CompiledQuery, compileQuery, splitIds } from "../../api/query/compile.ts";
import { allOf, type Comparison, leavesOf, type Query, type ResolvedTerm } from "../../api/query/tree.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { BtError } from "../../errors.ts";
import type { FactStore } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { GroupedBugs, Json, Request } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";
import type { Criteria } from "./search-criteria.ts";

/** A bug, and the number of bugs that are equal to it in some fields. */
export type BugGroup = { readonly bug: Bug; readonly count: number };

/**
 * The bugs that match in groups that are equal in these fields, newest first; undefined if the tracker does not group by
 * them, or if it cannot evaluate all of the criteria. If there are none, the names in the criteria are checked.
 */
export async function foundGroups(
  criteria: Criteria,
  fields: readonly string[],
  context: Context,
): Promise<readonly BugGroup[] | undefined> {
  if (!context.session.canGroup) return undefined;
  try {
    const groups = await matchingGroups(criteria, fields, context);
    if (groups?.length === 0) await checkNamesOf(criteria, context);
    return groups;
  } catch (error) {
    await checkUnknownUser(error, criteria, context);
    throw error;
  }
}

async function matchingGroups(criteria: Criteria, fields: readonly string[], context: Context) {
  const groups: BugGroup[] = [];
  for (const part of await partsOf(criteria, fields, context)) {
    const request = requestFor(SEARCH_BUGS, [...part.criteria({}), ["include_fields", includedFields(part)]]);
    const found = part.keep ? undefined : readGroups(await context.session.ask({ ...request, groupBy: fields }));
    if (found === undefined) return undefined;
    groups.push(...found);
  }
  return groups;
}

function readGroups(answer: Json): readonly BugGroup[] | undefined {
  const { counts } = answer as Partial<GroupedBugs>;
  return counts ? readBugs(answer).map((bug, at) => ({ bug, count: counts[at] ?? 0 })) : undefined;
}

/** Fields and number of the bugs to return. */
export type WantedBugs = Pick<SearchPlan, "include" | "limit" | "offset">;

/**
 * Yields the bugs that match, page by page, each once, in the given order or else newest first. If there are none, the
 * names in the criteria are checked.
 */
export async function* foundBugs(
  criteria: Criteria,
  wanted: WantedBugs,
  context: Context,
): AsyncGenerator<readonly Bug[]> {
  let isEmpty = true;
  try {
    for await (const page of matchingBugs(criteria, wanted, context)) {
      isEmpty &&= page.length === 0;
      yield page;
    }
  } catch (error) {
    await checkUnknownUser(error, criteria, context);
    throw error;
  }
  if (isEmpty && !wanted.offset) await checkNamesOf(criteria, context);
}

async function checkUnknownUser(error: unknown, criteria: Criteria, context: Context): Promise<void> {
  if (error instanceof BtError && error.facts.bugzillaCode === NO_SUCH_USER) await checkNamesOf(criteria, context);
}

const NO_SUCH_USER = 51; // for changes by an unknown login

async function checkNamesOf({ names }: Criteria, context: Context): Promise<void> {
  await (await import("./check-names.ts")).checkNames(names, context);
}

/** Like `foundBugs`, without checking names if there are none. */
export async function* matchingBugs(
  criteria: Criteria,
  wanted: WantedBugs,
  context: Context,
): AsyncGenerator<readonly Bug[]> {
  const tools = pageTools(context);
  const parts = await partsOf(criteria, wanted.include, context);
  const { order = NEWEST_FIRST } = criteria;
  if (order === NEWEST_FIRST) yield* byNumber(parts, wanted, tools);
  else if (order === OLDEST_FIRST)
    yield* byNumber(parts.map((part) => ({ ...part, isOldestFirst: true })).reverse(), wanted, tools);
  else yield* inOrder({ parts, order, catalog: criteria.catalog }, wanted, tools);
}

async function partsOf(criteria: Criteria, include: readonly string[], context: Context): Promise<readonly Part[]> {
  const unchanged = await unchangedKeeper(criteria, context);
  const parts: Part[] = [];
  for (const query of splitIds(criteria.query, MOST_IDS)) {
    parts.push({ ...(await partOf({ ...criteria, query }, unchanged, context)), include });
  }
  return parts;
}

function pageTools({ session: { ask, memory }, io: { now, ticks } }: Context): PageTools {
  let shared: Promise<Pace> | undefined;
  const pace = (aloneMs: number) => {
    shared ??= import("../../api/paging/pace.ts").then(({ pairingPace }) => pairingPace(ticks, aloneMs));
    return shared;
  };
  return { ask, memory: pageMemory(memory, now()), ticks, pace };
}

/** The memory of a tracker's pages inside its store of facts. It counts for a day, since a maximum may be lowered. */
export function pageMemory(store: FactStore, now: Date): PageMemory {
  return {
    longest: async () => {
      const { longest, seen } = (await store.read("pages")) ?? {};
      const age = now.getTime() - Number(seen);
      return typeof longest === "number" && Number.isSafeInteger(longest) && age >= 0 && age < DAY_MS ? longest : 0;
    },
    remember: (longest) => store.write("pages", { longest, seen: now.getTime() }),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Maximum number of ids in one request, well within its length limit. */
const MOST_IDS = 700;

const NEWEST_FIRST = "bug_id DESC";
const OLDEST_FIRST = "bug_id";

/** One of several disjoint searches, highest ids first, if more ids are given than fit into a request. */
type Part = Omit<SearchPlan, "limit" | "offset">;

type Keeper = (bug: Bug) => boolean;

/** Converts criteria to requests; `unchanged` filters the bugs of all parts. */
async function partOf(
  criteria: Criteria,
  unchanged: Keeper | undefined,
  { session }: Context,
): Promise<Omit<Part, "include">> {
  const compiled = compileQuery(criteria.query, { serverZone: criteria.zone });
  const own = compiled.rest && (await keeper(compiled.rest, await session.login()));
  const filters = [own, unchanged].filter((one) => one !== undefined);
  return {
    criteria: (range) => [...sentPairs(criteria, narrowed(criteria, compiled, range)), ...passedRange(criteria, range)],
    keep: filters.length === 0 ? undefined : (bug) => filters.every((keeps) => keeps(bug)),
    needs: compiled.fields,
  };
}

/** Filter for searches that exclude changes, of which servers hide some; an embedded tracker knows them all. */
async function unchangedKeeper(criteria: Criteria, context: Context): Promise<Keeper | undefined> {
  const { session } = context;
  const { passed, query } = criteria;
  if (session.access === undefined || passed.length > 0 || !leavesOf(query).some(isChange)) return undefined;
  const wanted = { include: ["id"], limit: undefined, offset: 0 };
  const search = (other: Query) => matchingBugs({ ...criteria, query: other, order: NEWEST_FIRST }, wanted, context);
  return (await import("./hidden-changes.ts")).unchangedFilter({ query, search }, session);
}

function isChange({ kind }: ResolvedTerm): boolean {
  return kind === "change";
}

function narrowed({ query, catalog, passed, zone }: Criteria, compiled: CompiledQuery, range: IdRange): CompiledQuery {
  const ends = passed.length > 0 ? [] : idTests(range, catalog);
  return ends.length === 0 ? compiled : compileQuery(allOf([query, ...ends]), { serverZone: zone });
}

function idTests({ from, below }: IdRange, catalog: Catalog): readonly Query[] {
  return [
    ...(below === undefined ? [] : [idTest(catalog, "<", below)]),
    ...(from === undefined ? [] : [idTest(catalog, ">=", from)]),
  ];
}

function idTest(catalog: Catalog, op: Exclude<Comparison, ":">, ...ids: readonly number[]): Query {
  return { kind: "test", field: requireField(catalog, "id"), op, values: ids.map(String) };
}

/** Range conditions beside passed ones; these may be joined by OR, while rows of the old form are always ANDed. */
function passedRange({ passed }: Criteria, { from, below }: IdRange): Request["query"] {
  if (passed.length === 0) return [];
  const ends = [
    ...(below === undefined ? [] : [["lessthan", below] as const]),
    ...(from === undefined ? [] : [["greaterthaneq", from] as const]),
  ];
  return ends.flatMap(([operator, id], at) => [
    [`field0-${at}-0`, "bug_id"] as const,
    [`type0-${at}-0`, operator] as const,
    [`value0-${at}-0`, String(id)] as const,
  ]);
}

/** Query pairs of all criteria as sent. */
export function sentPairs({ passed, quicksearch }: Criteria, compiled: CompiledQuery): Request["query"] {
  const quick = quicksearch === undefined ? [] : [["quicksearch", quicksearch] as const];
  return [...(passed.length > 0 ? passed : compiled.query), ...quick];
}

async function keeper(rest: Query, login: string | undefined): Promise<Keeper> {
  const { evaluateQuery } = await import("../../api/query/evaluate.ts");
  return (bug) => evaluateQuery(rest, bug, { login });
}

async function* byNumber(parts: readonly Part[], wanted: WantedBugs, tools: PageTools) {
  const [only] = parts;
  if (only && parts.length === 1) return yield* searchPages({ ...only, ...wanted }, tools);
  let { limit = Number.POSITIVE_INFINITY, offset = 0 } = wanted;
  for (const part of parts) {
    for await (const page of searchPages({ ...part, limit: offset + limit }, tools)) {
      const shown = page.slice(offset, offset + limit);
      offset = Math.max(0, offset - page.length);
      limit -= shown.length;
      yield shown;
    }
    if (limit <= 0) return;
  }
}

type InOrder = { readonly parts: readonly Part[]; readonly order: string; readonly catalog: Catalog };

async function* inOrder({ parts, order, catalog }: InOrder, wanted: WantedBugs, tools: PageTools) {
  const [{ sortedPages }, { sortingOf }] = await Promise.all([
    import("../../api/paging/sorted-pages.ts"),
    import("../../api/paging/sorting.ts"),
  ]);
  const { include, ...size } = wanted;
  const byIds = (ids: readonly number[]): SearchPlan => ({
    criteria: (range) => compileQuery(allOf([idTest(catalog, "=", ...ids), ...idTests(range, catalog)])).query,
    include,
    limit: ids.length,
  });
  yield* sortedPages({ parts, order, sorting: () => sortingOf(order, catalog), byIds, ...size }, tools);
}
