/** What is wrong with a JSON text, and where: `at` counts UTF-16 code units from 0, `line` and `column` count from 1. */
export type JsonFault = {
  readonly what: string;
  readonly at: number;
  readonly line: number;
  readonly column: number;
};

/**
 * The first thing that is wrong with a JSON text; undefined when nothing is. In linear time, and in the same words on every
 * version of Node. `strict` also refuses what JSON.parse takes although it cannot be meant: a name that an object has twice,
 * of which only one value would count, and half a character, which no encoding can carry.
 */
export function jsonFault(text: string, { strict = false } = {}): JsonFault | undefined {
  const scan: Scan = { place: "value", open: [] };
  let end = 0;
  for (let at = endOf(SPACE, text, 0); at < text.length; at = endOf(SPACE, text, end)) {
    const token = tokenAt(text, at);
    const what = ambiguity(scan, token, strict) ?? step(scan, token);
    if (what !== undefined) return fault(text, at, what);
    end = at + token.word.length;
  }
  return scan.place === "end" ? undefined : fault(text, end, "it ends too early");
}

/** Where a string ends that starts at a quote: the index of the closing quote, or the length of a text that has none. */
export function endOfJsonString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

type Kind = "{" | "}" | "[" | "]" | ":" | "," | "string" | "atom" | "other";
type Token = { readonly kind: Kind; readonly word: string };

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const STRING = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\0-\x1f]*)*"/y; // no nested repeats: linear
const ATOM = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const OTHER = /[\w.+-]{1,20}|./suy;

function tokenAt(text: string, at: number): Token {
  const mark = text[at] ?? "";
  if ("{}[]:,".includes(mark)) return { kind: mark as Kind, word: mark };
  for (const [kind, pattern] of [
    ["string", STRING],
    ["atom", ATOM],
  ] as const) {
    const end = endOf(pattern, text, at);
    if (end > at) return { kind, word: text.slice(at, end) };
  }
  return { kind: "other", word: text.slice(at, endOf(OTHER, text, at)) };
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

type Place = keyof typeof GRAMMAR;
type Scan = { place: Place; readonly open: { readonly kind: Kind; names?: Set<string> }[] };

const VALUE = { "{": "opens", "[": "opens", string: "ends", atom: "ends" } as const;

/** What may stand at each place, and what is expected after it: another place, or what brackets say. */
const GRAMMAR = {
  value: VALUE,
  "first value": { ...VALUE, "]": "closes" },
  name: { string: "colon" },
  "first name": { string: "colon", "}": "closes" },
  colon: { ":": "value" },
  "after member": { ",": "name", "}": "closes" },
  "after item": { ",": "value", "]": "closes" },
  end: {},
} as const;

function step(scan: Scan, { kind, word }: Token): string | undefined {
  const expected: { readonly [K in Kind]?: Place | "opens" | "closes" | "ends" } = GRAMMAR[scan.place];
  const next = expected[kind];
  if (next === undefined) return `${word.slice(0, 20)} is not expected here`;
  if (next === "opens") scan.open.push({ kind });
  if (next === "closes") scan.open.pop();
  if (next === "opens") scan.place = kind === "{" ? "first name" : "first value";
  else scan.place = next === "closes" || next === "ends" ? placeAround(scan) : next;
  return undefined;
}

function placeAround({ open }: Scan): Place {
  const around = open.at(-1)?.kind;
  if (around === undefined) return "end";
  return around === "{" ? "after member" : "after item";
}

function ambiguity({ place, open }: Scan, { kind, word }: Token, strict: boolean): string | undefined {
  if (!strict || kind !== "string") return undefined;
  const value = JSON.parse(word) as string;
  if (/\p{Surrogate}/u.test(value)) return "the text holds half a character";
  const object = place === "name" || place === "first name" ? open.at(-1) : undefined;
  if (object?.names?.has(value)) return `the name ${word} stands here a second time`;
  if (object) object.names = (object.names ?? new Set()).add(value);
  return undefined;
}

function fault(text: string, at: number, what: string): JsonFault {
  const before = text.slice(0, at).split("\n");
  return { what, at, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
