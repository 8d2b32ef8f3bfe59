import { type Catalog, requireField } from "../../api/catalog.ts";
import type { FactStore } from "../../api/fact-store.ts";
import { legalValue } from "../../api/legal-values.ts";
import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { leavesOf, type Query, type ResolvedTerm } from "../../api/query/tree.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import type { SearchTools, WantedBugs } from "../../api/search/bug-search.ts";
import { type Pace, type PageMemory, pairingPace } from "../../api/search/pace.ts";
import { type BugFilter, findBugs, plansOf } from "../../api/search/search.ts";
import { includedFields } from "../../api/search/search-pages.ts";
import { BtError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { GroupedBugs, Json } from "../../wire/exchange.ts";
import type { Criteria } from "../bug/search/criteria.ts";
import type { Context } from "../verb.ts";
import { checkNames } from "./check-names.ts";
import { unchangedFilter } from "./hidden-changes.ts";

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
  for (const part of await plansOf(criteria, fields, context.session)) {
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

async function checkNamesOf({ query }: Criteria, context: Context): Promise<void> {
  await checkNames(query, context);
}

/** Like `foundBugs`, without checking names if there are none. */
export async function* matchingBugs(
  criteria: Criteria,
  wanted: WantedBugs,
  context: Context,
): AsyncGenerator<readonly Bug[]> {
  yield* findBugs(criteria, wanted, searchTools(context), await changeFilter(criteria, context));
}

/** Connection of searches to the tracker of a command. */
export function searchTools({ session, io: { now, ticks } }: Context): SearchTools {
  let shared: Pace | undefined;
  return {
    ask: session.ask,
    rows: session.rows,
    login: session.login,
    memory: pageMemory(session.memory, now()),
    ticks,
    pace: (aloneMs) => {
      shared ??= pairingPace(ticks, aloneMs);
      return shared;
    },
    checkStatuses: (sent, bugs) => checkStatuses(sent, bugs, session),
  };
}

/**
 * Checks the statuses of a search against those of the bugs found. Bugzilla drops a status that it does not know, and then
 * finds bugs in any: the field metadata is read again where a bug has another one.
 * @throws BtError of kind usage for a status that the tracker no longer has
 */
async function checkStatuses(sent: readonly string[], bugs: readonly Bug[], session: Session): Promise<void> {
  if (bugs.every(({ status }) => !status || sent.includes(status))) return;
  const catalog = await session.freshCatalog();
  for (const status of catalog ? sent : []) legalValue(requireField(catalog as Catalog, "status"), status);
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

/** Filter for searches that exclude changes, of which servers hide some; an embedded tracker knows them all. */
async function changeFilter(criteria: Criteria, context: Context): Promise<BugFilter | undefined> {
  const { session } = context;
  const { passed, query } = criteria;
  if (session.access === undefined || passed || !leavesOf(query).some(isChange)) return undefined;
  const wanted = { include: ["id"], limit: undefined, offset: 0 };
  const search = (other: Query) => matchingBugs({ ...criteria, query: other, order: undefined }, wanted, context);
  return unchangedFilter({ query, search }, session);
}

function isChange({ kind }: ResolvedTerm): boolean {
  return kind === "change";
}
