import type { Asking } from "../asking.ts";
import { type Condition, group, type Row, row, turned } from "../condition.ts";
import { quickField } from "./field-names.ts";
import { defaultRows } from "./plain-words.ts";
import { phrase, splitOutside, unquoted, wordsOutside } from "./words.ts";

/** The condition of one term: `word`, `-word`, `field:value`, `@who`, `flag?who` and so on. */
export function termCondition(asking: Asking, text: string): Condition {
  const isNegated = text.startsWith("-");
  const term = isNegated ? text.slice(1) : text;
  const parts = readTerm(asking, term);
  // Each list holds alternatives; all lists count.
  return isNegated
    ? group("AND", parts.flat().map(negated))
    : group(
        "AND",
        parts.map((rows) => group("OR", rows)),
      );
}

function readTerm(asking: Asking, term: string): readonly Alternatives[] {
  for (const read of READERS) {
    const parts = read(asking, term);
    if (parts) return parts;
  }
  return [wordsOutside(term, ",").flatMap((word) => defaultRows(asking, unquoted(word)))];
}

type Alternatives = readonly Row[];
type Reader = (asking: Asking, term: string) => readonly Alternatives[] | undefined;

const NEGATIVES: Readonly<Record<string, string>> = {
  anywords: "nowords",
  equals: "notequals",
  matches: "notmatches",
  substring: "notsubstring",
};

function negated(condition: Row): Condition {
  const operator = NEGATIVES[condition.operator];
  return operator === undefined ? turned(true, condition) : { ...condition, operator };
}

const SIGNS: Readonly<Record<string, (words: readonly string[], rest: string) => Alternatives>> = {
  "#": (words) =>
    words.flatMap((word) => [row("short_desc", "substring", word), row("content", "matches", phrase(word))]),
  ":": (words) => words.flatMap((word) => [row("product", "substring", word), row("component", "substring", word)]),
  "@": (words) => words.map((word) => row("assigned_to", "substring", word)),
  "[": (_words, rest) => [row("short_desc", "substring", rest), row("status_whiteboard", "substring", rest)],
  "!": (_words, rest) => [row("keywords", "anywords", rest)],
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

const ADDRESS = /^[a-z]+:\/\//i;

/** `field,field:value,value`: any of the fields has any of the values. */
const readFields: Reader = (asking, term) => {
  for (const [sign, operator] of ADDRESS.test(term) ? [] : OPERATORS) {
    const [names = "", values = "", third] = splitOutside(term, sign) ?? [];
    if (names !== "" && values !== "" && third === undefined && !names.startsWith('"')) {
      const fields = wordsOutside(names, ",").map((name) => quickField(asking, unquoted(name)));
      return [fields.flatMap((field) => wordsOutside(values, ",").map((value) => fieldRow(field, operator, value)))];
    }
  }
  return undefined;
};

function fieldRow(field: string, operator: string, value: string): Row {
  if (value === '""' || (field === "resolution" && value === "---")) return row(field, "isempty", "");
  return row(field, operator === "substring" ? (COLON[field] ?? operator) : operator, unquoted(value));
}

// What a colon means to fields that cannot be looked into.
const COLON: Readonly<Record<string, string>> = { content: "matches", owner_idle_time: "greaterthan" };

/** `flag?`, and `flag?who` for the one who is asked. */
const readFlag: Reader = (_asking, term) => {
  const [, flag, who] = /^(?:flag:)?([^?"]+\?)([^?]*)$/.exec(term) ?? [];
  if (flag === undefined || flag.startsWith("cf_")) return undefined;
  const flags = [row("flagtypes.name", "substring", flag)];
  return who ? [flags, [row("requestees.login_name", "substring", who)]] : [flags];
};

const READERS: readonly Reader[] = [
  readSign,
  (asking, term) => (term.startsWith("flag:") ? readFlag(asking, term) : undefined),
  readFields,
  readFlag,
];
