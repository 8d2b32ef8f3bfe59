import { BtError, usageError } from "../../errors.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { type CatalogField, findField, requireField } from "../catalog/catalog.ts";
import { legalNames, productsWithValue, statusNames, valueNoun } from "../catalog/legal-values.ts";
import { suggestNames } from "../nearest.ts";
import { comparisonTree } from "./compare.ts";
import { type Bound, checkRange, rangesOf } from "./range.ts";
import { resolveChange, wireLogin } from "./resolve-change.ts";
import {
  allOf,
  anyOf,
  type Comparison,
  conjunctsOf,
  leavesOf,
  mapLeaves,
  notOf,
  type Query,
  type QueryContext,
  type Term,
  type UnresolvedQuery,
} from "./tree.ts";

/**
 * Validates names and values of a tree against the field metadata and converts them to wire form: letter case fixed,
 * dates in UTC, ranks and states expanded.
 * @throws BtError of kind usage for anything that a tracker would ignore
 */
export function resolveQuery(tree: UnresolvedQuery, context: QueryContext): Query {
  let product: string | undefined;
  for (const term of leavesOf(tree)) {
    if (term.kind !== "test" || findField(context.catalog, term.field)?.chart !== "product") continue;
    resolveTerm(term, context); // an unknown product explains its unknown components and versions
    if (["=", ":"].includes(term.op) && term.values.length === 1 && conjunctsOf(tree).includes(term))
      [product] = term.values;
  }
  const resolved = mapLeaves(tree, (term) => resolveTerm(term, context, product));
  for (const range of rangesOf(tree)) checkBounds(range, context);
  return resolved;
}

/** Checks the bounds of a range that are conditions on one field; an error is at the upper one. */
function checkBounds([lower, upper]: readonly [Bound, Bound], context: QueryContext): void {
  const field = requireField(context.catalog, lower.field);
  if (field !== findField(context.catalog, upper.field)) return;
  try {
    checkRange(field, [lower, upper], context);
  } catch (error) {
    throw errorAt(error, upper.at);
  }
}

/** `product` is the only one whose bugs can match. */
function resolveTerm(term: Term, context: QueryContext, product?: string): Query {
  try {
    switch (term.kind) {
      case "is":
        return stateQuery(term.state, context);
      case "change":
        return resolveChange(term, context);
      case "flag":
        return resolveFlag(term);
      case "test":
        return resolveTest(term, context, product);
    }
  } catch (error) {
    throw errorAt(error, term.at);
  }
}

function resolveTest(term: Term & { kind: "test" }, context: QueryContext, product?: string): Query {
  const field = requireField(context.catalog, term.field);
  if (term.op === "empty") return emptyQuery(field);
  if (/^[:=]$/.test(term.op) && term.values.includes("*")) throw anyValueError(field);
  if (term.values.length > 0 && term.values.every((value) => value.trim() !== ""))
    return comparisonTree(field, term, context, product);
  const unset = field.api === "assigned_to" ? "is:unassigned" : `no:${field.api}`;
  throw new BtError("usage", `an empty value for ${field.api} would match every bug`, {
    hint: isNeverEmpty(field) ? undefined : `to find bugs where it is not set, use ${unset}`,
  });
}

/** Error for `*` as a value, by which other tools find what has any. */
function anyValueError(field: CatalogField): BtError {
  const has = field.api === "assigned_to" ? "is:assigned" : `has:${field.api}`;
  return new BtError("usage", `"*" is no value of ${field.api}`, {
    hint: isNeverEmpty(field) ? "every bug has one" : `for bugs that have one: ${has}`,
  });
}

/** Some fields have a legal value for "not set"; others are really empty. */
function emptyQuery(field: CatalogField): Query {
  if (isNeverEmpty(field)) throw new BtError("usage", `${field.api} is never empty`);
  return field.family !== "choices" && field.values.some(({ name }) => name === "---")
    ? { kind: "test", field, op: "=", values: ["---"] }
    : { kind: "test", field, op: "empty", values: [] };
}

function isNeverEmpty({ family, chart }: CatalogField): boolean {
  return NEVER_EMPTY.has(family) || ["bug_id", "longdesc", "longdescs.count"].includes(chart);
}

const NEVER_EMPTY: ReadonlySet<string> = new Set(["yes-no", "special"]);

function resolveFlag({ name, requestee, setter }: Term & { kind: "flag" }): Query {
  return {
    kind: "flag",
    name,
    ...(requestee === undefined ? {} : { requestee: flagPerson(requestee) }),
    ...(setter === undefined ? {} : { setter: flagPerson(setter) }),
  };
}

/** Login of a flag's requestee or setter; only logins and `@me` can be checked locally. */
function flagPerson(text: string): string {
  const name = wireLogin(text);
  if (!name.startsWith("%") || name === PRONOUNS.me) return name;
  throw new BtError("usage", `${text} cannot be used in flag(...)`, { hint: "use a login, or @me" });
}

function errorAt(error: unknown, at: number | undefined): unknown {
  return at !== undefined && error instanceof BtError
    ? new BtError(error.kind, `${error.message} (column ${at})`, error.facts)
    : error;
}

/** Conditions of `is:open` and the other states. */
function stateQuery(state: string, context: QueryContext): Query {
  const word = state.toLowerCase().replaceAll("_", "-");
  const meaning = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  if (meaning !== undefined) return meaning(context);
  const hint = suggestNames(word, STATE_NAMES) ?? `valid values: ${STATE_NAMES.join(", ")}`;
  throw new BtError("usage", `unknown state "${state}" for is:`, { hint });
}

/** Minimum time without a change after which an open bug is stale. */
const STALE_AFTER = "-90d";

const STATES: Readonly<Record<string, (context: QueryContext) => Query>> = {
  open: (context) => statusQuery("open", context),
  closed: (context) => statusQuery("closed", context),
  confirmed: (context) => comparison(context, "is_confirmed", ["=", "yes"]),
  unconfirmed: (context) => comparison(context, "is_confirmed", ["=", "no"]),
  mine: (context) => comparison(context, "assigned_to", ["=", "@me"]),
  reported: (context) => comparison(context, "creator", ["=", "@me"]),
  unassigned: (context) => nobodyQuery(context),
  assigned: (context) => notOf(nobodyQuery(context)),
  "self-assigned": (context) => comparison(context, "assigned_to", ["=", "@reporter"]),
  overdue: (context) => allOf([statusQuery("open", context), comparison(context, "deadline", ["<", "today"])]),
  stale: (context) =>
    allOf([statusQuery("open", context), comparison(context, "last_change_time", ["<", STALE_AFTER])]),
  unread: (context) => unreadQuery(context),
  private: (context) =>
    notOf({ kind: "test", field: requireField(context.catalog, "groups"), op: "empty", values: [] }),
  dup: (context) => comparison(context, "resolution", ["=", "DUPLICATE"]),
};

/** The states of `is:`. */
export const STATE_NAMES: readonly string[] = Object.keys(STATES);

function comparison(context: QueryContext, name: string, [op, value]: [Comparison, string]): Query {
  return comparisonTree(
    requireField(context.catalog, name),
    { kind: "test", field: name, op, values: [value] },
    context,
  );
}

/** Bugs in open or closed statuses; where the tracker does not list these, those without a resolution, and with one. */
function statusQuery(state: "open" | "closed", { catalog }: QueryContext): Query {
  if (catalog.isListed) {
    return { kind: "test", field: requireField(catalog, "status"), op: "=", values: statusNames(catalog, state) };
  }
  const isOpen: Query = { kind: "test", field: requireField(catalog, "resolution"), op: "empty", values: [] };
  return state === "open" ? isOpen : notOf(isOpen);
}

/** Prefix of the account that stands for "unassigned" by convention. */
const NOBODY = "nobody@";

function nobodyQuery(context: QueryContext): Query {
  const { nobody } = context;
  if (nobody === undefined) return comparison(context, "assigned_to", ["^=", NOBODY]);
  return anyOf(nobody.map((login) => comparison(context, "assigned_to", ["=", login])));
}

/** The server records the last visit of a bug; it is unread if modified since. */
function unreadQuery({ catalog }: QueryContext): Query {
  return {
    kind: "test",
    field: requireField(catalog, "last_visit"),
    op: "<",
    values: ["%last_changed%"],
  };
}

/**
 * Rejects a product combined with components, versions or milestones that it lacks: each name is legal, but no bug can
 * match.
 * @throws BtError of kind usage
 */
export function checkPlaces(query: Query): void {
  const equalities = conjunctsOf(query)
    .filter((part) => part.kind === "test")
    .filter(({ op }) => op === "=");
  const products = equalities.find(({ field }) => field.chart === "product")?.values;
  if (products === undefined) return;
  for (const { field, values } of equalities) if (field.isPerProduct) checkPlace(field, values, products);
}

function checkPlace(field: CatalogField, values: readonly string[], products: readonly string[]): void {
  const names = products.flatMap((product) => legalNames(field, product) ?? values);
  if (values.some((value) => names.includes(value))) return;
  const owners = [...new Set(values.flatMap((value) => productsWithValue(field, value)))];
  const [first = ""] = values;
  throw usageError(
    `unknown ${valueNoun(field)} "${values.join('" or "')}" in ${products.join(", ")}`,
    `it exists in ${owners.join(", ")}; ${suggestNames(first, names) ?? `bt field values ${field.api} lists valid values`}`,
  );
}
