import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { type Catalog, STANDARD_FIELDS } from "../catalog/catalog.ts";
import type { RowSupport } from "../facts/row-support.ts";
import { allOf, type Query } from "../query/tree.ts";
import type { CompiledQuery } from "./compile.ts";
import type { PageTools } from "./pace.ts";
import type { SearchPlan } from "./search-pages.ts";
import type { WebSearch } from "./web-search.ts";

/** A search for bugs, in an order. */
export type BugSearch = {
  readonly query: Query;
  readonly passed: WebSearch | undefined; // sent in place of the query
  readonly quicksearch: string | undefined;
  readonly order: string | undefined; // the `order` parameter; undefined: newest first
  readonly catalog: Catalog;
  readonly zone: string | undefined; // zone in which the server reads times, if relevant and known
};

/** Fields and number of the bugs to return. */
export type WantedBugs = Pick<SearchPlan, "include" | "limit" | "offset">;

/** Tools of a search: how it sends requests, and what is known about the tracker. */
export type SearchTools = PageTools & {
  rows: RowSupport;
  login: () => Promise<string | undefined>;
  /**
   * Checks the statuses of a search against those of the bugs found. Bugzilla drops a status that it does not know, and then
   * finds bugs in any: the field metadata is read again where a bug has another one.
   * @throws BtError of kind usage for a status that the tracker no longer has
   */
  checkStatuses: (sent: readonly string[], bugs: readonly Bug[]) => Promise<void>;
  knowsAllChanges: boolean; // false: private ones are hidden from searches that exclude changes
  canGroup: boolean; // it knows `groupBy` of a request
};

/** A search without conditions, by standard fields. */
export const PLAIN_SEARCH: BugSearch = {
  query: allOf([]),
  passed: undefined,
  quicksearch: undefined,
  order: undefined,
  catalog: STANDARD_FIELDS,
  zone: undefined,
};

/** Values of `order` that need no sorting. */
export const NEWEST_FIRST = "bug_id DESC";
export const OLDEST_FIRST = "bug_id";

/** Query pairs of all criteria as sent. A quicksearch is a criterion itself, so that one for every bug goes without. */
export function sentPairs(
  { passed, quicksearch }: BugSearch,
  { query, isEverything }: CompiledQuery,
): Request["query"] {
  if (passed) return passed.pairs;
  if (quicksearch === undefined) return query;
  return [...(isEverything ? [] : query), ...quickPairs(quicksearch)];
}

/** The `quicksearch` parameter, if there is one. */
export function quickPairs(quicksearch: string | undefined): Request["query"] {
  return quicksearch === undefined ? [] : [["quicksearch", quicksearch]];
}
