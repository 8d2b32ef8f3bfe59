import { type Condition, type Criterion, criterion, joinConditions, negateIf } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { quicksearchField } from "./field-names.ts";

/** The condition of one term: `word`, `-word`, `field:value`, `@who`, `flag?who` and so on. */
export function termCondition(asking: SearchContext, text: string): Condition {
  const isNegated = text.startsWith("-");
  const term = isNegated ? text.slice(1) : text;
  const parts = readTerm(asking, term);
  // Each list holds alternatives; all lists count.
  return isNegated
    ? joinConditions("AND", parts.flat().map(negated))
    : joinConditions(
        "AND",
        parts.map((rows) => joinConditions("OR", rows)),
      );
}

function readTerm(asking: SearchContext, term: string): readonly Alternatives[] {
  for (const read of READERS) {
    const parts = read(asking, term);
    if (parts) return parts;
  }
  return [unquotedWords(term, ",").flatMap((word) => plainWordCriteria(asking, withoutQuotes(word)))];
}

type Alternatives = readonly Criterion[];
type Reader = (asking: SearchContext, term: string) => readonly Alternatives[] | undefined;

const NEGATIVES: Readonly<Record<string, string>> = {
  anywords: "nowords",
  equals: "notequals",
  matches: "notmatches",
  substring: "notsubstring",
};

function negated(condition: Criterion): Condition {
  const operator = NEGATIVES[condition.operator];
  return operator === undefined ? negateIf(true, condition) : { ...condition, operator };
}

const SIGNS: Readonly<Record<string, (words: readonly string[], rest: string) => Alternatives>> = {
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

const readSign: Reader = (_asking, term) => {
  const rest = term.slice(1);
  const words = rest.split(",").filter((word) => word !== "");
  return rest === "" ? undefined : asOne(SIGNS[term.charAt(0)]?.(words, rest));
};

function asOne(rows: Alternatives | undefined): readonly Alternatives[] | undefined {
  return rows && [rows];
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

/** `field,field:value,value`: any of the fields has any of the values. */
const readFields: Reader = (asking, term) => {
  for (const [sign, operator] of URL_START.test(term) ? [] : OPERATORS) {
    const [names = "", values = "", third] = splitUnquoted(term, sign) ?? [];
    if (names !== "" && values !== "" && third === undefined && !names.startsWith('"')) {
      const fields = unquotedWords(names, ",").map((name) => quicksearchField(asking, withoutQuotes(name)));
      return [
        fields.flatMap((field) => unquotedWords(values, ",").map((value) => fieldCriterion(field, operator, value))),
      ];
    }
  }
  return undefined;
};

function fieldCriterion(field: string, operator: string, value: string): Criterion {
  if (value === '""' || (field === "resolution" && value === "---")) return criterion(field, "isempty", "");
  return criterion(field, operator === "substring" ? (COLON[field] ?? operator) : operator, withoutQuotes(value));
}

// What a colon means to fields that cannot be looked into.
const COLON: Readonly<Record<string, string>> = { content: "matches", owner_idle_time: "greaterthan" };

/** `flag?`, and `flag?who` for the one who is asked. */
const readFlag: Reader = (_asking, term) => {
  const [, flag, who] = /^(?:flag:)?([^?"]+\?)([^?]*)$/.exec(term) ?? [];
  if (flag === undefined || flag.startsWith("cf_")) return undefined;
  const flags = [criterion("flagtypes.name", "substring", flag)];
  return who ? [flags, [criterion("requestees.login_name", "substring", who)]] : [flags];
};

const READERS: readonly Reader[] = [
  readSign,
  (asking, term) => (term.startsWith("flag:") ? readFlag(asking, term) : undefined),
  readFields,
  readFlag,
];

/** Where a plain word is looked for: anywhere that a person might mean by it; `P1` and `P1-3` are priorities. */
function plainWordCriteria(asking: SearchContext, word: string): readonly Criterion[] {
  const priorities = prioritiesOf(asking, word);
  if (priorities) return [{ ...criterion("priority", "anyexact", priorities.join(",")), items: priorities }];
  const isKeyword = asking.store.get("SELECT id FROM keywords WHERE name = ?", [word]) !== undefined;
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

// Words that say more in a summary than in the names of products and components.
const AMBIGUOUS_IN_PRODUCTS: ReadonlySet<string> = new Set(["row", "new"]);
const AMBIGUOUS_IN_COMPONENTS: ReadonlySet<string> = new Set(["hang"]);

const URL_LIKE = /\d+\.\d+\.\d+\.\d+|^[a-z]+(?:\.[a-z]+)+|:[\\/][\\/]|localhost|mailto/i;

/** The priorities of that name, or else those that stand there in the list of priorities. */
function prioritiesOf({ store }: SearchContext, word: string): readonly string[] | undefined {
  const [, start, end = start] = /^P(\d{1,9})(?:-(\d{1,9}))?$/i.exec(word) ?? [];
  if (start === undefined) return undefined;
  const legal = store.all<{ readonly name: string }>(PRIORITIES).map(({ name }) => name);
  const place = (number: string | undefined) => {
    const named = legal.indexOf(`P${number}`);
    return named >= 0 ? named : Math.min(Math.max(Number(number), 1), legal.length) - 1;
  };
  const [from, to] = [place(start), place(end)];
  return legal.slice(Math.min(from, to), Math.max(from, to) + 1);
}

const PRIORITIES = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'priority' ORDER BY field_values.sort_key, field_values.name`;

/**
 * Takes a text apart at a separator (a pattern without groups), but not inside double quotes; quotes and backslashes stay.
 * Undefined when a quote is not closed.
 */
export function splitUnquoted(text: string, separator: string): readonly string[] | undefined {
  const parts = [""];
  for (const [piece, found] of text.matchAll(pieces(separator))) {
    if (piece === '"') return undefined;
    if (found === undefined) {
      parts.push(`${parts.pop()}${piece}`);
    } else {
      parts.push("");
    }
  }
  return parts;
}

/** The same without the parts that are empty, and with nothing when a quote is not closed. */
export function unquotedWords(text: string, separator: string): readonly string[] {
  return (splitUnquoted(text, separator) ?? []).filter((part) => part !== "");
}

/** A text without its quotes, and with what backslashes protect. */
export function withoutQuotes(text: string): string {
  return text.replace(/\\(.)|"/gs, (_all, protectedSign?: string) => protectedSign ?? "");
}

/** A word as full-text search takes a phrase. */
function quotedPhrase(word: string): string {
  return `"${word.replaceAll('"', " ")}"`;
}

function pieces(separator: string): RegExp {
  return new RegExp(`"(?:[^"\\\\]|\\\\[^])*"|\\\\[^]|(${separator})|[^]`, "g");
}
