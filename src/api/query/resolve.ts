import { BtError, usageError } from "../../errors.ts";
import { bugFieldRow } from "../../wire/bug-fields.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { timestamp } from "../../wire/time.ts";
import {
  type Catalog,
  type CatalogField,
  findField,
  isPersonField,
  legalValue,
  requireField,
  statusNames,
} from "../catalog/catalog.ts";
import { suggestNames } from "../nearest.ts";
import { dayBounds, readDate } from "./dates.ts";
import {
  type Comparison,
  comparisonQuery,
  FAMILIES,
  loginOrMe,
  readNumber,
  readYesOrNo,
  test,
  wireLogin,
} from "./families.ts";
import {
  allOf,
  anyOf,
  CHANGE_PARTS,
  type Change,
  type FlagTerm,
  type Leaf,
  leavesOf,
  mapLeaves,
  notOf,
  type Query,
  type QueryContext,
  type Term,
  type Test,
  type Tree,
  type TypedOp,
} from "./tree.ts";

/**
 * Checks names and values of a tree against the catalog and converts them to wire form.
 * @throws BtError of kind usage for anything that a tracker would ignore
 */
export function resolveQuery(tree: Tree<Term>, context: QueryContext): Query {
  return mapLeaves<Term, Leaf>(tree, (term) => {
    try {
      return resolveTerm(term, context);
    } catch (error) {
      if (!(error instanceof BtError) || term.at === undefined) throw error;
      throw new BtError(error.kind, `${error.message} (column ${term.at})`, error.facts);
    }
  });
}

function resolveTerm(term: Term, context: QueryContext): Query {
  if (term.kind === "is") return stateQuery(term.state, context);
  if (term.kind === "flag") return resolveFlag(term);
  const field = requireField(context.catalog, term.field);
  if (term.kind === "change") return resolveChange(term, field, context);
  if (term.op === "empty") return emptyQuery(field);
  const { op, values } = term;
  if (values.length === 0 || values.some((value) => value.trim() === ""))
    throw usageError(
      `an empty value for ${field.api} would match every bug`,
      isNeverEmpty(field) ? undefined : `to find bugs where it is not set, use no:${field.api}`,
    );
  const comparison = { field, op, values, context };
  return op.startsWith("..") ? rangeQuery(comparison) : comparisonQuery(comparison);
}

/** Both ends of a range. @throws BtError of kind usage if the upper one is below the lower one */
function rangeQuery(given: Comparison): Query {
  const [from = "", to = ""] = given.values;
  const lower = comparisonQuery({ ...given, op: ">=", values: [from] });
  const upper = comparisonQuery({ ...given, op: given.op === ".." ? "<=" : "<", values: [to] });
  if (!isReversed(lower, upper, given.field)) return allOf([lower, upper]);
  throw usageError(`the range ${from}..${to} is reversed`, `use ${to}..${from}`);
}

function isReversed(lower: Query, upper: Query, { family }: CatalogField): boolean {
  const [low, high] = [lower, upper].flatMap((query) => leavesOf(query) as readonly Test[]);
  if (low === undefined || high === undefined) return true; // no rank is that low, or that high
  if (family === "ranked") return !low.values.some((value) => high.values.includes(value));
  const { item: read = String } = FAMILIES[family];
  const [least, most] = [read(low.values[0] ?? ""), read(high.values[0] ?? "")];
  return least > most || (least === most && high.op === "<");
}

/** Finds bugs whose field is not set: it is empty, or `---` where that is a legal value, but for lists of choices. */
function emptyQuery(field: CatalogField): Query {
  if (isNeverEmpty(field)) throw usageError(`${field.api} is never empty`);
  const hasUnsetValue = field.family !== "choices" && field.values.some(({ name }) => name === "---");
  return hasUnsetValue ? test(field, "=", ["---"]) : test(field, "empty", []);
}

function isNeverEmpty({ family, chart }: CatalogField): boolean {
  return family === "yes-no" || family === "special" || ["bug_id", "longdesc", "longdescs.count"].includes(chart);
}

/** Requestee and setter of a flag are logins or `@me`: other pronouns cannot be tested here. */
function resolveFlag({ name, requestee, setter }: FlagTerm): Query {
  const readPerson = (text: string) => {
    const login = wireLogin(text);
    return login === PRONOUNS.me ? login : loginOrMe(login, "flag(...)", {});
  };
  return { kind: "flag", name, requestee: requestee && readPerson(requestee), setter: setter && readPerson(setter) };
}

const UNTRACKED: ReadonlySet<string> = new Set([
  "bug_id", "creation_ts", "delta_ts", "commenter", "content", "owner_idle_time", "last_visit_ts", "days_elapsed", "longdescs.count",
  "comment_tag", "tag", "percentage_complete", "reporter", "requestees.login_name", "setters.login_name",
]); // biome-ignore format: a list

/** A change with checked values, as in histories: the tracker's spelling, days. */
function resolveChange(term: Term & { kind: "change" }, field: CatalogField, context: QueryContext): Change {
  if (UNTRACKED.has(field.chart) || bugFieldRow(field.api)?.nameOf)
    throw usageError(`changes of ${field.api} are not recorded`);
  const place = `"${field.api} changed"`;
  const { from, to, by } = term;
  if (CHANGE_PARTS.some((part) => term[part]?.trim() === ""))
    throw usageError(`an empty value in ${place} would match every change`);
  const readValue = (text: string) =>
    isPersonField(field)
      ? loginOrMe(wireLogin(text), place, context)
      : (RECORDED[field.family]?.(field, text, context) ?? text.trim());
  const readAuthor = (text: string) => {
    const login = wireLogin(text);
    const isPlain = isPersonField(field) || field.chart === "longdesc" || login.startsWith("%group.");
    return isPlain ? loginOrMe(login, place, context) : login;
  };
  const [since, before] = [term.since, term.before].map((text) => text && timestamp(readDate(text, context).start));
  if (since && before && since >= before)
    throw usageError(`since ${term.since} and before ${term.before} exclude each other`);
  return {
    kind: "change",
    field,
    from: from && readValue(from),
    to: to && readValue(to),
    by: by && readAuthor(by),
    since,
    before,
  };
}

/** How histories write values, by family. */
const RECORDED: {
  readonly [Family in CatalogField["family"]]?: (field: CatalogField, text: string, context: QueryContext) => string;
} = {
  choice: (field, text) => legalValue(field, text),
  ranked: (field, text) => legalValue(field, text),
  number: readNumber,
  numbers: readNumber,
  "yes-no": (field, text) => (readYesOrNo(field, text) ? "1" : "0"),
  day: (_, text, context) => dayBounds(readDate(text, context, "coming"), context.zone).start,
  moment: (field) => {
    throw usageError(`values of ${field.api} in histories are in the zone of the server`, "use changed since, before");
  },
};

/** Conditions of `is:open` and the other states. */
function stateQuery(state: string, context: QueryContext): Query {
  const word = state.toLowerCase().replaceAll("_", "-");
  const meaning = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  if (typeof meaning === "function") return meaning(context);
  if (meaning) return compare(context, ...meaning);
  throw usageError(
    `unknown state "${state}" for is:`,
    suggestNames(word, STATE_NAMES) ?? `valid values: ${STATE_NAMES.join(", ")}`,
  );
}

type Condition = readonly [field: string, op: TypedOp, value: string];

function compare(context: QueryContext, ...[name, op, value]: Condition): Query {
  return comparisonQuery({ field: requireField(context.catalog, name), op, values: [value], context });
}

/** Bugs in open or closed statuses; if not listed, without a resolution, or with one. */
function statusQuery({ catalog }: QueryContext, state: "open" | "closed"): Query {
  const statuses = statusNames(catalog, state);
  if (statuses.length > 0) return test(requireField(catalog, "status"), "=", statuses);
  const unresolved = test(requireField(catalog, "resolution"), "empty", []);
  return state === "open" ? unresolved : notOf<Test>(unresolved);
}

function nobodyQuery(context: QueryContext): Query {
  const { nobody } = context;
  if (nobody === undefined) return compare(context, "assigned_to", "^=", "nobody@"); // a convention
  return anyOf(nobody.map((login) => compare(context, "assigned_to", "=", login)));
}

const STATES: Readonly<Record<string, Condition | ((context: QueryContext) => Query)>> = {
  open: (context) => statusQuery(context, "open"),
  closed: (context) => statusQuery(context, "closed"),
  confirmed: ["is_confirmed", "=", "yes"],
  unconfirmed: ["is_confirmed", "=", "no"],
  private: ({ catalog }) => notOf<Test>(test(requireField(catalog, "groups"), "empty", [])),
  dup: ["resolution", "=", "DUPLICATE"],
  mine: ["assigned_to", "=", "@me"],
  reported: ["creator", "=", "@me"],
  unassigned: nobodyQuery,
  assigned: (context) => notOf(nobodyQuery(context)),
  "self-assigned": ["assigned_to", "=", "@reporter"],
  overdue: (context) => allOf([statusQuery(context, "open"), compare(context, "deadline", "<", "today")]),
  stale: (context) => allOf([statusQuery(context, "open"), compare(context, "last_change_time", "<", "-90d")]),
  unread: ({ catalog }) => test(requireField(catalog, "last_visit"), "<", ["%last_changed%"]),
};

/** The states of `is:`. */
export const STATE_NAMES: readonly string[] = Object.keys(STATES);

/** True if `@me` occurs where trackers know logins alone, no pronoun: the user's is required. */
export function needsOwnLogin(tree: Tree<Term>, catalog: Catalog): boolean {
  return leavesOf(tree).some((term) => {
    const { chart = "" } = (term.kind === "test" && findField(catalog, term.field)) || {};
    const takesLoginsOnly = chart === "commenter" || chart === "attachments.submitter";
    const changeValues = term.kind === "change" ? [term.from, term.to, term.by] : [];
    const names = term.kind === "test" && takesLoginsOnly ? term.values : changeValues;
    return names.some((name) => name?.trim().toLowerCase() === "@me");
  });
}
