import { BtError } from "../../errors.ts";
import { bugFieldRow, type Family } from "../../wire/bug-fields.ts";
import { inChunks } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { type BugParameter, fieldOf, type SearchComparison } from "../operations/operation.ts";
import { fieldsShowing, jsonName } from "../query/evaluate.ts";
import { FAMILIES } from "../query/families.ts";
import {
  type Chart,
  changeRows,
  type Draft,
  emptyChart,
  exact,
  flagRows,
  momentRows,
  numberRows,
  operatorRow,
  type Pair,
  row,
} from "../query/rows.ts";
import {
  allOf,
  anyOf,
  type Change,
  conjunctsOf,
  EVERY_BUG,
  isEveryBug,
  isGroup,
  isNot,
  type Leaf,
  leavesOf,
  NO_BUG,
  notOf,
  type Query,
  type Test,
} from "../query/tree.ts";
import type { Dialect } from "./dialect.ts";

/** A query split into a request, and a rest that is tested on the bugs of the response. */
export type Compiled = {
  readonly parameters: readonly Pair[];
  readonly passed: readonly Pair[]; // of the search page, beside them
  readonly chart: Chart; // Bugzilla's rows
  readonly rest: Query; // "every bug" if the response is the result
  readonly tested: readonly string[]; // fields of bugs on which the rest is tested
  readonly asides: readonly Leaf[]; // leaves of the rest that bugs do not show: each is a search of its own
  readonly statuses: readonly string[]; // that are requested; empty: any
};

/**
 * Compiles a query: each condition is a parameter if one means exactly the same, else rows. Rows may find too many bugs, never
 * too few; a condition whose rows are not exact is part of the rest, too.
 * @throws BtError of kind refused for a condition that a plain server's bugs do not show
 */
export function compile(query: Query, dialect: Dialect, now: Date, passed: readonly Pair[] = []): Compiled {
  const isPlain = dialect === "plain";
  const foreign = passed.find(([name]) => name !== "quicksearch");
  if (foreign && isPlain) throw unknownHere(foreign.join("="));
  const { parameters, others } = splitParameters(query, dialect, passed);
  const drafts = others.map((condition) => ({ condition, ...(isPlain ? UNSENT : draft(condition, now)) }));
  const rest = allOf(drafts.filter(({ isExact }) => !isExact).map(({ condition }) => condition));
  const leaves = leavesOf(rest);
  const hidden = leaves.find((leaf): leaf is Test | Change => fieldsShowing(leaf) === undefined); // flags are shown
  if (hidden && isPlain) throw unknownHere((hidden.kind === "change" ? "changes of " : "") + hidden.field.api);
  const asides = isPlain ? [] : leaves.filter((leaf) => fieldsShowing(leaf) === undefined || isReadOtherwise(leaf));
  const shown = leaves.filter((leaf) => !asides.includes(leaf));
  return {
    parameters,
    passed,
    chart: allOf(drafts.map(({ chart }) => chart)),
    rest,
    tested: [...new Set(shown.flatMap((leaf) => fieldsShowing(leaf) ?? []))],
    asides,
    statuses: parameters.flatMap(([name, value]) => (name === "status" ? value : [])),
  };
}

function unknownHere(what: string): BtError {
  return new BtError("refused", `this tracker cannot search by ${what}`, {
    hint: "it knows only the parameters of the interface, not Bugzilla's search screen",
  });
}

/**
 * The conditions of a query that are parameters of Search Bugs, and the others. A second condition on a parameter is among the
 * others, since the values of a repeated parameter would mean "or"; so is a condition on a field of passed pairs.
 */
function splitParameters(query: Query, dialect: Dialect, passed: readonly Pair[]) {
  const taken = new Set(passed.map(([name]) => name.replace(/_type$/, "")));
  const parameters: Pair[] = [];
  const others: Query[] = [];
  for (const condition of conjunctsOf(query)) {
    const pairs = parameterPairs(condition, dialect, taken);
    if (pairs === undefined) others.push(condition);
    for (const pair of pairs ?? []) {
      parameters.push(pair);
      taken.add(pair[0]);
    }
  }
  return { parameters, others };
}

/** The parameter that means exactly a condition to servers of a dialect; undefined if there is none, or its name is taken. */
function parameterPairs(condition: Query, dialect: Dialect, taken: ReadonlySet<string>): readonly Pair[] | undefined {
  const tests = (isGroup(condition) && condition.kind === "any" ? condition.of : [condition]) as readonly Test[];
  const field = tests[0]?.field;
  if (field === undefined || tests.some((one) => one.kind !== "test" || one.field !== field)) return undefined;
  const parameter = field.isCustom ? undefined : PARAMETERS.get(field.api);
  const { chart } = field;
  if (parameter === undefined || [parameter.name, chart, chart.replaceAll(".", "_")].some((one) => taken.has(one)))
    return undefined;
  const { name, compares = "value" } = parameter;
  if (tests.some(({ op }) => op !== OPERATORS[compares] && !(op === "empty" && name === "resolution")))
    return undefined;
  const values = tests.flatMap((one) => (one.op === "empty" ? BLANK : one.values));
  if (values.length === 0) return undefined; // which no bug meets; a request without the parameter would find every bug
  if (!areExact(values, field.family, compares, dialect)) return undefined;
  return chart === "bug_id" ? [[name, values.join()]] : values.map((value) => [name, value]);
}

/** The interface's own search parameters by the fields that they are about. */
const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters
    .filter((parameter: BugParameter) => !parameter.isExtra)
    .map((parameter) => [fieldOf(parameter) ?? "", parameter]),
);

/** The operator that a parameter means, by how it compares. */
const OPERATORS = { value: "=", login: "=", text: "=", part: "~", since: ">=" } as const;

/** No resolution: of Bugzilla, which drops "", and of others. */
const BLANK = ["", "---"];

/**
 * True if a parameter with these values finds the same bugs as a row. Bugzilla compares logins and texts by parts or words where
 * rows compare the whole.
 * @see Bugzilla/Search.pm and Bugzilla/WebService/Bug.pm of Bugzilla
 */
function areExact(values: readonly string[], family: Family, compares: SearchComparison, dialect: Dialect): boolean {
  const isPlain = dialect === "plain";
  const has = (pattern: RegExp) => values.some((value) => pattern.test(value));
  switch (compares) {
    case "since":
      return values.length === 1 && has(/^\d/);
    case "part":
      return isPlain || (values.length === 1 && !has(/[\s,]/));
    case "login":
    case "text":
      return isPlain && !has(/^%/);
    case "value":
      return family === "choice" || family === "ranked" || !has(/,/);
  }
}

const UNSENT: Draft = { chart: EVERY_BUG, isExact: false };

/**
 * Rows for a tree, without inexact rows below "not", which would leave out bugs. `isPart`: of a group or negation; `isNegated`:
 * in an odd number of negations.
 */
function draft(query: Query, now: Date, isPart = false, isNegated = false): Draft {
  if (isNot(query)) {
    const { chart, isExact } = draft(query.of, now, true, !isNegated);
    return { chart: notOf(chart), isExact };
  }
  if (isGroup(query)) {
    const drafts = query.of.map((one) => draft(one, now, true, isNegated));
    const join = query.kind === "all" ? allOf : anyOf;
    return { chart: join(drafts.map(({ chart }) => chart)), isExact: drafts.every(({ isExact }) => isExact) };
  }
  const made = isOnlyAlone(query, isPart, isNegated) ? UNSENT : draftLeaf(query, now, isNegated);
  return made.isExact || made.isBelow || !isNegated ? made : { chart: NO_BUG, isExact: false };
}

/**
 * True for a leaf whose rows are right only where every bug has to meet them. Rows on the real name of somebody whom a bug may
 * lack, and pronouns among commenters, leave bugs out of the whole search; the opposite of a change among comments and
 * attachments is met by any other comment, and by private ones.
 * @see Bugzilla/Search.pm, _user_nonchanged, _long_desc_changedby and _changed_security_check
 */
function isOnlyAlone(leaf: Leaf, isPart: boolean, isNegated: boolean): boolean {
  if (leaf.kind === "flag") return false;
  if (leaf.kind === "change")
    return isNegated && /^(?:longdesc|work_time$|flagtypes\.name$|attach)/.test(leaf.field.chart);
  const { field, op, values } = leaf;
  if (bugFieldRow(bugFieldRow(field.api)?.nameOf ?? "")?.isOptional) return isPart || op === "empty";
  if (field.chart === "bug_id") return isPart && values.length > MAX_INNER_IDS;
  return isPart && field.chart === "commenter" && values.some((value) => value.startsWith("%"));
}

/** Rows of one condition, by the family of its field. */
export function draftLeaf(leaf: Leaf, now: Date, isNegated = false): Draft {
  if (leaf.kind === "flag") return flagRows(leaf);
  if (leaf.kind === "change") return changeRows(leaf);
  const { field, op } = leaf;
  if (op === "empty") return exact(emptyChart(field));
  if (field.family === "moment") return momentRows(leaf, now, isNegated);
  return exact((FAMILIES[field.family].rows ?? operatorRow)(leaf));
}

/**
 * True for what servers test otherwise than the bugs that they show: texts and patterns by the database, to which "ß" is "ss",
 * flags of attachments, and custom days, which are shown as midnight in a zone that is not known.
 */
function isReadOtherwise(leaf: Leaf): boolean {
  if (leaf.kind !== "test") return leaf.kind === "flag";
  const { op, field } = leaf;
  const isText = field.family.startsWith("text") || (field.family === "day" && field.isCustom);
  return (isText && op !== "empty") || op === "=~" || jsonName(field) === "flags";
}

/** Maximum number of ids in a request, and in a list below "not" or "or". */
const MAX_IDS = 700;
const MAX_INNER_IDS = 200;

/** Disjoint queries of as many ids as fit into a request, highest first. */
export function splitByIds(query: Query): readonly Query[] {
  const parts = conjunctsOf(query);
  const ids = parts.find((one): one is Test => one.kind === "test" && one.op === "=" && one.field.chart === "bug_id");
  if (ids === undefined || ids.values.length <= MAX_IDS) return [query];
  const falling = ids.values.toSorted((one, other) => Number(other) - Number(one));
  return inChunks(falling, MAX_IDS).map((values) =>
    allOf<Leaf>(parts.map((part) => (part === ids ? { ...ids, values } : part))),
  );
}

/**
 * Query pairs of a compiled query and further rows; there is always one. The numbers of the rows follow those of the passed
 * rows, which may be joined by "or".
 */
export function pairsOf(
  { parameters, passed, chart }: Pick<Compiled, "parameters" | "passed" | "chart">,
  ...more: readonly Chart[]
): readonly Pair[] {
  const numbers = passed.map(([name]) => Number(/^f(\d+)$/.exec(name)?.[1] ?? 0));
  const rows = numberRows(allOf([chart, ...more]), 1 + Math.max(0, ...numbers));
  const pairs = [...parameters, ...rows, ...passed];
  return pairs.length > 0 ? pairs : EVERY_BUG_PAIRS;
}

/** Matches every bug, on any server of the interface; many reject a search without criteria. */
const EVERY_BUG_PAIRS: readonly Pair[] = [["creation_time", "1970-01-01T00:00:00Z"]];

/** Query pairs of the search page for a query, which may find more bugs than match. */
export function pagePairs(query: Query, now: Date, passed: readonly Pair[]): readonly Pair[] {
  const { chart } = draft(query, now);
  const isEmpty = isEveryBug(chart) && passed.length === 0;
  return pairsOf({ parameters: [], passed, chart: isEmpty ? row("bug_id", "greaterthan", "0") : chart });
}
