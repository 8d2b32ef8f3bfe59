import { fieldOf } from "../../api/catalog.ts";
import { pageMemory, type SearchPlan, searchPages } from "../../api/pages.ts";
import { type Compiled, compile } from "../../api/query/compile.ts";
import { splitIds } from "../../api/query/split-ids.ts";
import { all, type Query } from "../../api/query/tree.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Request } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import type { Criteria } from "./criteria.ts";

/** What is wanted of the bugs that a search finds: their fields, and how many of them. */
export type Wanted = Pick<SearchPlan, "include" | "limit" | "offset">;

/**
 * The bugs that meet the criteria, page by page, each once. More bug numbers than a request can hold are asked for in
 * several, the highest first.
 */
export async function* foundBugs(criteria: Criteria, wanted: Wanted, context: Context): AsyncGenerator<readonly Bug[]> {
  const memory = pageMemory(context.tracker.memory);
  let { limit = Number.POSITIVE_INFINITY } = wanted;
  for (const query of splitIds(criteria.query, MOST_IDS)) {
    const { needs, ...plan } = await planOf({ ...criteria, query }, context.tracker.login);
    const include = [...new Set([...wanted.include, ...needs])];
    const asked = { ...plan, ...wanted, include, limit: Number.isFinite(limit) ? limit : undefined };
    for await (const page of searchPages(asked, context.tracker.ask, memory)) {
      limit -= page.length;
      yield page;
    }
    if (limit <= 0) return;
  }
}

/** So many numbers of up to eight digits, each with its comma, stay well under the length of a request. */
const MOST_IDS = 700;

type AskedSearch = Pick<SearchPlan, "criteria" | "keep" | "order"> & { readonly needs: readonly string[] };

/** Turns criteria into requests. Conditions that were passed on as they came leave no room for a page's own condition. */
async function planOf(criteria: Criteria, login: () => Promise<string | undefined>): Promise<AskedSearch> {
  const compiled = compile(criteria.query);
  const idField = fieldOf(criteria.catalog, "id");
  const below = (id: number): Query => {
    return all([criteria.query, { kind: "test", field: idField, op: "<", values: [String(id)] }]);
  };
  return {
    criteria: (id) => sentPairs(criteria, id === undefined ? compiled : compile(below(id))),
    keep: compiled.rest ? await keeper(compiled.rest, await login()) : undefined,
    order: pagingOrder(criteria),
    needs: compiled.fields,
  };
}

/** Everything that says which bugs are meant, as it is sent. */
export function sentPairs({ passed, quicksearch }: Criteria, compiled: Compiled): Request["query"] {
  const quick = quicksearch === undefined ? [] : [["quicksearch", quicksearch] as const];
  return [...(passed.length > 0 ? passed : compiled.query), ...quick];
}

const NEWEST_FIRST = "bug_id DESC";

/** Newest first is how pages go by themselves; any other order, and conditions passed on, are paged by position. */
function pagingOrder({ order, passed }: Criteria): string | undefined {
  if (passed.length > 0) return order ?? NEWEST_FIRST;
  return order === NEWEST_FIRST ? undefined : order;
}

async function keeper(rest: Query, login: string | undefined): Promise<(bug: Bug) => boolean> {
  const { evaluate } = await import("../../api/query/evaluate.ts");
  return (bug) => evaluate(rest, bug, { login });
}
