import { type Catalog, type CatalogField, findField } from "../catalog.ts";
import { legalNames } from "../legal-values.ts";

/**
 * Expression that plain search words seem to mean: `priority high`, `changed since -2h`, `assigned to mei`, `open bugs
 * in Lantern`; undefined if they are just words.
 */
export function probableExpression(texts: readonly string[], catalog: Catalog): string | undefined {
  const words = texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== "");
  const parts: string[] = [];
  let isLanguage = false;
  for (let at = 0; at < words.length; ) {
    const found = meaningOf(words.slice(at), catalog);
    isLanguage ||= found !== undefined;
    const text = found?.text ?? words[at] ?? "";
    if (!FILLERS.has(text.toLowerCase())) parts.push(text);
    at += found?.length ?? 1;
  }
  return isLanguage ? parts.join(" ") : undefined;
}

/** Words without meaning beside conditions. */
const FILLERS: ReadonlySet<string> = new Set(["a", "the", "bug", "bugs", "to", "in", "by", "is", "with"]);

type Meaning = { readonly text: string; readonly length: number };

function meaningOf(words: readonly string[], catalog: Catalog): Meaning | undefined {
  return phraseMeaning(words) ?? placeMeaning(words, catalog) ?? fieldMeaning(words, catalog) ?? loneMeaning(words);
}

type Make = (value: string, other: string) => string;

/** Pattern in which DATE matches a possible date. */
function dated(phrase: string): RegExp {
  return new RegExp(
    `^${phrase.replaceAll("DATE", String.raw`([-+]?\d\S*|now|today|yesterday|tomorrow|(?:this|last|next)-\w+)(?=\s|$)`)}`,
    "i",
  );
}

/** Phrases with values, and the conditions they mean. */
const PHRASES: readonly (readonly [RegExp, Make])[] = [
  [dated("(?:(?:changed|updated|modified) )?(?:since|after) DATE"), (time) => `updated >= ${time}`],
  [dated("(?:(?:changed|updated|modified) )?before DATE"), (time) => `updated < ${time}`],
  [dated("(?:created|opened|filed) (?:since|after) DATE"), (time) => `created >= ${time}`],
  [dated("(?:created|opened|filed) before DATE"), (time) => `created < ${time}`],
  [/^assigned to (\S+)/i, (login) => `assignee = ${person(login)}`],
  [/^(?:reported|created|opened|filed) by (\S+)/i, (login) => `creator = ${person(login)}`],
  [/^between (#?\d{1,3}|#?\d{5,})(?: and)? (\S+)/i, (first, last) => `id between ${first} and ${last}`],
  [dated("between DATE(?: and)? DATE"), (first, last) => `created between ${first} and ${last}`],
];

function person(word: string): string {
  return word.toLowerCase() === "me" ? "@me" : word;
}

function phraseMeaning(words: readonly string[]): Meaning | undefined {
  const sentence = words.join(" ");
  for (const [pattern, make] of PHRASES) {
    const [match, first = "", second = ""] = pattern.exec(sentence) ?? [];
    if (match !== undefined) return { text: make(first, second), length: match.split(" ").length };
  }
  return undefined;
}

/** Meaning of `open bugs` and `in Lantern`. */
function placeMeaning(words: readonly string[], catalog: Catalog): Meaning | undefined {
  const [first = "", second = ""] = words.map((word) => word.toLowerCase());
  if (["open", "closed"].includes(first) && ["bug", "bugs"].includes(second)) return { text: `is:${first}`, length: 2 };
  if (first !== "in") return undefined;
  return valueMeaning("product", words, catalog) ?? valueMeaning("component", words, catalog);
}

/** Meaning of a field's name followed by one of its values, or by `me`. */
function fieldMeaning(words: readonly string[], catalog: Catalog): Meaning | undefined {
  const [name = "", value = ""] = words;
  if (findField(catalog, name)?.family === "person" && value.toLowerCase() === "me") {
    return { text: `${name.toLowerCase()} = @me`, length: 2 };
  }
  return valueMeaning(name, words, catalog);
}

function valueMeaning(name: string, [, ...words]: readonly string[], catalog: Catalog): Meaning | undefined {
  const field = findField(catalog, name);
  const value = field && longestValue(field, words);
  if (value === undefined) return undefined;
  const text = /^[\w.+-]+$/.test(value) ? value : JSON.stringify(value);
  return { text: `${name.toLowerCase()}:${text}`, length: 1 + value.split(" ").length };
}

/** Longest legal value that the words begin with. */
function longestValue(field: CatalogField, words: readonly string[]): string | undefined {
  const sentence = `${words.join(" ").toLowerCase()} `;
  const names = (legalNames(field) ?? []).filter((name) => sentence.startsWith(`${name.toLowerCase()} `));
  return names.sort((one, other) => other.length - one.length)[0];
}

/** Single words of the language, with an example. */
const LONE: ReadonlyMap<string, string> = new Map([
  ["me", "assignee = @me"],
  ["changed", "updated >= -1w"],
  ["since", "updated >= -1w"],
  ["between", "created between last-month and today"],
]);

function loneMeaning([word = ""]: readonly string[]): Meaning | undefined {
  const text = LONE.get(word.toLowerCase());
  return text === undefined ? undefined : { text, length: 1 };
}
