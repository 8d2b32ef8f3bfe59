import { BtError } from "../../errors.ts";
import { bugFieldRow } from "../../wire/bug-fields.ts";
import { inChunks } from "../lists.ts";
import { EVERY_BUG as EVERY_BUG_PAIRS, SEARCH_BUGS } from "../operations/bugs.ts";
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
  isListChange,
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
  const [foreign] = passed.filter(([name]) => name !== "quicksearch");
  if (foreign !== undefined && dialect === "plain") throw unknownHere(foreign.join("="));
  const { pairs, others } = splitParameters(query, dialect, passed);
  const drafts = others.map((one) => ({ one, ...(dialect === "plain" ? UNSENT : draft(one, now)) }));
  const rest = allOf(drafts.filter(({ isExact }) => !isExact).map(({ one }) => one));
  const leaves = leavesOf(rest);
  const asides = leaves.filter(
    (leaf) => fieldsShowing(leaf) === undefined || (dialect === "bugzilla" && isReadOtherwise(leaf)),
  );
  const [unseen] = asides;
  if (unseen !== undefined && dialect === "plain") throw unseenError(unseen);
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
  return pairs.length > 0 ? pairs : (EVERY_BUG_PAIRS as readonly Pair[]);
}

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

/** Rows for a tree, without inexact rows below "not", which would leave out bugs. */
function draft(query: Query, now: Date, place: Place = { isPart: false, isNegated: false }): Draft {
  if (isNot(query)) {
    const inner = draft(query.of, now, { isPart: true, isNegated: !place.isNegated });
    return { chart: notOf(inner.chart), isExact: inner.isExact };
  }
  if (isGroup(query)) {
    const inner = query.of.map((one) => draft(one, now, { ...place, isPart: true }));
    const charts = inner.map(({ chart }) => chart);
    return {
      chart: query.kind === "all" ? allOf(charts) : anyOf(charts),
      isExact: inner.every(({ isExact }) => isExact),
    };
  }
  const made = isOnlyAlone(query, place) ? UNSENT : draftLeaf(query, now, place.isNegated);
  return made.isExact || made.isBelow || !place.isNegated ? made : { chart: NO_BUG, isExact: false };
}

/** `isPart`: of a group or negation; `isNegated`: in an odd number of negations. */
type Place = { readonly isPart: boolean; readonly isNegated: boolean };

/** Rows of one condition, by the family of its field. */
export function draftLeaf(leaf: Leaf, now: Date, isNegated = false): Draft {
  if (leaf.kind === "flag") return flagRows(leaf);
  if (leaf.kind === "change") return changeRows(leaf);
  if (leaf.op === "empty") return exact(emptyChart(leaf.field));
  return (FAMILIES[leaf.field.family].rows ?? operatorRow)(leaf, now, isNegated);
}

/**
 * True for a leaf whose rows are right only where every bug has to meet them. Rows on the real name of somebody whom a bug may
 * lack, and pronouns among commenters, leave bugs out of the whole search; the opposite of a change among comments and
 * attachments is met by any other comment, and by private ones.
 * @see Bugzilla/Search.pm, _user_nonchanged, _long_desc_changedby and _changed_security_check
 */
function isOnlyAlone(leaf: Leaf, { isPart, isNegated }: Place): boolean {
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

/** True if rows for a leaf are inexact, so that the flags or changes of each bug are read. */
export function isReadOfEach(leaf: Leaf): boolean {
  if (leaf.kind === "flag") return leaf.requestee !== undefined || leaf.setter !== undefined;
  return leaf.kind === "change" && isListChange(leaf);
}

function unseenError(leaf: Leaf): BtError {
  const name = leaf.kind === "flag" ? "flags" : leaf.field.api;
  const what = leaf.kind === "change" ? `changes of ${name}` : name;
  return unknownHere(what, ", and bugs do not show it");
}

function unknownHere(what: string, reason = ""): BtError {
  return new BtError("refused", `this tracker cannot search by ${what}${reason}`, {
    hint: "it knows only the parameters of the interface, not Bugzilla's search screen",
  });
}

/** Maximum number of ids in a request, and in a list below "not" or "or". */
const MAX_IDS = 700;
const MAX_INNER_IDS = 200;

/** Disjoint queries of as many ids as fit into a request, highest first; others are unchanged. */
export function splitByIds(query: Query): readonly Query[] {
  const isIds = (one: Query): one is Test => one.kind === "test" && one.op === "=" && one.field.chart === "bug_id";
  const [first, ...lists] = conjunctsOf(query).filter(isIds);
  if (first === undefined) return [query];
  const ids = first.values.filter((id) => lists.every(({ values }) => values.includes(id)));
  const others = conjunctsOf(query).filter((one) => !isIds(one));
  if (ids.length === 0) return [NO_BUG];
  if (ids.length > MAX_IDS) ids.sort((one, other) => Number(other) - Number(one));
  return inChunks(ids, MAX_IDS).map((values) => allOf<Leaf>([{ ...first, values }, ...others]));
}

/** Conditions by the way they travel: as parameters of Search Bugs, and all others. */
type SplitQuery = { readonly pairs: readonly Pair[]; readonly others: readonly Query[] };

/**
 * Splits the conjuncts of a query. A second condition on a parameter is left over, since the values of one would mean "or"; so
 * is one on a field of passed pairs.
 */
function splitParameters(query: Query, dialect: Dialect, passed: readonly Pair[]): SplitQuery {
  const reserved = new Set(passed.map(([name]) => name.replace(/_type$/, "")));
  const pairs: Pair[] = [];
  const others: Query[] = [];
  for (const condition of conjunctsOf(query)) {
    const made = parameterPairs(condition, dialect, reserved);
    const isTaken = made?.some(([name]) => pairs.some(([other]) => other === name));
    if (made === undefined || isTaken) others.push(condition);
    else pairs.push(...made);
  }
  return { pairs, others };
}

/** The interface's own search parameters by the fields that they are about. */
const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters.flatMap((parameter: BugParameter) => {
    const field = parameter.isExtra ? null : fieldOf(parameter);
    return field === null ? [] : [[field, parameter] as const];
  }),
);

/** The parameter that means exactly a condition to servers of a dialect, if there is one. */
function parameterPairs(
  condition: Query,
  dialect: Dialect,
  reserved: ReadonlySet<string>,
): readonly Pair[] | undefined {
  const tests = (isGroup(condition) && condition.kind === "any" ? condition.of : [condition]) as readonly Test[];
  const [first] = tests;
  if (first === undefined || tests.some(({ kind, field }) => kind !== "test" || field !== first.field))
    return undefined;
  const parameter = first.field.isCustom ? undefined : PARAMETERS.get(first.field.api);
  const { chart } = first.field;
  if (parameter && [parameter.name, chart, chart.replaceAll(".", "_")].some((name) => reserved.has(name)))
    return undefined;
  const values = parameter && CARRIED[parameter.compares ?? "value"](tests, dialect);
  if (values === undefined || (first.field.api !== "resolution" && values.includes(""))) return undefined;
  return values.map((value) => [parameter?.name ?? "", value]);
}

/** The values of all tests, if each has this operator. */
function valuesOf(tests: readonly Test[], op: string): string[] | undefined {
  return tests.every((test) => test.op === op) ? tests.flatMap(({ values }) => values) : undefined;
}

/**
 * How each kind of parameter carries tests of its field; undefined if it cannot, so that a row or a test here has to.
 * @see Bugzilla/Search.pm and Bugzilla/WebService/Bug.pm of Bugzilla
 */
const CARRIED: Readonly<Record<SearchComparison, (tests: readonly Test[], dialect: Dialect) => string[] | undefined>> =
  {
    value: (tests) => {
      const values: string[] = [];
      for (const { field, op, values: own } of tests) {
        if (op === "empty" && field.api === "resolution")
          values.push("", "---"); // of Bugzilla, which drops "", and of others
        else if (op === "=") values.push(...own);
        else return undefined;
      }
      const { chart, family } = tests[0]?.field ?? {};
      if (chart === "bug_id") return [values.join(",")];
      return family === "choice" || family === "ranked" || !values.some((value) => value.includes(","))
        ? values
        : undefined;
    },
    // Bugzilla compares these by parts or words where rows compare the whole
    login: (tests, dialect) => {
      const values = dialect === "plain" ? valuesOf(tests, "=") : undefined;
      return values?.some((value) => value.startsWith("%")) ? undefined : values;
    },
    text: (tests, dialect) => (dialect === "plain" ? valuesOf(tests, "=") : undefined),
    part: (tests, dialect) => {
      const values = valuesOf(tests, "~");
      return dialect === "plain" || (values?.length === 1 && !/[\s,]/.test(values[0] ?? "")) ? values : undefined;
    },
    since: ([test, other]) =>
      test?.op === ">=" && !other && /^\d/.test(test.values[0] ?? "") ? [...test.values] : undefined,
  };
