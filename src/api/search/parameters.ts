import type { CatalogField } from "../catalog/catalog.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { type BugParameter, fieldOf, type SearchComparison } from "../operations/operation.ts";
import type { QueryPair } from "../query/chart.ts";
import { conjunctsOf, isGroup, type Query, type ResolvedTerm } from "../query/tree.ts";

/**
 * A condition that travels as a parameter of Search Bugs. Alone, `pairs` are exact by the specification. Bugzilla reads some
 * parameters otherwise: `types` and `exact` make the same pairs exact there, and are harmless elsewhere.
 */
export type CarriedCondition = {
  readonly name: string;
  readonly condition: Query;
  readonly pairs: readonly QueryPair[];
  readonly types: readonly QueryPair[]; // how Bugzilla compares the parameter
  readonly exact?: Query; // to be sent as rows beside the parameter
};

/** Conditions by the way they travel: as parameters of Search Bugs, one each, and all others. */
export type SplitQuery = { readonly carried: readonly CarriedCondition[]; readonly others: readonly Query[] };

/** Splits the conjuncts of a query. A second condition on a parameter is left over: the values of one would mean "or". */
export function splitParameters(query: Query): SplitQuery {
  const carried = new Map<string, CarriedCondition>();
  const others: Query[] = [];
  for (const condition of conjunctsOf(query)) {
    const one = carriedCondition(condition);
    const before = one && carried.get(one.name);
    if (one === undefined) others.push(condition);
    else if (before === undefined) carried.set(one.name, one);
    else if (isLowerBound(one)) carried.set(one.name, laterBound(before, one));
    else others.push(condition);
  }
  return { carried: [...carried.values()], others };
}

type Test = ResolvedTerm & { kind: "test" };

/** The interface's own search parameters by the fields that they are about. */
const PARAMETERS: ReadonlyMap<string, BugParameter> = new Map(
  SEARCH_BUGS.parameters.flatMap((parameter: BugParameter) => {
    const field = parameter.isExtra ? null : fieldOf(parameter);
    return field === null ? [] : [[field, parameter] as const];
  }),
);

/** The parameter on a field. */
export function parameterOn(field: CatalogField): BugParameter | undefined {
  return field.isCustom ? undefined : PARAMETERS.get(field.api);
}

function carriedCondition(condition: Query): CarriedCondition | undefined {
  const tests = alternativeTests(condition);
  const [first] = tests ?? [];
  const parameter = first && parameterOn(first.field);
  if (!tests || !first || !parameter || tests.some(({ field }) => field.api !== first.field.api)) return undefined;
  const made = CARRIERS[parameter.compares ?? "value"](tests);
  if (made === undefined || made.values.some((value) => value === "" && first.field.api !== "resolution"))
    return undefined;
  const { values, type, isInexact } = made;
  return {
    name: parameter.name,
    condition,
    pairs: values.map((value) => [parameter.name, value] as const),
    types: type === undefined ? [] : [[`${first.field.chart}_type`, type]],
    ...(isInexact ? { exact: condition } : {}),
  };
}

/** The tests of which one has to hold; undefined for any other condition. */
function alternativeTests(condition: Query): Test[] | undefined {
  const parts = isGroup(condition) && condition.kind === "any" ? condition.of : [condition];
  const tests = parts.filter((part): part is Test => part.kind === "test");
  return tests.length === parts.length && tests.length > 0 ? tests : undefined;
}

type Carried = {
  values: readonly string[];
  type?: string; // of Bugzilla's comparison
  isInexact?: boolean; // on Bugzilla, even so
};

/**
 * How each kind of parameter carries tests of its field; undefined if it cannot.
 * @see Bugzilla/Search.pm and Bugzilla/WebService/Bug.pm of Bugzilla
 */
const CARRIERS: Readonly<Record<SearchComparison, (tests: readonly Test[]) => Carried | undefined>> = {
  value: (tests) => {
    const values: string[] = [];
    for (const { op, values: own, field } of tests) {
      if (op === "empty" && field.api === "resolution") values.push(...OPEN);
      else if (op === "=") values.push(...own);
      else return undefined;
    }
    const [first] = tests;
    if (first?.field.chart === "bug_id") return { values: [values.join(",")] };
    return first?.field.family === "choice" || first?.field.family === "ranked" || !values.some(hasComma)
      ? { values }
      : undefined;
  },
  login: (tests) => {
    const values = tests.flatMap(({ op, values: own }) => (op === "=" ? own : [PRONOUN]));
    return values.some((value) => value.startsWith(PRONOUN)) ? undefined : { values, isInexact: true };
  },
  part: (tests) => {
    const values = tests.flatMap(({ op, values: own }) => (op === "~" && own.length === 1 ? own : [""]));
    return values.includes("") ? undefined : partValues(values);
  },
  text: (tests) => {
    const values = tests.flatMap(({ op, values: own }) => (op === "=" ? own : [""]));
    const made = partValues(values);
    return made && { values, ...(values.length > 1 ? { type: ANY_WORD } : {}), isInexact: true };
  },
  since: (tests) => {
    const [test, other] = tests;
    return test?.op === ">=" && other === undefined && /^\d/.test(test.values[0] ?? "")
      ? { values: test.values }
      : undefined;
  },
};

const PRONOUN = "%";

/** The resolution of open bugs: Bugzilla drops an empty one and knows `---` instead, which others have not. */
const OPEN = ["", "---"];

function hasComma(text: string): boolean {
  return text.includes(",");
}

/** Bugzilla splits a text into words, all of which have to occur, also those of several texts. */
function partValues(values: string[]): Carried | undefined {
  if (values.some((value) => /^[\s,]*$/.test(value)) && values.length > 1) return undefined;
  if (values.length > 1) return { values, type: ANY_WORD, isInexact: true };
  return /[\s,]/.test(values[0] ?? "") ? { values, type: "substring" } : { values };
}

const ANY_WORD = "anywordssubstr";

function isLowerBound({ condition }: CarriedCondition): boolean {
  return condition.kind === "test" && condition.op === ">=";
}

function laterBound(one: CarriedCondition, other: CarriedCondition): CarriedCondition {
  const [[, time = ""] = []] = one.pairs;
  const [[, otherTime = ""] = []] = other.pairs;
  return otherTime > time ? other : one;
}
