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
  conjunctsOf,
  EVERY_BUG,
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

/** A query split into a request, and a rest to test here, which needs `fields` of each bug. */
export type Compiled = {
  readonly parameters: readonly Pair[];
  readonly passed: readonly Pair[]; // of the search page, beside them
  readonly chart: Chart; // Bugzilla's rows
  readonly rest: Query; // "every bug" if the response is the result
  readonly fields: readonly string[];
  readonly asides: readonly Leaf[]; // leaves of the rest that bugs do not show: each is a search of its own
};

/**
 * Compiles a query: what a parameter means exactly goes as one, else as rows, which may find too many bugs, never too few; such
 * conditions are tested here as well.
 * @throws BtError of kind refused for a condition that a plain server's bugs do not show
 */
export function compile(query: Query, dialect: Dialect, now: Date, passed: readonly Pair[] = []): Compiled {
  const foreign = passed.find(([name]) => name !== "quicksearch");
  if (foreign && dialect === "plain") throw unknownHere(foreign.join("="));
  const { pairs, others } = splitParameters(query, dialect, passed);
  const drafts = others.map((one) => ({ one, ...(dialect === "plain" ? UNSENT : draft(one, now)) }));
  const rest = allOf(drafts.filter(({ isExact }) => !isExact).map(({ one }) => one));
  const leaves = leavesOf(rest);
  const asides = leaves.filter(
    (leaf) => fieldsShowing(leaf) === undefined || (dialect === "bugzilla" && isReadOtherwise(leaf)),
  );
  const [unseen] = asides;
  if (unseen && dialect === "plain") {
    const name = unseen.kind === "flag" ? "flags" : unseen.field.api;
    throw unknownHere(unseen.kind === "change" ? `changes of ${name}` : name);
  }
  return {
    parameters: pairs,
    passed,
    chart: allOf(drafts.map(({ chart }) => chart)),
    rest,
    fields: [...new Set(leaves.filter((leaf) => !asides.includes(leaf)).flatMap((leaf) => fieldsShowing(leaf) ?? []))],
    asides,
  };
}

/** Query pairs of a compiled query and further rows; there is always one. */
export function pairsOf({ parameters, passed, chart }: Compiled, ...more: readonly Chart[]): readonly Pair[] {
  const pairs = [...parameters, ...rowsAfter(passed, allOf([chart, ...more])), ...passed];
  return pairs.length > 0 ? pairs : EVERY_BUG_PAIRS;
}

/** Matches every bug, on any server of the interface; many reject a search without criteria. */
const EVERY_BUG_PAIRS: readonly Pair[] = [["creation_time", "1970-01-01T00:00:00Z"]];

/** Query pairs of the search page for a query, which may find more bugs than match. */
export function pagePairs(query: Query, now: Date, passed: readonly Pair[]): readonly Pair[] {
  const pairs = [...rowsAfter(passed, draft(query, now).chart), ...passed];
  return pairs.length > 0 ? pairs : numberRows(row("bug_id", "greaterthan", "0"));
}

/** Rows, numbered after the rows of the page, which may be joined by "or". */
function rowsAfter(passed: readonly Pair[], chart: Chart): readonly Pair[] {
  return numberRows(chart, 1 + Math.max(0, ...passed.map(([name]) => Number(/^f(\d+)$/.exec(name)?.[1] ?? 0))));
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
    const inner = query.of.map((one) => draft(one, now, true, isNegated));
    const join = query.kind === "all" ? allOf : anyOf;
    return { chart: join(inner.map(({ chart }) => chart)), isExact: inner.every(({ isExact }) => isExact) };
  }
  const made = isOnlyAlone(query, isPart, isNegated) ? UNSENT : draftLeaf(query, now, isNegated);
  return made.isExact || made.isBelow || !isNegated ? made : { chart: NO_BUG, isExact: false };
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

function unknownHere(what: string): BtError {
  return new BtError("refused", `this tracker cannot search by ${what}`, {
    hint: "it knows only the parameters of the interface, not Bugzilla's search screen",
  });
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
 * Splits the conjuncts of a query into parameters of Search Bugs and others. A second condition on a parameter is left over, since
 * the values of one would mean "or"; so is one on a field of passed pairs.
 */
function splitParameters(query: Query, dialect: Dialect, passed: readonly Pair[]) {
  const reserved = new Set(passed.map(([name]) => name.replace(/_type$/, "")));
  const pairs: Pair[] = [];
  const others: Query[] = [];
  for (const condition of conjunctsOf(query)) {
    const made = parameterPairs(condition, dialect, reserved);
    if (made?.every(([name]) => !pairs.some(([other]) => other === name))) pairs.push(...made);
    else others.push(condition);
  }
  return { pairs, others };
}

/** The interface's own search parameters by the fields that they are about. */
const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters
    .filter((parameter: BugParameter) => !parameter.isExtra)
    .map((parameter) => [fieldOf(parameter) ?? "", parameter]),
);

/** The parameter that means exactly a condition to servers of a dialect, if there is one. */
function parameterPairs(
  condition: Query,
  dialect: Dialect,
  reserved: ReadonlySet<string>,
): readonly Pair[] | undefined {
  const tests = (isGroup(condition) && condition.kind === "any" ? condition.of : [condition]) as readonly Test[];
  const field = tests[0]?.field;
  if (field === undefined || tests.some((one) => one.kind !== "test" || one.field !== field)) return undefined;
  const parameter = field.isCustom ? undefined : PARAMETERS.get(field.api);
  const { chart } = field;
  if (parameter === undefined || [parameter.name, chart, chart.replaceAll(".", "_")].some((one) => reserved.has(one)))
    return undefined;
  const { name, compares = "value" } = parameter;
  if (tests.some(({ op }) => op !== CARRIED[compares] && !(op === "empty" && name === "resolution"))) return undefined;
  const values = tests.flatMap(({ op, values: own }) => (op === "empty" ? BLANK : own));
  if (!areExact(values, field.family, compares, dialect)) return undefined;
  return chart === "bug_id" ? [[name, values.join()]] : values.map((value) => [name, value]);
}

/** The operator of each kind of parameter. */
const CARRIED = { value: "=", login: "=", text: "=", part: "~", since: ">=" } as const;

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
