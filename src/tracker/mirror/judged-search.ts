import type { Request } from "../../wire/exchange.ts";
import type { MirrorFacts, MirrorLimit } from "../../wire/mirror.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import { timestamp } from "../../wire/time.ts";
import { FIELDS } from "../fields.ts";
import type { Runtime } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { readInput } from "../http/input.ts";
import { mirrorRequester, userByLogin } from "../http/requester.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import { compilePattern } from "../regexp.ts";
import { textTest } from "../search/compare.ts";
import {
  allCriteria,
  type ChangeOperator,
  type Condition,
  type Criterion,
  findOperator,
  joinConditions,
  negateIf,
} from "../search/condition.ts";
import { readParameterValues, type SearchCall, type SearchContext } from "../search/context.ts";
import { searchCondition, searchContext } from "../search/search.ts";
import { isSearchField } from "../search/search-fields.ts";
import type { Store } from "../store/store.ts";

/** Properties of a mirror that decide which searches it can answer. */
export type MirrorCoverage = { call: SearchCall; gaps: MirrorGaps; products: MirrorFacts["products"] };

/**
 * Assessment of a search: the parts that a mirror cannot decide, the use of word search, and what it names that the mirror does
 * not have: a product, or a component of others, and bugs by their ids or aliases. `isWithin`: it can only find bugs that the mirror has.
 */
type JudgedSearch = {
  undecidable: { text: string; limit: MirrorLimit }[];
  isByWords: boolean;
  absentProduct: string | undefined; // as the subject of a sentence: "Harbor is"
  absentBugs: string[]; // #12, or an alias
  isWithin: boolean;
};

/** Assesses the parameters of a search. Invalid ones are decided: the tracker reports them. */
export function judgeSearch(query: Request["query"], coverage: MirrorCoverage): JudgedSearch {
  const { call, gaps } = coverage;
  const context = searchContext(call);
  const condition = conditionOfSearch(query, context);
  const criteria = allCriteria(condition);
  const undecidable: JudgedSearch["undecidable"] = [];
  for (const criterion of criteria) {
    const limit = criterionLimit(criterion, gaps) ?? (isSearchField(context, criterion.field) ? undefined : "field");
    if (limit !== undefined) undecidable.push({ text: criterionText(criterion), limit });
  }
  const signed = signedCriteria(condition);
  const named = signed.filter(({ isNegated }) => !isNegated).map(({ criterion }) => criterion);
  const absent = named.map((criterion) => findAbsentProduct(criterion, coverage)).find((name) => name !== undefined);
  return {
    undecidable,
    isByWords: criteria.some(({ field }) => field === "content"),
    absentProduct: absent === undefined ? excludedSubject(condition, signed, coverage) : `${absent} is`,
    absentBugs: named.flatMap((criterion) => findAbsentBugs(criterion, call.store)),
    isWithin: isWithinMirror(condition, coverage),
  };
}

function conditionOfSearch(query: Request["query"], context: SearchContext): Condition {
  try {
    const values = readParameterValues(readInput({ method: "GET", path: "", query }));
    return searchCondition(context, values);
  } catch (error) {
    if (error instanceof Fault) return joinConditions("AND", []);
    throw error;
  }
}

/** A criterion, and whether the groups around it negate it. */
type SignedCriterion = { criterion: Criterion; isNegated: boolean };

function signedCriteria(condition: Condition, isNegated = false): SignedCriterion[] {
  if (condition.kind === "criterion") return [{ criterion: condition, isNegated }];
  if (condition.kind === "not") return signedCriteria(condition.part, !isNegated);
  return condition.parts.flatMap((part) => signedCriteria(part, isNegated));
}

/** Subject of a sentence on bugs that a search is for, if all of them are of products that a mirror of some products lacks. */
function excludedSubject(
  condition: Condition,
  signed: SignedCriterion[],
  coverage: MirrorCoverage,
): string | undefined {
  if (coverage.products.length === 0) return undefined;
  const mirrored = new Set(coverage.products.map((name) => name.toLowerCase()));
  const products = coverage.call.store
    .all<{ name: string; components: string }>(PRODUCTS_WITH_COMPONENTS)
    .map(({ name, components }) => ({ product: [name], component: JSON.parse(components) as string[] }));
  const isExcluded = (part: Condition) =>
    products.every(({ product, component }) => {
      const isMirrored = mirrored.has(product.join("").toLowerCase());
      return !isMirrored || verdictOn(part, { product, component }) === false;
    }) && products.some((names) => verdictOn(part, names) !== false);
  if (!isExcluded(condition)) return undefined;
  const one = signed.find(({ criterion, isNegated }) => isExcluded(negateIf(isNegated, criterion)));
  return one ? `bugs with "${signedText(one)}" are` : "bugs of this search are";
}

const PRODUCTS_WITH_COMPONENTS = `SELECT products.name, json_group_array(components.name) FILTER (WHERE components.name IS NOT NULL)
  AS components FROM products LEFT JOIN components ON product_id = products.id GROUP BY products.id`;

/** True or false if all or no bugs of a product meet a condition, by the names of the product and its components. */
function verdictOn(condition: Condition, names: { product: string[]; component: string[] }): boolean | undefined {
  if (condition.kind === "not") return negation(verdictOn(condition.part, names));
  if (condition.kind === "group") {
    const decisive = condition.join === "OR";
    const parts = condition.parts.map((part) => verdictOn(part, names));
    if (parts.includes(decisive)) return decisive;
    return parts.length === 0 || parts.includes(undefined) ? undefined : !decisive; // an empty group decides nothing
  }
  const operator = findOperator(condition.operator);
  const { field, text } = condition;
  if (operator.about !== "value" || (field !== "product" && field !== "component")) return undefined;
  if (operator.positive === "regexp" && !compilePattern(text).test) return undefined;
  const { accepts } = textTest(operator.positive, condition);
  const met = new Set(names[field].map((name) => accepts(name) !== operator.isNegative));
  return met.size === 1 ? met.has(true) : undefined;
}

function negation(isMet: boolean | undefined): boolean | undefined {
  return isMet === undefined ? undefined : !isMet;
}

function signedText({ criterion, isNegated }: SignedCriterion): string {
  const negative = `not${criterion.operator}`;
  if (isNegated && SIGNS[negative] !== undefined) return criterionText({ ...criterion, operator: negative });
  return `${isNegated ? "not " : ""}${criterionText(criterion)}`;
}

/** Values that a criterion names as a whole. */
function namedValues({ operator, text, items }: Criterion): string[] {
  if (operator === "equals") return [text];
  return operator === "anyexact" ? (items ?? text.split(",").map((item) => item.trim())) : [];
}

/** True for a condition that only bugs of a mirror of some products can meet. */
function isWithinMirror(condition: Condition, coverage: MirrorCoverage): boolean {
  if (condition.kind === "not") return false;
  if (condition.kind === "group") {
    const { join, parts } = condition;
    if (join !== "OR") return parts.some((part) => isWithinMirror(part, coverage));
    return parts.length > 0 && parts.every((part) => isWithinMirror(part, coverage));
  }
  if (condition.field === "bug_id") {
    const ids = namedValues(condition);
    return (
      ids.length > 0 &&
      ids.every((id) => /^\d+$/.test(id)) &&
      findAbsentBugs(condition, coverage.call.store).length === 0
    );
  }
  const named = namedProducts(condition, coverage);
  return named.length > 0 && named.every(({ held, absent }) => held > 0 && absent === 0);
}

/** A product that is not in a mirror, or a component that only such products have. */
function findAbsentProduct(criterion: Criterion, coverage: MirrorCoverage): string | undefined {
  if (coverage.products.length === 0) return undefined;
  return namedProducts(criterion, coverage).find(({ held, absent }) => held === 0 && absent > 0)?.name;
}

/** Products and components that a criterion names, with how many products of that name are in a mirror, and how many are not. */
function namedProducts(criterion: Criterion, { call, products }: MirrorCoverage) {
  const { field } = criterion;
  if (field !== "product" && field !== "component") return [];
  const mirrored = new Set(products.map((name) => name.toLowerCase()));
  return namedValues(criterion).map((name) => {
    const owners = field === "product" ? [{ name }] : call.store.all<{ name: string }>(OWNERS, [name]);
    const held = owners.filter((owner) => mirrored.has(owner.name.toLowerCase())).length;
    return { name, held, absent: owners.length - held };
  });
}

const OWNERS = `SELECT products.name FROM components JOIN products ON products.id = product_id WHERE components.name = ?`;

/** Ids and aliases of bugs that a mirror does not have. */
function findAbsentBugs(criterion: Criterion, store: Store): string[] {
  if (criterion.field === "alias")
    return namedValues(criterion).filter(
      (alias) => store.get("SELECT 1 FROM bug_aliases WHERE alias = ?", [alias]) === undefined,
    );
  if (criterion.field !== "bug_id") return [];
  const isAbsent = (id: string) => store.get("SELECT 1 FROM bugs WHERE id = ?", [Number(id)]) === undefined;
  return namedValues(criterion)
    .filter((id) => /^\d+$/.test(id) && isAbsent(id))
    .map((id) => `#${id}`);
}

function criterionText({ field, operator, text }: Criterion): string {
  if (text === "%last_changed%") return "is:unread";
  const value = text.replace(/^%(group\.[^%]+)%$/, "@$1");
  return `${fieldNamed(field)?.api ?? field} ${SIGNS[operator] ?? operator} ${value}`.trim();
}

const SIGNS: Readonly<Record<string, string>> = {
  equals: "=",
  notequals: "!=",
  anyexact: "in",
  substring: "~",
  notsubstring: "!~",
  regexp: "=~",
  notregexp: "!=~",
  lessthan: "<",
  lessthaneq: "<=",
  greaterthan: ">",
  greaterthaneq: ">=",
  isempty: "is empty",
  isnotempty: "is not empty",
  changedfrom: "changed from",
  changedto: "changed to",
  changedby: "changed by",
  changedafter: "changed since",
  changedbefore: "changed before",
};

/** Gaps of a mirror that searches depend on. */
type MirrorGaps = {
  hasContents: boolean; // of attachments
  hasHours: () => boolean; // the login sees hours
  hasPrivate: () => boolean; // the login sees private comments and attachments
  hasLogins: () => boolean; // none was shortened by the tracker
  hasGroups: () => boolean; // the login may list groups
};

/** The limit that keeps a mirror from deciding a criterion; undefined if it decides it. */
function criterionLimit(criterion: Criterion, gaps: MirrorGaps): MirrorLimit | undefined {
  const { field, text } = criterion;
  if (/^%group\.[^%]+%$/.test(text)) return "members";
  return UNKNOWN[field] ?? fieldLimit(field, gaps) ?? patternLimit(criterion) ?? loginLimit(criterion, gaps);
}

/** The limit for a field whose values the mirror may lack. */
function fieldLimit(field: string, gaps: MirrorGaps): MirrorLimit | undefined {
  if (field === "attach_data.thedata") return gaps.hasContents ? undefined : "content";
  if (HOURS.has(field)) return gaps.hasHours() ? undefined : "hours";
  return field.endsWith(".isprivate") && !gaps.hasPrivate() ? "privacy" : undefined;
}

const UNKNOWN: Readonly<Record<string, MirrorLimit>> = { last_visit_ts: "visits", owner_idle_time: "idle" };

/** Fields for the members of the group of time tracking. */
const HOURS: ReadonlySet<string> = new Set(
  FIELDS.filter(({ readers }) => readers === "time trackers").map(({ chart }) => chart),
);

function patternLimit({ field, operator, text }: Criterion): MirrorLimit | undefined {
  const found = findOperator(operator);
  if (found.about !== "value" || found.positive !== "regexp") return undefined;
  if (isPortablePattern(text, { isOneLine: field !== "longdesc" })) return undefined;
  return isPortablePattern(text, { isOneLine: true }) ? "lines" : "pattern";
}

function loginLimit(criterion: Criterion, { hasLogins }: MirrorGaps): MirrorLimit | undefined {
  return comparesLogins(criterion) && !hasLogins() ? "logins" : undefined;
}

function comparesLogins({ field, operator }: Criterion): boolean {
  const found = findOperator(operator);
  if (found.about === "change") return COMPARES_LOGINS[found.change] ?? USER_FIELDS.has(field);
  return found.about === "value" && USER_FIELDS.has(field);
}

/** Operators on changes that compare logins whatever the field is, or never; the others do in fields of users. */
const COMPARES_LOGINS: Readonly<Partial<Record<ChangeOperator, boolean>>> = {
  changedby: true,
  changedbefore: false,
  changedafter: false,
};

/** Fields whose values are users, or their names. */
const USER_FIELDS: ReadonlySet<string> = new Set(
  FIELDS.filter(({ family, nameOf }) => family === "person" || family === "people" || nameOf).map(({ chart }) => chart),
);

/**
 * True if MariaDB, MySQL, PostgreSQL and this tracker agree on a regular expression: characters, escaped punctuation,
 * simple sets, groups, alternatives, anchors and greedy repetition. `.` and negated sets only count for texts of one line,
 * since databases differ on line breaks.
 */
export function isPortablePattern(pattern: string, { isOneLine }: { isOneLine: boolean }): boolean {
  const rest = pattern.replace(isOneLine ? ONE_LINE : MANY_LINES, "");
  return rest === "" && !/(?:^|[(|])(?:[*+?{|)]|$)|[*+?}^][*+?{]/.test(withoutLetters(pattern));
}

/** A set without escapes, classes or operators; a letter case may not change a range. */
const SET = String.raw`[^\][\\&~-](?:-[^\][\\&~-])?`;
const PATTERN_PARTS = [
  String.raw`\\[^\w\s]`, // an escaped sign
  String.raw`[^\\[\](){}.*+?|^$]`, // itself
  String.raw`\[(?!\^)(?:${SET})+\]`,
  String.raw`\((?!\?)|[|^$)]`,
  String.raw`[*+?]|\{\d{1,3}(?:,\d{0,3})?\}`,
];
const ONE_LINE = new RegExp([...PATTERN_PARTS, String.raw`\.|\[\^(?:${SET})+\]`].join("|"), "gu");
const MANY_LINES = new RegExp(PATTERN_PARTS.join("|"), "gu");

/** The pattern with each escaped sign and set as one letter. */
function withoutLetters(pattern: string): string {
  return pattern.replace(/\\.|\[[^\]]*\]/gsu, "x");
}

/** Coverage of a mirror, for judging searches. */
export function mirrorCoverage(store: Store, facts: MirrorFacts, runtime: Runtime): MirrorCoverage {
  const parameters = readServerParameters(store);
  const userId = facts.login === null ? undefined : userByLogin(store, facts.login)?.id;
  return {
    call: {
      store,
      parameters,
      runtime,
      requester: mirrorRequester(store, userId, parameters),
      now: timestamp(runtime.now()),
    },
    products: facts.products,
    gaps: {
      hasContents: facts.attachments === "all",
      hasHours: () => parameters.timetrackinggroup !== "",
      hasPrivate: () => facts.isInsider !== false && hasPrivate(store),
      hasLogins: () => store.get("SELECT 1 FROM mirror_users WHERE is_shortened = 1 LIMIT 1") === undefined,
      hasGroups: () => store.get("SELECT 1 FROM mirror_objects WHERE kind = 'group' LIMIT 1") !== undefined,
    },
  };
}

/** True if something private was received, which only insiders see. */
function hasPrivate(store: Store): boolean {
  const tables = ["comments", "attachments"];
  return tables.some((table) => store.get(`SELECT 1 FROM ${table} WHERE is_private = 1 LIMIT 1`) !== undefined);
}
