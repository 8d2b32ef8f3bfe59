import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { GroupedBugs, Json } from "../../wire/exchange.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor } from "../operations/operation.ts";
import { leavesOf } from "../query/tree.ts";
import { hasCode } from "../response/response-errors.ts";
import { readBugs } from "../response/response-objects.ts";
import type { BugSearch, SearchTools, WantedBugs } from "./bug-search.ts";
import { checkNames } from "./check-names.ts";
import { compileParts, matchingBugs, searchPlans } from "./search.ts";
import { includedFields } from "./search-pages.ts";

/** A bug, and the number of bugs that are equal to it in some fields. */
export type BugGroup = { readonly bug: Bug; readonly count: number };

/**
 * The bugs that match in groups that are equal in these fields, newest first; undefined if the tracker does not group by
 * them, or if it cannot evaluate all of the criteria. If there are none, the names in the criteria are checked.
 */
export async function findBugGroups(
  search: BugSearch,
  fields: readonly string[],
  tools: SearchTools,
): Promise<BugGroup[] | undefined> {
  if (!tools.canGroup) return undefined;
  try {
    const groups = await requestBugGroups(search, fields, tools);
    if (groups?.length === 0) await checkNames(search.query, tools);
    return groups;
  } catch (error) {
    await checkUnknownUser(error, search, tools);
    throw error;
  }
}

async function requestBugGroups(search: BugSearch, fields: readonly string[], tools: SearchTools) {
  const groups: BugGroup[] = [];
  for (const part of await searchPlans(search, compileParts(search), fields, tools)) {
    const request = requestFor(SEARCH_BUGS, [...part.criteria({}), ["include_fields", includedFields(part)]]);
    const found = part.keep ? undefined : readBugGroups(await tools.send({ ...request, groupBy: fields }));
    if (found === undefined) return undefined;
    groups.push(...found);
  }
  return groups;
}

function readBugGroups(response: Json): BugGroup[] | undefined {
  const { counts } = response as Partial<GroupedBugs>;
  return counts ? readBugs(response).map((bug, at) => ({ bug, count: counts[at] ?? 0 })) : undefined;
}

/**
 * Number of bugs that match, up to a maximum; undefined where the tracker cannot evaluate all of the criteria, and many
 * bugs would have to be read, or where it does not answer.
 */
export async function countUpTo(most: number, search: BugSearch, tools: SearchTools): Promise<number | undefined> {
  const isRead = leavesOf(search.query).some(({ kind }) => kind !== "test");
  const isInPart = () => compileParts(search).some(({ compiled }) => compiled.rest !== undefined);
  if (isRead || isInPart() || (await tools.rows.known()) === false) return undefined;
  let count = 0;
  try {
    const found = matchingBugs({ ...search, order: undefined }, { include: ["id"], limit: most }, tools);
    for await (const page of found) count += page.length;
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
  return count;
}

/**
 * Yields the bugs that match, page by page, each once, in the given order or else newest first. If there are none, the
 * names in the criteria are checked.
 */
export async function* matchingBugsOrNameError(
  search: BugSearch,
  wanted: WantedBugs,
  tools: SearchTools,
): AsyncGenerator<readonly Bug[]> {
  let isEmpty = true;
  try {
    for await (const page of matchingBugs(search, wanted, tools)) {
      isEmpty &&= page.length === 0;
      yield page;
    }
  } catch (error) {
    await checkUnknownUser(error, search, tools);
    throw error;
  }
  if (isEmpty && !wanted.offset) await checkNames(search.query, tools);
}

async function checkUnknownUser(error: unknown, search: BugSearch, tools: SearchTools): Promise<void> {
  const isUnknown = hasCode(error, "object_does_not_exist");
  if (isUnknown) await checkNames(search.query, tools);
}
