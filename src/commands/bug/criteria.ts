import { SEARCH_BUGS } from "../../api/bugs.ts";
import { type Catalog, catalogOf, fieldOf } from "../../api/catalog.ts";
import type { SearchPlan } from "../../api/pages.ts";
import { flagName } from "../../api/parameter.ts";
import { compile } from "../../api/query/compile.ts";
import { flagsToTree, type SearchFlags } from "../../api/query/flags-to-tree.ts";
import { resolve } from "../../api/query/resolve.ts";
import { orderText, readSort } from "../../api/query/sort.ts";
import { all, type Query, type Typed } from "../../api/query/tree.ts";
import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { type Input, listOf, textOf } from "../verb.ts";

/** Which bugs a search is about, in which order, checked against the tracker's metadata, and what has to be fetched for it. */
export type Criteria = Pick<SearchPlan, "criteria" | "keep" | "order"> & { readonly needs: readonly string[] };

/**
 * Reads the criteria of a command line; a search without any is refused unless `--all` or a limit says that it is meant.
 * The metadata is only asked for where there is something to check.
 */
export async function readCriteria(input: Input, context: Context): Promise<Criteria> {
  const said = await expressionsOf(input);
  const quicksearch = textOf(input.flags["quicksearch"]);
  if (quicksearch?.trim() === "") throw usage("--quicksearch is empty");
  const given = [...flagsGiven(input), ...said.trees];
  if (given.length === 0 && quicksearch === undefined && !isBounded(input)) throw nothingGiven();
  const sort = [...listOf(input.flags["sort"]), ...said.sort];
  const read = async (catalog: Catalog): Promise<Criteria> => {
    const clock = { now: context.io.now(), zone: context.output.view.timeZone };
    const query = resolve(all([flagsToTree(searchFlags(input), catalog), ...said.trees]), { ...clock, catalog });
    const order = sort.length === 0 ? undefined : orderText(readSort(sort, catalog));
    const login = context.tracker.login;
    return plan({ query, quicksearch, order: order === NEWEST_FIRST ? undefined : order, catalog, login });
  };
  return given.length === 0 && sort.length === 0 ? read(catalogOf([])) : withCatalog(context.tracker, read);
}

function isBounded({ flags }: Input): boolean {
  return flags["all"] === true || Number(textOf(flags["limit"])) > 0;
}

/** The order that pages follow when none is asked for. */
const NEWEST_FIRST = "bug_id DESC";

type Parts = {
  readonly query: Query;
  readonly quicksearch: string | undefined;
  readonly order: string | undefined;
  readonly catalog: Catalog;
  readonly login: () => Promise<string | undefined>;
};

async function plan({ query, quicksearch, order, catalog, login }: Parts): Promise<Criteria> {
  const id = fieldOf(catalog, "id");
  const below = (bug: number): Query => all([query, { kind: "test", field: id, op: "<", values: [String(bug)] }]);
  const { query: pairs, rest, fields } = compile(query);
  const quick = quicksearch === undefined ? [] : [["quicksearch", quicksearch] as const];
  return {
    criteria: (bug) => [...(bug === undefined ? pairs : compile(below(bug)).query), ...quick],
    keep: rest ? await keeper(rest, await login()) : undefined,
    order,
    needs: fields,
  };
}

async function keeper(rest: Query, login: string | undefined): Promise<(bug: Bug) => boolean> {
  const { evaluate } = await import("../../api/query/evaluate.ts");
  return (bug) => evaluate(rest, bug, { login });
}

/** What the search terms and `--where` say; the parser is only loaded for them. */
async function expressionsOf(
  input: Input,
): Promise<{ readonly trees: readonly Typed[]; readonly sort: readonly string[] }> {
  const where = listOf(input.flags["where"]);
  if (input.args.length === 0 && where.length === 0) return { trees: [], sort: [] };
  const { parse, parseTerms } = await import("../../api/query/parse.ts");
  const parsed = [...(input.args.length > 0 ? [parseTerms(input.args)] : []), ...where.map(parse)];
  return { trees: parsed.map(({ tree }) => tree), sort: parsed.flatMap(({ sort }) => sort) };
}

/** Search parameters that say which bugs, and not how many of them. */
const CRITERIA = SEARCH_BUGS.parameters
  .map(({ name }) => name)
  .filter((name) => !["limit", "offset", "quicksearch"].includes(name));

function flagsGiven(input: Input): readonly string[] {
  return CRITERIA.filter((name) => input.flags[flagName(name)] !== undefined);
}

function searchFlags(input: Input): SearchFlags {
  return Object.fromEntries(flagsGiven(input).map((name) => [name, listOf(input.flags[flagName(name)])]));
}

function nothingGiven(): BtError {
  return usage(
    "a search needs a criterion",
    "bt bug search --status @open, or --limit 20 for the newest, or --all for every bug of the tracker",
  );
}

function usage(message: string, hint?: string): BtError {
  return new BtError("usage", message, { hint, changed: "nothing" });
}
