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
  flagRows,
  numberedPairs,
  type Pair,
  row,
  testRows,
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

/** The criteria of a request. */
type RequestParts = {
  readonly parameters: readonly Pair[];
  readonly passed: readonly Pair[]; // of the search page, beside them
  readonly chart: Chart; // Bugzilla's rows
};

/** A query split into a request, and a rest that is tested on the bugs of the response. */
export type Compiled = RequestParts & {
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
  const taken = new Set(passed.map(([name]) => name.replace(/_type$/, ""))); // repeats of a parameter would mean "or"
  const parameters: Pair[] = [];
  const charts: Chart[] = [];
  const inexact: Query[] = [];
  for (const condition of conjunctsOf(query)) {
    const pairs = parameterPairs(condition, dialect, taken);
    parameters.push(...pairs);
    for (const [name] of pairs) taken.add(name);
    if (pairs.length > 0) continue;
    const { chart, isExact } = isPlain ? UNSENT : draftRows(condition, now);
    charts.push(chart);
    if (!isExact) inexact.push(condition);
  }
  const rest = allOf(inexact);
  const leaves = leavesOf(rest);
  if (isPlain) checkPlainSearch(passed, leaves);
  const asides = isPlain ? [] : leaves.filter((leaf) => fieldsShowing(leaf) === undefined || isReadOtherwise(leaf));
  const shown = leaves.filter((leaf) => !asides.includes(leaf));
  return {
    parameters,
    passed,
    chart: allOf(charts),
    rest,
    tested: [...new Set(shown.flatMap((leaf) => fieldsShowing(leaf) ?? []))],
    asides,
    statuses: parameters.flatMap(([name, value]) => (name === "status" ? value : [])),
  };
}

/** @throws BtError of kind refused for pairs of the search page, and for a condition that bugs do not show */
function checkPlainSearch(passed: readonly Pair[], leaves: readonly Leaf[]): void {
  const pair = passed.find(([parameter]) => parameter !== "quicksearch");
  const hidden = leaves.find((leaf): leaf is Test | Change => fieldsShowing(leaf) === undefined); // flags are shown
  const condition = hidden && (hidden.kind === "change" ? "changes of " : "") + hidden.field.api;
  const unknown = pair?.join("=") ?? condition;
  if (unknown !== undefined)
    throw new BtError("refused", `this tracker cannot search by ${unknown}`, {
      hint: "it knows only the parameters of the interface, not Bugzilla's search screen",
    });
}

/** The parameter that means exactly a condition to servers of a dialect; [] if there is none, or its name is taken. */
function parameterPairs(condition: Query, dialect: Dialect, taken: ReadonlySet<string>): readonly Pair[] {
  const tests = (isGroup(condition) && condition.kind === "any" ? condition.of : [condition]) as readonly Test[];
  const field = tests[0]?.field;
  if (field === undefined || tests.some((one) => one.kind !== "test" || one.field !== field)) return [];
  const parameter = field.isCustom ? undefined : PARAMETERS.get(field.api);
  const names = [parameter?.name ?? "", field.chart, field.chart.replaceAll(".", "_")];
  if (parameter === undefined || names.some((one) => taken.has(one))) return [];
  const { name, compares = "value" } = parameter;
  const isSame = ({ op }: Test) => op === OPERATORS[compares] || (op === "empty" && name === "resolution");
  const values = tests.flatMap((one) => (one.op === "empty" ? BLANK : one.values));
  if (!tests.every(isSame) || !areExact(values, field.family, compares, dialect)) return [];
  return field.chart === "bug_id" && values.length > 0 ? [[name, values.join()]] : values.map((value) => [name, value]);
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
  if (compares === "since") return values.length === 1 && has(/^\d/);
  if (compares === "part") return isPlain || (values.length === 1 && !has(/[\s,]/));
  if (compares === "value") return family === "choice" || family === "ranked" || !has(/,/);
  return isPlain && !has(/^%/); // a login, or a whole text
}

const UNSENT: Draft = { chart: EVERY_BUG, isExact: false };

/**
 * Rows for a tree, without inexact rows below "not", which would leave out bugs. `isPart`: of a group or negation; `isNegated`:
 * in an odd number of negations.
 */
function draftRows(query: Query, now: Date, isPart = false, isNegated = false): Draft {
  if (isNot(query)) {
    const { chart, isExact } = draftRows(query.of, now, true, !isNegated);
    return { chart: notOf(chart), isExact };
  }
  if (isGroup(query)) {
    const drafts = query.of.map((one) => draftRows(one, now, true, isNegated));
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
  return (FAMILIES[leaf.field.family].rows ?? testRows)(leaf, now, isNegated);
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
  const withIds = (values: readonly string[]) => parts.map((part) => (part === ids ? { ...ids, values } : part));
  return inChunks(falling, MAX_IDS).map((values) => allOf<Leaf>(withIds(values)));
}

/**
 * Query pairs of a request, at least one: many servers reject a search without criteria, and all
 * know `creation_time`. The numbers of the rows follow those of the passed rows, which may be
 * joined by "or".
 */
export function pairsOf({ parameters, passed, chart }: RequestParts): readonly Pair[] {
  const numbers = passed.map(([name]) => Number(/^f(\d+)$/.exec(name)?.[1] ?? 0));
  const rows = numberedPairs(chart, 1 + Math.max(0, ...numbers));
  const pairs = [...parameters, ...rows, ...passed];
  return pairs.length > 0 ? pairs : [["creation_time", "1970-01-01T00:00:00Z"]]; // every bug
}

/** Query pairs of the search page for a query, which may find more bugs than match. */
export function searchPagePairs(query: Query, now: Date, passed: readonly Pair[]): readonly Pair[] {
  const { chart } = draftRows(query, now);
  const isEmpty = isEveryBug(chart) && passed.length === 0;
  return pairsOf({ parameters: [], passed, chart: isEmpty ? row("bug_id", "greaterthan", "0") : chart });
}
