import { legalValues } from "../bug-fields/values.ts";
import { FIELDS } from "../fields.ts";
import { Fault } from "../values.ts";
import {
  allCriteria,
  type Condition,
  type Criterion,
  createCriterion,
  joinConditions,
  NEGATIVE_FORMS,
  type SearchContext,
} from "./condition.ts";
import { searchableFields } from "./search-fields.ts";

/**
 * Condition of a quicksearch. Numbers alone are bug ids. Otherwise all words must match (`OR`, `|`
 * and commas separate alternatives), in open bugs only unless the first word, a field or the request
 * (`hasStatus`) names a status.
 * @throws Fault buglist_parameters_required if it is empty, other if it is invalid
 * @see Bugzilla/Search/Quicksearch.pm
 */
export function quicksearchCondition(context: SearchContext, text: string, hasStatus: boolean): Condition {
  const trimmed = text.replace(/^[\s,]+|[\s,]+$/g, "");
  if (trimmed === "") throw noCriteriaFault();
  if (/^[\d\s,]+$/.test(trimmed)) return createCriterion("bug_id", "anyexact", trimmed.replace(/[\s,]+/g, ","));
  const groups = groupAlternatives(splitAtSpaces(trimmed));
  const [firstGroup = [], ...rest] = groups;
  const [first = "", alternative] = firstGroup;
  const status = alternative === undefined ? statusConditions(context, first) : undefined;
  const terms = (status ? rest : groups).map((group) => {
    const words = group.flatMap((word) => splitNonEmpty(word, "\\|"));
    const conditions = words.map((word) => termCondition(context, word));
    return joinConditions("OR", conditions);
  });
  const namesStatus = terms.flatMap(allCriteria).some(({ field }) => STATUS_FIELDS.includes(field));
  const open = status || hasStatus || namesStatus ? [] : (statusConditions(context, "OPEN") ?? []);
  return joinConditions("AND", [...(status ?? []), ...terms, ...open]);
}

const STATUS_FIELDS = ["bug_status", "resolution"];

/** Fault 1000: search without criteria. */
export function noCriteriaFault(): Fault {
  return new Fault(
    "buglist_parameters_required",
    "You may not search, or create saved searches, without any search terms.",
  );
}

/** @throws Fault other if a quote is not closed */
function splitAtSpaces(text: string): readonly string[] {
  const words = splitUnquoted(text, "\\s+");
  if (words) return words;
  throw new Fault(
    "other",
    `Bugzilla is unable to parse your query correctly: ${text}. If you use quotes to enclose strings, make sure both quotes are present. If you really want to look for a quote in a string, type \\" instead of ". For instance, "I'm so \\"special\\", really" (with quotes) will be interpreted as I'm so "special", really.`,
  );
}

/** Words that `OR` joins are a group; `NOT word` becomes `-word`, and a double NOT cancels out. */
function groupAlternatives(words: readonly string[]): string[][] {
  checkOperators(words);
  const groups: string[][] = [];
  let [isJoined, isNegated] = [false, false];
  for (const word of words) {
    if (word === "NOT") {
      isNegated = !isNegated;
    } else if (word === "OR" || word === "AND") {
      isJoined = word === "OR";
    } else {
      const term = isNegated ? `-${word}` : word;
      if (isJoined) groups.at(-1)?.push(term);
      else groups.push([term]);
      [isJoined, isNegated] = [false, false];
    }
  }
  return groups;
}

function checkOperators(words: readonly string[]): void {
  if (/^(?:AND|OR)$/.test(words[0] ?? "") || /^(?:AND|OR|NOT)$/.test(words.at(-1) ?? "")) {
    throw misplacedOperatorFault(
      "A query cannot start with AND or OR, nor can it end with AND, OR or NOT. They are reserved operators and must be quoted if you want to look for these strings.",
    );
  }
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? "";
    if (INVALID_PAIRS.has(`${word} ${next}`))
      throw misplacedOperatorFault(`The ${word} operator cannot be followed by ${next}.`);
  }
}

const INVALID_PAIRS: ReadonlySet<string> = new Set(["AND OR", "OR AND", "NOT AND", "NOT OR"]);

function misplacedOperatorFault(reason: string): Fault {
  return new Fault("other", `Your query is invalid. ${reason}`);
}

/**
 * Condition of a first word about status: none for `ALL`, open statuses for `OPEN`, and upper-case
 * prefixes of statuses and resolutions (`RES`, `CON,UNC`, `FIX`). Undefined for any other word.
 */
function statusConditions(context: SearchContext, word: string): readonly Condition[] | undefined {
  if (word === "ALL") return [];
  if (!/^[A-Z_]+(?:,[A-Z_]+)*$/.test(word)) return undefined;
  const values = STATUS_FIELDS.flatMap((field) =>
    legalValues(context.store, field).map(({ name, is_open }) => ({ field, name, is_open })),
  );
  const matches = word
    .split(",")
    .map((prefix) => values.filter(({ name, is_open }) => (word === "OPEN" ? is_open : name.startsWith(prefix))));
  if (matches.some((found) => found.length === 0)) return undefined;
  const criteria = STATUS_FIELDS.flatMap((field) => {
    const names = matches.flat().flatMap((value) => (value.field === field ? value.name : []));
    return names.length === 0 ? [] : [createCriterion(field, "anyexact", names.join(","), names)];
  });
  return [joinConditions("OR", criteria)];
}

/** Condition of `word`, `field:value`, `@user` and so on; `-term` negates each of its criteria. */
function termCondition(context: SearchContext, text: string): Condition {
  if (text.startsWith("-")) return joinConditions("AND", readTerm(context, text.slice(1)).flat().map(negated));
  const parts = readTerm(context, text).map((alternatives) => joinConditions("OR", alternatives));
  return joinConditions("AND", parts);
}

function negated(criterion: Criterion): Condition {
  const operator = NEGATIVE_FORMS.get(criterion.operator);
  return operator === undefined ? { kind: "not", part: criterion } : { ...criterion, operator };
}

type Alternatives = readonly Criterion[];

/** Lists of alternatives; of each list one must match. */
function readTerm(context: SearchContext, term: string): readonly Alternatives[] {
  const prefixed = term.startsWith("flag:") ? readFlag(term) : readPrefix(term);
  const found = prefixed ?? readFields(context, term) ?? readFlag(term);
  if (found) return found;
  const words = splitNonEmpty(term, ",").map(withoutQuotes);
  return [words.flatMap((word) => plainWordCriteria(context, word))];
}

/** The fields of words that begin with these characters. */
const PREFIX_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "#": ["short_desc", "content"],
  ":": ["product", "component"],
  "@": ["assigned_to"],
  "[": ["short_desc", "status_whiteboard"],
};

/** Criteria of `!KEYWORDS` or a prefix of PREFIX_FIELDS; undefined for other terms. */
function readPrefix(term: string): readonly Alternatives[] | undefined {
  const [sign, rest] = [term.charAt(0), term.slice(1)];
  if (sign === "!" && rest !== "") return [[createCriterion("keywords", "anywords", rest)]];
  const fields = PREFIX_FIELDS[sign];
  if (rest === "" || !fields) return undefined;
  const words = sign === "[" ? [rest] : rest.split(",").filter((word) => word !== "");
  return [words.flatMap((word) => fields.map((field) => containsCriterion(field, word)))];
}

/** Criterion of a text that a field contains; in the full text, of a phrase. */
function containsCriterion(field: string, word: string): Criterion {
  return field === "content"
    ? createCriterion(field, "matches", `"${word.replaceAll('"', " ")}"`)
    : createCriterion(field, "substring", word);
}

const OPERATORS_BY_SIGN = [
  ["!=", "notequals"],
  [">=", "greaterthaneq"],
  ["<=", "lessthaneq"],
  [":", "substring"],
  ["=", "equals"],
  [">", "greaterthan"],
  ["<", "lessthan"],
] as const;

/** `field,field:value,value`: any field has any value. */
function readFields(context: SearchContext, term: string): readonly Alternatives[] | undefined {
  if (/^[a-z]+:\/\//i.test(term)) return undefined;
  for (const [sign, operator] of OPERATORS_BY_SIGN) {
    const [names = "", list = "", third] = splitUnquoted(term, sign) ?? [];
    if (names === "" || list === "" || third !== undefined || names.startsWith('"')) continue;
    const fields = splitNonEmpty(names, ",").map((name) => findChart(context, withoutQuotes(name)));
    const values = splitNonEmpty(list, ",");
    return [fields.flatMap((field) => values.map((value) => fieldCriterion(field, operator, value)))];
  }
  return undefined;
}

function fieldCriterion(field: string, operator: string, value: string): Criterion {
  if (value === '""' || (field === "resolution" && value === "---")) return createCriterion(field, "isempty", "");
  const isFulltext = field === "content" && operator === "substring";
  return createCriterion(field, isFulltext ? "matches" : operator, withoutQuotes(value));
}

/** Chart name by a quicksearch name, with or without `cf_`, or its unique prefix. @throws Fault other */
function findChart(context: SearchContext, text: string): string {
  const name = text.toLowerCase();
  const charts = searchableFields(context).filter((chart) => !chart.includes(".") && !EXCLUDED.includes(chart));
  const fields = new Map([...SHORT_NAMES, ...charts.map((chart) => [chart, chart] as const)]);
  const exact = fields.get(name) ?? fields.get(`cf_${name}`);
  if (exact !== undefined) return exact;
  const matches = [...fields].filter(([fullName]) => fullName.startsWith(name));
  const namesByChart = new Map(matches.map(([fullName, chart]) => [chart, fullName]));
  const [first, second] = namesByChart.keys();
  if (first === undefined)
    throw fieldFault(`${text} is not a valid field name. The legal field names are listed here.`);
  if (second === undefined) return first;
  throw fieldFault(`${text} matches more than one field: ${[...namesByChart.values()].join(", ")}`);
}

function fieldFault(reason: string): Fault {
  return new Fault("other", `There is a problem with your search: ${reason}`);
}

/** Fields that quicksearch does not take under their chart names. */
const EXCLUDED = [
  ...["bug_status", "bug_severity", "rep_platform", "bug_file_loc", "status_whiteboard"],
  ...["bug_group", "cclist_accessible", "reporter_accessible"],
];

const SHORT_NAMES = FIELDS.flatMap(({ chart, quick = [] }) => quick.map((name) => [name, chart] as const));

/** `flag?`, `flag?requestee`, or with `flag:` before. */
function readFlag(term: string): readonly Alternatives[] | undefined {
  const [, flag, requestee] = /^(?:flag:)?([^?"]+\?)([^?]*)$/.exec(term) ?? [];
  if (flag === undefined || flag.startsWith("cf_")) return undefined; // cf_... is a custom field
  const flags = [containsCriterion("flagtypes.name", flag)];
  return requestee ? [flags, [containsCriterion("requestees.login_name", requestee)]] : [flags];
}

/** Alternatives of a plain word; `P1` and `P1-3` are priorities. */
function plainWordCriteria(context: SearchContext, word: string): Alternatives {
  const priorities = findPriorities(context, word);
  if (priorities) return [createCriterion("priority", "anyexact", priorities.join(","), priorities)];
  const isKeyword = context.store.get("SELECT id FROM keywords WHERE name = ?", [word]) !== undefined;
  const fields = [
    ...(word.length > 2 ? ["product", "component"] : []),
    ...(isKeyword ? ["keywords"] : []),
    ...["alias", "short_desc", "status_whiteboard", "content"],
  ];
  return fields.map((field) => containsCriterion(field, word));
}

/** Priorities of `P1` or `P1-3`, by name or else by position; undefined for other words. */
function findPriorities(context: SearchContext, word: string): readonly string[] | undefined {
  const [, start, end = start] = /^P(\d)(?:-(\d))?$/i.exec(word) ?? [];
  if (start === undefined) return undefined;
  const priorities = legalValues(context.store, "priority").map(({ name }) => name);
  const indexes = [start, end].map((digit) => {
    const index = priorities.indexOf(`P${digit}`);
    return index < 0 ? Number(digit) - 1 : index;
  });
  return priorities.slice(Math.max(0, Math.min(...indexes)), Math.max(...indexes) + 1);
}

/**
 * Parts of a text split at a separator (a pattern), except in double quotes and after a backslash,
 * both of which are kept. Undefined if a quote is not closed.
 */
function splitUnquoted(text: string, separator: string): string[] | undefined {
  const [quoted, escaped] = ['"(?:[^"\\\\]|\\\\[^])*"', "\\\\[^]"];
  const token = new RegExp(`${quoted}|${escaped}|(${separator})|[^]`, "g");
  const parts = [""];
  for (const [piece, boundary] of text.matchAll(token)) {
    if (piece === '"') return undefined;
    if (boundary === undefined) parts.push(`${parts.pop()}${piece}`);
    else parts.push("");
  }
  return parts;
}

/** Non-empty parts of `splitUnquoted`; none if a quote is not closed. */
function splitNonEmpty(text: string, separator: string): string[] {
  return (splitUnquoted(text, separator) ?? []).filter((part) => part !== "");
}

/** The text without quotes and with backslash escapes resolved. */
function withoutQuotes(text: string): string {
  return text.replace(/\\(.)|"/gs, (_all, escaped?: string) => escaped ?? "");
}
