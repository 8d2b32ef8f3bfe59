import { BtError } from "../../errors.ts";
import { BUG_FIELD_ROWS, bugFieldRow } from "../../wire/bug-fields.ts";
import { parted } from "../lists.ts";
import {
  type Chart,
  type ChartDraft,
  type ChartOptions,
  draftChart,
  isPerComment,
  numberRows,
  type QueryPair,
} from "./chart.ts";
import { checkableFields } from "./matching.ts";
import { allOf, anyOf, isGroup, isNot, leavesOf, notOf, type Query, type ResolvedTerm } from "./tree.ts";

/**
 * A query split into request parameters and a part that the server cannot evaluate correctly. Without a `rest` the
 * response is the result; else each bug must pass `evaluateQuery(rest, bug)`, which needs `fields`.
 */
export type CompiledQuery = {
  readonly query: readonly QueryPair[];
  readonly rest: Query | undefined;
  readonly fields: readonly string[];
  readonly notes: readonly string[]; // remarks for --explain
};

/** `chartsOnly` omits parameters that only the REST interface accepts, for links to the web interface. */
export type CompileOptions = ChartOptions & { readonly chartsOnly?: boolean };

/**
 * Compiles a resolved tree to parameters of Search Bugs and a rest to evaluate locally. There is always at least one
 * parameter, even for the tree of all bugs: the caller decides whether that may be sent.
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

/** Criterion that matches every bug; many servers reject a search without criteria. */
const EVERY_BUG: readonly QueryPair[] = [
  ["f1", "bug_id"],
  ["o1", "greaterthan"],
  ["v1", "0"],
];

/** Parameter for "at or after", which is independent of the server's zone; valid once per search. */
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

type DraftOptions = CompileOptions & { readonly isPart?: true }; // of a group or negation

/** Rows for a tree. Inexact rows match too many bugs, never too few, so under a "not" such a leaf is dropped. */
function draft(query: Query, isPositive: boolean, options: DraftOptions): ChartDraft {
  const inside: DraftOptions = { ...options, isPart: true };
  if (isNot(query)) {
    const inner = draft(query.of, !isPositive, inside);
    return { ...inner, chart: opposite(inner.chart) };
  }
  if (isGroup(query)) {
    const inner = query.of.map((one) => draft(one, isPositive, inside));
    return {
      chart: joinedCharts(
        query.kind,
        inner.map(({ chart }) => chart),
      ),
      isExact: inner.every(({ isExact }) => isExact),
      notes: inner.flatMap(({ notes }) => notes),
    };
  }
  const isWithout = isNarrowing(query) ? options.isPart || query.op === "empty" : !isPositive && isPerComment(query);
  const leaf = isWithout ? { chart: EVERY, isExact: false, notes: [] } : draftChart(query, options);
  return leaf.isExact || isPositive ? leaf : { ...leaf, chart: NONE };
}

/**
 * True if the server joins the table of a condition so that bugs without a person there are left out of the whole search,
 * wherever the condition is in it: its rows are sent only if every bug has to meet them.
 * @see Bugzilla/Search.pm, _user_nonchanged
 */
function isNarrowing(leaf: ResolvedTerm): leaf is ResolvedTerm & { readonly kind: "test" } {
  if (leaf.kind !== "test") return false;
  const { field, values } = leaf;
  return OPTIONAL_NAMES.has(field.api) || (field.chart === COMMENTER && values.some((one) => one.startsWith("%")));
}

/** Real names of people whom a bug may lack. */
const OPTIONAL_NAMES: ReadonlySet<string> = new Set(
  BUG_FIELD_ROWS.flatMap(([name, { nameOf = "" }]) => (bugFieldRow(nameOf)?.isOptional ? [name] : [])),
);

/** True if a query compares times, which rows express in the server's zone. */
export function dependsOnZone(query: Query): boolean {
  return leavesOf(query).some(
    (leaf) => leaf.kind === "test" && leaf.field.family === "moment" && leaf.values.some((value) => /^\d/.test(value)),
  );
}

const COMMENTER = "commenter";

const EVERY: Chart = { kind: "all", of: [] };
const NONE: Chart = { kind: "any", of: [] };

function isConstant(chart: Chart, kind: "all" | "any"): boolean {
  return isGroup(chart) && chart.kind === kind && chart.of.length === 0;
}

function opposite(chart: Chart): Chart {
  if (isConstant(chart, "all")) return NONE;
  return isConstant(chart, "any") ? EVERY : notOf(chart);
}

/** Joins rows; "every bug" is neutral in an `all` and decides an `any`, "no bug" vice versa. */
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

function needed(condition: ResolvedTerm): readonly string[] {
  const fields = checkableFields(condition);
  if (fields !== undefined) return fields;
  const name = condition.kind === "flag" ? "flag(...)" : condition.field.api;
  if (isNarrowing(condition)) {
    throw new BtError("usage", `servers return too few bugs for this condition on ${name} inside "not" or "or"`, {
      hint: name === COMMENTER ? "use logins" : 'use "~" or "=" in place of a regular expression',
    });
  }
  if (isPerComment(condition)) {
    throw new BtError("usage", `servers return too many bugs for "not" with this condition on ${name}`, {
      hint: "for bugs without a comment by a user: commenter != LOGIN",
    });
  }
  throw new BtError("usage", `${name} cannot be combined by "or" with a condition that only bt can check`, {
    hint: 'run two searches, or combine them with "and"',
  });
}

/**
 * Splits a query by ids, if there are more than fit into one request, into disjoint queries of at most `most` ids, in
 * descending order. Other queries are returned unchanged.
 */
export function splitIds(query: Query, most: number): readonly Query[] {
  const conjuncts = isGroup(query) && query.kind === "all" ? query.of : [query];
  const list = conjuncts.find(isIdList);
  if (list === undefined || list.values.length <= most) return [query];
  const others = conjuncts.filter((one) => one !== list);
  const falling = [...list.values].sort((one, other) => Number(other) - Number(one));
  return parted(falling, most).map((values) => allOf([{ ...list, values }, ...others]));
}

type IdList = ResolvedTerm & { readonly kind: "test" };

function isIdList(query: Query): query is IdList {
  return query.kind === "test" && query.op === "=" && query.field.chart === "bug_id";
}
