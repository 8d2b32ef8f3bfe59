import { type Condition, type Criterion, criterion, joinConditions, negateIf } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { quicksearchField } from "./field-names.ts";

/** Condition of one term: `word`, `-word`, `field:value`, `@user`, `flag?user` and so on. */
export function termCondition(context: SearchContext, text: string): Condition {
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
  for (const read of READERS) {
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
  return operator === undefined ? negateIf(true, condition) : { ...condition, operator };
}

const PREFIXES: Readonly<Record<string, (words: readonly string[], rest: string) => Alternatives>> = {
  "#": (words) =>
    words.flatMap((word) => [
      criterion("short_desc", "substring", word),
      criterion("content", "matches", quotedPhrase(word)),
    ]),
  ":": (words) =>
    words.flatMap((word) => [criterion("product", "substring", word), criterion("component", "substring", word)]),
  "@": (words) => words.map((word) => criterion("assigned_to", "substring", word)),
  "[": (_words, rest) => [
    criterion("short_desc", "substring", rest),
    criterion("status_whiteboard", "substring", rest),
  ],
  "!": (_words, rest) => [criterion("keywords", "anywords", rest)],
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
  if (value === '""' || (field === "resolution" && value === "---")) return criterion(field, "isempty", "");
  return criterion(
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
  const flags = [criterion("flagtypes.name", "substring", flag)];
  return user ? [flags, [criterion("requestees.login_name", "substring", user)]] : [flags];
};

const READERS: readonly Reader[] = [
  readPrefix,
  (context, term) => (term.startsWith("flag:") ? readFlag(context, term) : undefined),
  readFields,
  readFlag,
];

/** Alternatives of a plain word; `P1` and `P1-3` are priorities. */
function plainWordCriteria(context: SearchContext, word: string): Criterion[] {
  const priorities = prioritiesOf(context, word);
  if (priorities) return [{ ...criterion("priority", "anyexact", priorities.join(",")), items: priorities }];
  const isKeyword = context.store.get("SELECT id FROM keywords WHERE name = ?", [word]) !== undefined;
  const name = word.toLowerCase();
  return [
    ...(word.length > 2 && !AMBIGUOUS_IN_PRODUCTS.has(name) ? [criterion("product", "substring", word)] : []),
    ...(word.length > 2 && !AMBIGUOUS_IN_COMPONENTS.has(name) ? [criterion("component", "substring", word)] : []),
    ...(isKeyword ? [criterion("keywords", "substring", word)] : []),
    criterion("alias", "substring", word),
    criterion("short_desc", "substring", word),
    criterion("status_whiteboard", "substring", word),
    criterion("content", "matches", quotedPhrase(word)),
    ...(URL_LIKE.test(word) ? [criterion("bug_file_loc", "substring", word)] : []),
  ];
}

// Words too common in the names of products and components.
const AMBIGUOUS_IN_PRODUCTS: ReadonlySet<string> = new Set(["row", "new"]);
const AMBIGUOUS_IN_COMPONENTS: ReadonlySet<string> = new Set(["hang"]);

const URL_LIKE = /\d+\.\d+\.\d+\.\d+|^[a-z]+(?:\.[a-z]+)+|:[\\/][\\/]|localhost|mailto/i;

/** Priorities of `P1` or `P1-3`, by name or else by position in the list; undefined for other words. */
function prioritiesOf({ store }: SearchContext, word: string): string[] | undefined {
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
