import { Fault } from "../../http/fault.ts";
import { type Condition, criteriaOf, criterion, joinConditions } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { splitUnquoted, termCondition, unquotedWords } from "./terms.ts";

/**
 * Condition of a quicksearch. Numbers alone are bug ids. Otherwise all words must match (`OR`, `|` and commas separate
 * alternatives), in open bugs only unless the first word, a field or the request (`hasStatus`) names a status.
 * @throws Fault 1000 if it is empty, 32000 if it is invalid
 * @see Bugzilla/Search/Quicksearch.pm
 */
export function quicksearchCondition(context: SearchContext, text: string, hasStatus: boolean): Condition {
  const trimmed = text.replace(/^[\s,]+|[\s,]+$/g, "");
  if (trimmed === "") throw noCriteriaFault();
  if (/^[\d\s,]+$/.test(trimmed)) return criterion("bug_id", "anyexact", trimmed.replace(/[\s,]+/g, ","));
  const [first = [], ...rest] = readAlternatives(readWords(trimmed));
  const status = first.length === 1 ? statusCondition(context, first[0] ?? "") : undefined;
  const terms = (status ? rest : [first, ...rest]).map((alternatives) =>
    joinConditions(
      "OR",
      alternatives.flatMap((word) => unquotedWords(word, "\\|")).map((term) => termCondition(context, term)),
    ),
  );
  const isOpenOnly = !status && !hasStatus && !terms.flatMap(criteriaOf).some(({ field }) => STATUS_FIELDS.has(field));
  return joinConditions("AND", [
    ...(status ?? []),
    ...terms,
    ...(isOpenOnly ? (statusCondition(context, "OPEN") ?? []) : []),
  ]);
}

/** Fault 1000: search without criteria. */
export function noCriteriaFault(): Fault {
  return new Fault(400, 1000, "You may not search, or create saved searches, without any search terms.");
}

const STATUS_FIELDS: ReadonlySet<string> = new Set(["bug_status", "resolution"]);

function readWords(text: string): string[] {
  const words = splitUnquoted(text, "\\s+");
  if (!words) {
    throw new Fault(
      400,
      32000,
      `Bugzilla is unable to parse your query correctly: ${text}. If you use quotes to enclose strings, make sure both quotes are present. If you really want to look for a quote in a string, type \\" instead of ". For instance, "I'm so \\"special\\", really" (with quotes) will be interpreted as I'm so "special", really.`,
    );
  }
  if (/^(?:AND|OR)$/.test(words[0] ?? "") || /^(?:AND|OR|NOT)$/.test(words.at(-1) ?? "")) {
    throw misplacedOperator(
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
      throw misplacedOperator(`The ${word} operator cannot be followed by ${next}.`);
  }
}

function misplacedOperator(reason: string): Fault {
  return new Fault(400, 32000, `Your query is invalid. ${reason}`);
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
      oneOf(
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
      choices.filter(({ values }) => values.length > 0).map(({ field, values }) => oneOf(field, values)),
    ),
  ];
}

type StatusValue = { field: string; name: string; is_open: number };

const STATUS_VALUES = `SELECT fields.name AS field, field_values.name, is_open
  FROM field_values JOIN fields ON fields.id = field_id WHERE fields.name IN ('bug_status', 'resolution')`;

function oneOf(field: string, values: StatusValue[]): Condition {
  const items = values.map(({ name }) => name);
  return { ...criterion(field, "anyexact", items.join(",")), items };
}
