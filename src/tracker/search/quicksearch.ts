import { FIELDS } from "../fields.ts";
import { Fault } from "../http/fault.ts";
import { allCriteria, type Condition, type Criterion, createCriterion, joinConditions } from "./condition.ts";
import type { SearchContext } from "./context.ts";
import { searchableFields } from "./search-fields.ts";

/**
 * Condition of a quicksearch. Numbers alone are bug ids. Otherwise all words must match (`OR`, `|` and commas separate
 * alternatives), in open bugs only unless the first word, a field or the request (`hasStatus`) names a status.
 * @throws Fault buglist_parameters_required if it is empty, other if it is invalid
 * @see Bugzilla/Search/Quicksearch.pm
 */
export function quicksearchCondition(context: SearchContext, text: string, hasStatus: boolean): Condition {
  const trimmed = text.replace(/^[\s,]+|[\s,]+$/g, "");
  if (trimmed === "") throw noCriteriaFault();
  if (/^[\d\s,]+$/.test(trimmed)) return createCriterion("bug_id", "anyexact", trimmed.replace(/[\s,]+/g, ","));
  const [first = [], ...rest] = readAlternatives(readWords(trimmed));
  const status = first.length === 1 ? statusCondition(context, first[0] ?? "") : undefined;
  const terms = (status ? rest : [first, ...rest]).map((alternatives) =>
    joinConditions(
      "OR",
      alternatives.flatMap((word) => unquotedWords(word, "\\|")).map((term) => termCondition(context, term)),
    ),
  );
  const isOpenOnly = !status && !hasStatus && !terms.flatMap(allCriteria).some(({ field }) => STATUS_FIELDS.has(field));
  return joinConditions("AND", [
    ...(status ?? []),
    ...terms,
    ...(isOpenOnly ? (statusCondition(context, "OPEN") ?? []) : []),
  ]);
}

/** Fault 1000: search without criteria. */
export function noCriteriaFault(): Fault {
  return new Fault(
    "buglist_parameters_required",
    "You may not search, or create saved searches, without any search terms.",
  );
}

const STATUS_FIELDS: ReadonlySet<string> = new Set(["bug_status", "resolution"]);

function readWords(text: string): string[] {
  const words = splitUnquoted(text, "\\s+");
  if (!words) {
    throw new Fault(
      "other",
      `Bugzilla is unable to parse your query correctly: ${text}. If you use quotes to enclose strings, make sure both quotes are present. If you really want to look for a quote in a string, type \\" instead of ". For instance, "I'm so \\"special\\", really" (with quotes) will be interpreted as I'm so "special", really.`,
    );
  }
  if (/^(?:AND|OR)$/.test(words[0] ?? "") || /^(?:AND|OR|NOT)$/.test(words.at(-1) ?? "")) {
    throw misplacedOperatorFault(
      "A query cannot start with AND or OR, nor can it end with AND, OR or NOT. They are reserved operators and must be quoted if you want to look for these strings.",
    );
  }
  return words;
}

/** Words grouped by `OR`. */
function readAlternatives(words: string[]): string[][] {
  checkOperators(words);
  const groups: string[][] = [];
  let isJoined = false;
  for (const word of withMinus(words)) {
    if (word !== "OR" && word !== "AND") groups.push(isJoined ? [...(groups.pop() ?? []), word] : [word]);
    isJoined = word === "OR";
  }
  return groups;
}

/** Words with `NOT word` as `-word`; a double NOT cancels out. */
function withMinus(words: string[]): string[] {
  const read: string[] = [];
  let isNegated = false;
  for (const word of words) {
    if (word === "NOT") {
      isNegated = !isNegated;
    } else {
      read.push(isNegated ? `-${word}` : word);
      isNegated = false;
    }
  }
  return read;
}

const INVALID_SUCCESSORS: ReadonlyMap<string, readonly string[]> = new Map([
  ["AND", ["OR"]],
  ["OR", ["AND"]],
  ["NOT", ["AND", "OR"]],
]);

function checkOperators(words: string[]): void {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? "";
    if (INVALID_SUCCESSORS.get(word)?.includes(next))
      throw misplacedOperatorFault(`The ${word} operator cannot be followed by ${next}.`);
  }
}

function misplacedOperatorFault(reason: string): Fault {
  return new Fault("other", `Your query is invalid. ${reason}`);
}

/**
 * Condition of a first word about status: none for `ALL`, open statuses for `OPEN`, and upper-case prefixes of statuses and
 * resolutions (`RES`, `CON,UNC`, `FIX`). Undefined for any other word.
 */
function statusCondition({ store }: SearchContext, word: string): Condition[] | undefined {
  if (word === "ALL") return [];
  const values = store.all<StatusValue>(STATUS_VALUES);
  if (word === "OPEN") {
    return [
      anyValue(
        "bug_status",
        values.filter(({ is_open }) => is_open === 1),
      ),
    ];
  }
  const prefixes = /^[A-Z_]+(?:,[A-Z_]+)*$/.test(word) ? word.split(",") : [];
  const matching = (prefix: string) => values.filter(({ name }) => name.startsWith(prefix));
  if (prefixes.length === 0 || prefixes.some((prefix) => matching(prefix).length === 0)) return undefined;
  const all = prefixes.flatMap(matching);
  const choices = ["bug_status", "resolution"].map((field) => ({
    field,
    values: all.filter((value) => value.field === field),
  }));
  return [
    joinConditions(
      "OR",
      choices.filter((choice) => choice.values.length > 0).map((choice) => anyValue(choice.field, choice.values)),
    ),
  ];
}

type StatusValue = { field: string; name: string; is_open: number };

const STATUS_VALUES = `SELECT fields.name AS field, field_values.name, is_open
  FROM field_values JOIN fields ON fields.id = field_id WHERE fields.name IN ('bug_status', 'resolution')`;

function anyValue(field: string, values: StatusValue[]): Condition {
  const items = values.map(({ name }) => name);
  return { ...createCriterion(field, "anyexact", items.join(",")), items };
}

/**
 * Chart name of the field with a quicksearch name or unique prefix, with or without `cf_`.
 * @throws Fault other if none or several match
 */
function quicksearchField(context: SearchContext, text: string): string {
  const name = text.toLowerCase();
  const names = quickNames(context);
  const exact = names.get(name) ?? names.get(`cf_${name}`);
  if (exact !== undefined) return exact;
  const [first, second] =
    [namesStartingWith(names, name), namesStartingWith(names, `cf_${name}`)].find(({ length }) => length > 0) ?? [];
  if (first === undefined)
    throw quicksearchFault(`${text} is not a valid field name. The legal field names are listed here.`);
  if (second !== undefined) {
    const matches = namesStartingWith(names, name).map(([match]) => match);
    throw quicksearchFault(`${text} matches more than one field: ${matches.join(", ")}`);
  }
  return first[1];
}

type Names = ReadonlyMap<string, string>;

// One name per field.
function namesStartingWith(names: Names, start: string): [string, string][] {
  const byField = new Map([...names].filter(([name]) => name.startsWith(start)).map(([name, field]) => [field, name]));
  return [...byField].map(([field, name]) => [name, field] as const);
}

function quicksearchFault(reason: string): Fault {
  return new Fault("other", `There is a problem with your search: ${reason}`);
}

function quickNames(context: SearchContext): Names {
  const fieldNames = searchableFields(context).filter((field) => !field.includes(".") && !EXCLUDED.has(field));
  return new Map([...SHORT_NAMES, ...fieldNames.map((field) => [field, field] as const)]);
}

// Fields that quicksearch does not accept under their chart names.
const EXCLUDED: ReadonlySet<string> = new Set(
  FIELDS.filter(({ isQuickByName }) => isQuickByName === false).map(({ chart }) => chart),
);

const SHORT_NAMES = FIELDS.flatMap(({ chart, quick = [] }) => quick.map((name) => [name, chart] as const));

/** Condition of one term: `word`, `-word`, `field:value`, `@user`, `flag?user` and so on. */
function termCondition(context: SearchContext, text: string): Condition {
  const isNegated = text.startsWith("-");
  const term = isNegated ? text.slice(1) : text;
  const parts = readTerm(context, term);
  // Each list has alternatives; all lists must match.
  return isNegated
    ? joinConditions("AND", parts.flat().map(negated))
    : joinConditions(
        "AND",
        parts.map((alternatives) => joinConditions("OR", alternatives)),
      );
}

function readTerm(context: SearchContext, term: string): Alternatives[] {
  for (const read of TERM_READERS) {
    const parts = read(context, term);
    if (parts) return parts;
  }
  return [unquotedWords(term, ",").flatMap((word) => plainWordCriteria(context, withoutQuotes(word)))];
}

type Alternatives = Criterion[];
type Reader = (context: SearchContext, term: string) => Alternatives[] | undefined;

const NEGATED_OPERATORS: Readonly<Record<string, string>> = {
  anywords: "nowords",
  equals: "notequals",
  matches: "notmatches",
  substring: "notsubstring",
};

function negated(condition: Criterion): Condition {
  const operator = NEGATED_OPERATORS[condition.operator];
  return operator === undefined ? { kind: "not", part: condition } : { ...condition, operator };
}

const PREFIXES: Readonly<Record<string, (words: readonly string[], rest: string) => Alternatives>> = {
  "#": (words) =>
    words.flatMap((word) => [
      createCriterion("short_desc", "substring", word),
      createCriterion("content", "matches", quotedPhrase(word)),
    ]),
  ":": (words) =>
    words.flatMap((word) => [
      createCriterion("product", "substring", word),
      createCriterion("component", "substring", word),
    ]),
  "@": (words) => words.map((word) => createCriterion("assigned_to", "substring", word)),
  "[": (_words, rest) => [
    createCriterion("short_desc", "substring", rest),
    createCriterion("status_whiteboard", "substring", rest),
  ],
  "!": (_words, rest) => [createCriterion("keywords", "anywords", rest)],
};

const readPrefix: Reader = (_context, term) => {
  const rest = term.slice(1);
  const words = rest.split(",").filter((word) => word !== "");
  return rest === "" ? undefined : asConjunction(PREFIXES[term.charAt(0)]?.(words, rest));
};

function asConjunction(alternatives: Alternatives | undefined): Alternatives[] | undefined {
  return alternatives && [alternatives];
}

const OPERATORS = [
  ["!=", "notequals"],
  [">=", "greaterthaneq"],
  ["<=", "lessthaneq"],
  [":", "substring"],
  ["=", "equals"],
  [">", "greaterthan"],
  ["<", "lessthan"],
] as const;

const URL_START = /^[a-z]+:\/\//i;

/** `field,field:value,value`: any field has any value. */
const readFields: Reader = (context, term) => {
  for (const [sign, operator] of URL_START.test(term) ? [] : OPERATORS) {
    const [names = "", values = "", third] = splitUnquoted(term, sign) ?? [];
    if (names !== "" && values !== "" && third === undefined && !names.startsWith('"')) {
      const fields = unquotedWords(names, ",").map((name) => quicksearchField(context, withoutQuotes(name)));
      return [
        fields.flatMap((field) => unquotedWords(values, ",").map((value) => fieldCriterion(field, operator, value))),
      ];
    }
  }
  return undefined;
};

function fieldCriterion(field: string, operator: string, value: string): Criterion {
  if (value === '""' || (field === "resolution" && value === "---")) return createCriterion(field, "isempty", "");
  return createCriterion(
    field,
    operator === "substring" ? (COLON_OPERATORS[field] ?? operator) : operator,
    withoutQuotes(value),
  );
}

// Operator of the colon for fields without substring search.
const COLON_OPERATORS: Readonly<Record<string, string>> = { content: "matches", owner_idle_time: "greaterthan" };

/** `flag?`, or `flag?user` with a requestee. */
const readFlag: Reader = (_context, term) => {
  const [, flag, user] = /^(?:flag:)?([^?"]+\?)([^?]*)$/.exec(term) ?? [];
  if (flag === undefined || flag.startsWith("cf_")) return undefined;
  const flags = [createCriterion("flagtypes.name", "substring", flag)];
  return user ? [flags, [createCriterion("requestees.login_name", "substring", user)]] : [flags];
};

const TERM_READERS: readonly Reader[] = [
  readPrefix,
  (context, term) => (term.startsWith("flag:") ? readFlag(context, term) : undefined),
  readFields,
  readFlag,
];

/** Alternatives of a plain word; `P1` and `P1-3` are priorities. */
function plainWordCriteria(context: SearchContext, word: string): Criterion[] {
  const priorities = findPriorities(context, word);
  if (priorities) return [{ ...createCriterion("priority", "anyexact", priorities.join(",")), items: priorities }];
  const isKeyword = context.store.get("SELECT id FROM keywords WHERE name = ?", [word]) !== undefined;
  const name = word.toLowerCase();
  const fields: string[] = [];
  if (word.length > 2 && !AMBIGUOUS_IN_PRODUCTS.has(name)) fields.push("product");
  if (word.length > 2 && !AMBIGUOUS_IN_COMPONENTS.has(name)) fields.push("component");
  if (isKeyword) fields.push("keywords");
  fields.push("alias", "short_desc", "status_whiteboard");
  if (URL_LIKE.test(word)) fields.push("bug_file_loc");
  return [
    ...fields.map((field) => createCriterion(field, "substring", word)),
    createCriterion("content", "matches", quotedPhrase(word)),
  ];
}

// Words too common in the names of products and components.
const AMBIGUOUS_IN_PRODUCTS: ReadonlySet<string> = new Set(["row", "new"]);
const AMBIGUOUS_IN_COMPONENTS: ReadonlySet<string> = new Set(["hang"]);

const URL_LIKE = /\d+\.\d+\.\d+\.\d+|^[a-z]+(?:\.[a-z]+)+|:[\\/][\\/]|localhost|mailto/i;

/** Priorities of `P1` or `P1-3`, by name or else by position in the list; undefined for other words. */
function findPriorities({ store }: SearchContext, word: string): string[] | undefined {
  const [, start, end = start] = /^P(\d{1,9})(?:-(\d{1,9}))?$/i.exec(word) ?? [];
  if (start === undefined) return undefined;
  const priorities = store.all<{ name: string }>(PRIORITIES).map(({ name }) => name);
  const indexOf = (number: string | undefined) => {
    const exact = priorities.indexOf(`P${number}`);
    return exact >= 0 ? exact : Math.min(Math.max(Number(number), 1), priorities.length) - 1;
  };
  const [from, to] = [indexOf(start), indexOf(end)];
  return priorities.slice(Math.min(from, to), Math.max(from, to) + 1);
}

const PRIORITIES = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'priority' ORDER BY field_values.sort_key, field_values.name`;

/**
 * Parts of a text split at a separator (a pattern without groups) outside double quotes; quotes and backslashes are kept.
 * Undefined if a quote is not closed.
 */
export function splitUnquoted(text: string, separator: string): string[] | undefined {
  const parts = [""];
  for (const [piece, separatorMatch] of text.matchAll(tokenPattern(separator))) {
    if (piece === '"') return undefined;
    if (separatorMatch === undefined) {
      parts.push(`${parts.pop()}${piece}`);
    } else {
      parts.push("");
    }
  }
  return parts;
}

/** Non-empty parts of `splitUnquoted`; none if a quote is not closed. */
export function unquotedWords(text: string, separator: string): string[] {
  return (splitUnquoted(text, separator) ?? []).filter((part) => part !== "");
}

/** The text without quotes and with backslash escapes resolved. */
export function withoutQuotes(text: string): string {
  return text.replace(/\\(.)|"/gs, (_all, escaped?: string) => escaped ?? "");
}

/** A word as a full-text phrase. */
function quotedPhrase(word: string): string {
  return `"${word.replaceAll('"', " ")}"`;
}

function tokenPattern(separator: string): RegExp {
  return new RegExp(`"(?:[^"\\\\]|\\\\[^])*"|\\\\[^]|(${separator})|[^]`, "g");
}
