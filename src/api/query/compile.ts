import { BtError } from "../../errors.ts";
import { type Chart, type ChartDraft, type ChartOptions, draftChart, numberRows, type QueryPair } from "./chart.ts";
import { checkableFields } from "./matching.ts";
import { allOf, anyOf, type Condition, isGroup, isNot, leavesOf, notOf, type Query } from "./tree.ts";

/**
 * A query as it is asked: what is sent, and what the server cannot express or gets wrong. Without a `rest` the server's
 * answer is the answer; with one, each bug must also pass `evaluate(rest, bug)`, for which `fields` have to be fetched.
 */
export type CompiledQuery = {
  readonly query: readonly QueryPair[];
  readonly rest: Query | undefined;
  readonly fields: readonly string[];
  readonly notes: readonly string[]; // what a reader of --explain should know
};

/** `chartsOnly` leaves out the parameters that only the REST interface knows, for a link to the web interface. */
export type CompileOptions = ChartOptions & { readonly chartsOnly?: boolean };

/**
 * Turns a resolved tree into the parameters of Search Bugs, and into what is left to check on the bugs that come. There is
 * always at least one parameter, even for the tree of every bug: whether that may be asked for is the caller's business.
 */
export function compileQuery(query: Query, options: CompileOptions = {}): CompiledQuery {
  const conjuncts = isGroup(query) && query.kind === "all" ? query.of : [query];
  const isPlain = (one: Query): boolean => options.chartsOnly !== true && plainName(one) !== undefined;
  const drafts = conjuncts.filter((one) => !isPlain(one)).map((one) => ({ one, ...draft(one, true, options) }));
  const rest = drafts.filter(({ isExact }) => !isExact).map(({ one }) => one);
  const pairs = [...numberRows(allOf(drafts.map(({ chart }) => chart))), ...plainPairs(conjuncts.filter(isPlain))];
  return {
    query: pairs.length > 0 ? pairs : EVERY_BUG,
    rest: rest.length > 0 ? allOf(rest) : undefined,
    fields: [...new Set(rest.flatMap(fieldsNeeded))],
    notes: [...new Set(drafts.flatMap(({ notes }) => notes))],
  };
}

/** Many servers refuse a search without criteria. */
const EVERY_BUG: readonly QueryPair[] = [
  ["f1", "bug_id"],
  ["o1", "greaterthan"],
  ["v1", "0"],
];

/** "At or after" has a parameter that is right whatever the server's time zone; it may be given once. */
function plainName(query: Query): string | undefined {
  return query.kind === "test" && query.op === ">=" ? PLAIN[query.field.chart] : undefined;
}

const PLAIN: Readonly<Record<string, string>> = { creation_ts: "creation_time", delta_ts: "last_change_time" };

function plainPairs(queries: readonly Query[]): readonly QueryPair[] {
  const latest = new Map<string, string>();
  for (const query of queries) {
    const name = plainName(query) ?? "";
    const [value = ""] = query.kind === "test" ? query.values : [];
    if (value > (latest.get(name) ?? "")) latest.set(name, value);
  }
  return [...latest];
}

/**
 * The rows for a tree. Where rows cannot say exactly what is meant they let too many bugs through, never too few: under a
 * "not" such a leaf therefore stands for nothing at all.
 */
function draft(query: Query, isPositive: boolean, options: CompileOptions): ChartDraft {
  if (isNot(query)) {
    const inner = draft(query.of, !isPositive, options);
    return { ...inner, chart: opposite(inner.chart) };
  }
  if (isGroup(query)) {
    const inner = query.of.map((one) => draft(one, isPositive, options));
    return {
      chart: joinedCharts(
        query.kind,
        inner.map(({ chart }) => chart),
      ),
      isExact: inner.every(({ isExact }) => isExact),
      notes: inner.flatMap(({ notes }) => notes),
    };
  }
  const leaf = draftChart(query, options);
  return leaf.isExact || isPositive ? leaf : { ...leaf, chart: NONE };
}

/** Whether a query compares moments, which rows say in the time zone of the server. */
export function dependsOnZone(query: Query): boolean {
  return leavesOf(query).some(
    (leaf) => leaf.kind === "test" && leaf.field.family === "moment" && leaf.values.some((value) => /^\d/.test(value)),
  );
}

const EVERY: Chart = { kind: "all", of: [] };
const NONE: Chart = { kind: "any", of: [] };

function isConstant(chart: Chart, kind: "all" | "any"): boolean {
  return isGroup(chart) && chart.kind === kind && chart.of.length === 0;
}

function opposite(chart: Chart): Chart {
  if (isConstant(chart, "all")) return NONE;
  return isConstant(chart, "any") ? EVERY : notOf(chart);
}

/** Joins rows; "every bug" vanishes from an `all` and decides an `any`, "no bug" the other way round. */
function joinedCharts(kind: "all" | "any", charts: readonly Chart[]): Chart {
  const other = kind === "all" ? "any" : "all";
  if (charts.some((chart) => isConstant(chart, other))) return kind === "all" ? NONE : EVERY;
  return kind === "all" ? allOf(charts) : anyOf(charts);
}

function fieldsNeeded(query: Query): readonly string[] {
  if (isNot(query)) return fieldsNeeded(query.of);
  if (isGroup(query)) return query.of.flatMap(fieldsNeeded);
  return needed(query);
}

function needed(condition: Condition): readonly string[] {
  const fields = checkableFields(condition);
  if (fields !== undefined) return fields;
  const name = condition.kind === "flag" ? "flag(...)" : condition.field.api;
  throw new BtError("usage", `${name} cannot be joined by "or" with a condition that bt has to check itself`, {
    hint: 'search for the two separately, or join them by "and"',
  });
}

/**
 * A query that names more bugs than fit into one request, as several that name at most `most` each. Their answers do not
 * overlap, and with the numbers going down each answer lies wholly below the one before. Other queries stay as they are.
 */
export function splitIds(query: Query, most: number): readonly Query[] {
  const conjuncts = isGroup(query) && query.kind === "all" ? query.of : [query];
  const list = conjuncts.find(isIdList);
  if (list === undefined || list.values.length <= most) return [query];
  const others = conjuncts.filter((one) => one !== list);
  const falling = [...list.values].sort((one, other) => Number(other) - Number(one));
  const count = Math.ceil(falling.length / most);
  return Array.from({ length: count }, (_, part) =>
    allOf([{ ...list, values: falling.slice(part * most, (part + 1) * most) }, ...others]),
  );
}

type IdList = Condition & { readonly kind: "test" };

function isIdList(query: Query): query is IdList {
  return query.kind === "test" && query.op === "=" && query.field.chart === "bug_id";
}
