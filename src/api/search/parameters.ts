import { SEARCH_BUGS } from "../operations/bugs.ts";
import { type BugParameter, fieldOf, type SearchComparison } from "../operations/operation.ts";
import type { Pair } from "../query/rows.ts";
import { conjunctsOf, isGroup, type Query, type Test } from "../query/tree.ts";
import type { Dialect } from "./dialect.ts";

/** Conditions by the way they travel: as parameters of Search Bugs, and all others. */
export type SplitQuery = { readonly pairs: readonly Pair[]; readonly others: readonly Query[] };

/**
 * Splits the conjuncts of a query. A second condition on a parameter is left over, since the values of one would mean "or"; so
 * is one on a field of passed pairs.
 */
export function splitParameters(query: Query, dialect: Dialect, passed: readonly Pair[]): SplitQuery {
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
