import { BtError } from "../../errors.ts";
import { BUG_FIELD_ROWS, bugFieldRow } from "../../wire/bug-fields.ts";
import { inChunks } from "../lists.ts";
import { EVERY_BUG } from "../operations/bugs.ts";
import {
  type Chart,
  type ChartDraft,
  type ChartOptions,
  draftChart,
  isPerComment,
  numberRows,
  type QueryPair,
} from "../query/chart.ts";
import { fieldsShowing, jsonName, mustReadEachBug } from "../query/matching.ts";
import {
  allOf,
  anyOf,
  conjunctsOf,
  isGroup,
  isNot,
  leavesOf,
  notOf,
  type Query,
  type ResolvedTerm,
} from "../query/tree.ts";
import { splitParameters } from "./parameters.ts";

/**
 * A query split into what is sent to a tracker and a rest that it cannot evaluate correctly. Without a `rest` the response
 * is the result; else each bug must pass `evaluateQuery(rest, bug)`, which needs `fields`.
 */
export type CompiledQuery = {
  readonly query: readonly QueryPair[];
  readonly isEverything: boolean; // `query` has no condition, only what finds every bug
  readonly rest: Query | undefined;
  readonly fields: readonly string[];
};

/** A query for a Bugzilla. A server that ignores rows finds too many bugs, unless they only make parameters exact. */
export type BugzillaQuery = CompiledQuery & {
  readonly parameters: readonly QueryPair[]; // the interface's own, of `query`
  readonly restsOnRows: boolean;
  readonly statuses: readonly string[]; // in `parameters`; Bugzilla drops a status that it does not know
  readonly notes: readonly string[]; // remarks for --explain
};

/** `rowsOnly` omits parameters that the search page of the web interface does not know. */
export type CompileOptions = ChartOptions & { rowsOnly?: boolean };

/**
 * Compiles a resolved tree for a Bugzilla: to parameters of Search Bugs as far as they exist, else to rows of its search
 * screen, and to a rest to evaluate locally. There is always at least one parameter or row, even for the tree of all bugs:
 * the caller decides whether that may be sent.
 */
export function compileQuery(query: Query, options: CompileOptions = {}): BugzillaQuery {
  const { carried, others } = options.rowsOnly ? { carried: [], others: conjunctsOf(query) } : splitParameters(query);
  const drafts = others.map((one) => ({ one, ...draftTree(one, options) }));
  const rest = drafts.filter(({ isExact }) => !isExact).map(({ one }) => one);
  const parameters = carried.flatMap((condition) => condition.pairs);
  const additions = carried.flatMap(({ exact }) => (exact ? [draftTree(exact, options).chart] : []));
  const rows = numberRows(allOf([...drafts.map(({ chart }) => chart), ...additions]));
  const pairs = [...parameters, ...carried.flatMap(({ types }) => types), ...rows];
  return {
    ...compiledQuery(pairs, rest, fieldsToEvaluate),
    parameters,
    restsOnRows: drafts.some(({ chart }) => !isConstant(chart, "all")),
    statuses: parameters.filter(([name]) => name === "status").map(([, value]) => value),
    notes: [...new Set(drafts.flatMap(({ notes }) => notes))],
  };
}

/**
 * Compiles a resolved tree for a server that knows the interface alone: to parameters of Search Bugs, and to a rest to
 * evaluate locally.
 * @throws BtError of kind refused for a condition that bugs do not show
 */
export function compileForInterface(query: Query): CompiledQuery {
  const { carried, others } = splitParameters(query);
  const pairs = carried.flatMap(({ pairs: own }) => own);
  return compiledQuery(pairs, others, shownFields);
}

function compiledQuery(
  pairs: QueryPair[],
  rest: readonly Query[],
  fieldsFor: (leaf: ResolvedTerm) => string[],
): CompiledQuery {
  const isEverything = pairs.length === 0;
  return {
    query: isEverything ? EVERY_BUG : pairs,
    isEverything,
    rest: rest.length > 0 ? allOf(rest) : undefined,
    fields: [...new Set(rest.flatMap(leavesOf).flatMap(fieldsFor))],
  };
}

/** `isPart`: of a group or negation; `isNegated`: in an odd number of negations. */
type DraftOptions = CompileOptions & { isPart?: true; isNegated?: boolean };

/** Rows for a tree. Inexact rows match too many bugs, never too few, so under a "not" such a leaf is dropped. */
function draftTree(query: Query, options: DraftOptions): ChartDraft {
  const { isNegated = false } = options;
  const inside: DraftOptions = { ...options, isPart: true };
  if (isNot(query)) {
    const inner = draftTree(query.of, { ...inside, isNegated: !isNegated });
    return { ...inner, chart: oppositeChart(inner.chart) };
  }
  if (isGroup(query)) {
    const inner = query.of.map((one) => draftTree(one, inside));
    return {
      chart: joinedCharts(
        query.kind,
        inner.map(({ chart }) => chart),
      ),
      isExact: inner.every(({ isExact }) => isExact),
      notes: inner.flatMap(({ notes }) => notes),
    };
  }
  if (options.isPart && isIdList(query) && query.values.length > MAX_INNER_IDS)
    return { chart: isNegated ? NONE : EVERY, isExact: false, notes: [] };
  const isWithout = isNarrowing(query)
    ? options.isPart || query.op === "empty" || (query.field.chart === COMMENTER && query.values.length > 1)
    : isNegated && isPerComment(query);
  const leaf = isWithout ? { chart: EVERY, isExact: false, notes: [] } : draftChart(query, options);
  return leaf.isExact || !isNegated ? leaf : { ...leaf, chart: NONE };
}

/**
 * True if the server joins the table of a condition so that bugs without a person there are left out of the whole search,
 * wherever the condition is in it: its rows are sent only if every bug has to meet them.
 * @see Bugzilla/Search.pm, _user_nonchanged
 */
function isNarrowing(leaf: ResolvedTerm): leaf is ResolvedTerm & { kind: "test" } {
  if (leaf.kind !== "test") return false;
  const { field, values } = leaf;
  return OPTIONAL_NAMES.has(field.api) || (field.chart === COMMENTER && values.some((one) => one.startsWith("%")));
}

/** Real names of people whom a bug may lack. */
const OPTIONAL_NAMES: ReadonlySet<string> = new Set(
  BUG_FIELD_ROWS.flatMap(([name, { nameOf = "" }]) => (bugFieldRow(nameOf)?.isOptional ? [name] : [])),
);

/** True if a query compares times. */
export function comparesTimes(query: Query): boolean {
  return leavesOf(query).some((leaf) => {
    if (leaf.kind === "flag" || leaf.field.family !== "moment") return false;
    return leaf.kind === "change"
      ? (leaf.from ?? leaf.to) !== undefined
      : leaf.values.some((value) => /^\d/.test(value));
  });
}

const COMMENTER = "commenter";

const EVERY: Chart = { kind: "all", of: [] };
const NONE: Chart = { kind: "any", of: [] };

function isConstant(chart: Chart, kind: "all" | "any"): boolean {
  return isGroup(chart) && chart.kind === kind && chart.of.length === 0;
}

function oppositeChart(chart: Chart): Chart {
  if (isConstant(chart, "all")) return NONE;
  return isConstant(chart, "any") ? EVERY : notOf(chart);
}

/** Joins rows; "every bug" is neutral in an `all` and decides an `any`, "no bug" vice versa. */
function joinedCharts(kind: "all" | "any", charts: Chart[]): Chart {
  const other = kind === "all" ? "any" : "all";
  if (charts.some((chart) => isConstant(chart, other))) return kind === "all" ? NONE : EVERY;
  return kind === "all" ? allOf(charts) : anyOf(charts);
}

/** Fields of a bug that show if it meets a condition which a Bugzilla cannot evaluate correctly. */
function fieldsToEvaluate(condition: ResolvedTerm): string[] {
  if (mustReadEachBug(condition)) return fieldsShowing(condition) ?? [];
  const fields = hasForeignPattern(condition) || isOfFlags(condition) ? undefined : fieldsShowing(condition);
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

/** True for a regular expression, which Bugzilla's database reads otherwise than JavaScript. */
function hasForeignPattern(condition: ResolvedTerm): boolean {
  return condition.kind === "test" && condition.op === "=~";
}

/** True for a condition on flags, of which bugs do not show those of their attachments. */
function isOfFlags(condition: ResolvedTerm): boolean {
  return condition.kind === "flag" || (condition.kind === "test" && jsonName(condition.field) === "flags");
}

function shownFields(condition: ResolvedTerm): string[] {
  const fields = fieldsShowing(condition);
  if (fields !== undefined) return fields;
  const what = { change: "changes of ", flag: "", test: "" }[condition.kind];
  const name = condition.kind === "flag" ? "flags" : condition.field.api;
  throw new BtError("refused", `this tracker cannot search by ${what}${name}, and bugs do not show it`, {
    hint: "it evaluates only the parameters of the interface, not the rows of Bugzilla's search screen",
    changed: "nothing",
  });
}

/** Maximum number of ids in one request, well within its length limit. */
export const MAX_IDS = 700;

/** Maximum number of ids of a list below "not" or "or", of which there may be several in a request. */
const MAX_INNER_IDS = 200;

/**
 * Splits a query by ids, if there are more than fit into one request, into disjoint queries of at most `most` ids, in
 * descending order. Other queries are returned unchanged.
 */
export function splitByIds(query: Query, most: number): Query[] {
  const lists = conjunctsOf(query).filter(isIdList);
  if (lists.length > 1) return splitByIds(withOneIdList(query, lists), most);
  const conjuncts = conjunctsOf(query);
  const [list] = lists;
  if (list === undefined || list.values.length <= most) return [query];
  const others = conjuncts.filter((one) => one !== list);
  const falling = [...list.values].sort((one, other) => Number(other) - Number(one));
  return inChunks(falling, most).map((values) => allOf([{ ...list, values }, ...others]));
}

/** The query with the ids that all of its lists have. */
function withOneIdList(query: Query, [first, ...others]: IdList[]): Query {
  if (first === undefined) return query;
  const values = first.values.filter((id) => others.every((list) => list.values.includes(id)));
  const rest = conjunctsOf(query).filter((one) => one !== first && !others.includes(one as IdList));
  return allOf([values.length > 0 ? { ...first, values } : NO_BUG, ...rest]);
}

const NO_BUG: Query = anyOf([]);

type IdList = ResolvedTerm & { kind: "test" };

function isIdList(query: Query): query is IdList {
  return query.kind === "test" && query.op === "=" && query.field.chart === "bug_id";
}
