import type { Json, JsonObject } from "./exchange.ts";

/** First error in a JSON text: `at` in UTF-16 code units from 0, `line` and `column` from 1. */
export type JsonFault = {
  readonly problem: string;
  readonly at: number;
  readonly line: number;
  readonly column: number;
};

/**
 * First error in a JSON text; undefined if it is valid. Linear time, same wording on every version of Node. `strict` also
 * rejects what JSON.parse accepts but nobody intends: duplicate names in an object, and lone surrogates.
 */
export function jsonFault(text: string, { strict = false } = {}): JsonFault | undefined {
  const scan: Scan = { state: "value", open: [] };
  let end = 0;
  for (let at = matchEnd(SPACE, text, 0); at < text.length; at = matchEnd(SPACE, text, end)) {
    const token = tokenAt(text, at);
    const problem = findAmbiguity(scan, token, strict) ?? advanceScan(scan, token);
    if (problem !== undefined) return faultAt(text, at, problem);
    end = at + token.word.length;
  }
  return scan.state === "end" ? undefined : faultAt(text, end, "unexpected end of input");
}

type Kind = "{" | "}" | "[" | "]" | ":" | "," | "string" | "atom" | "other";
type Token = { kind: Kind; word: string };

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
    const end = matchEnd(pattern, text, at);
    if (end > at) return { kind, word: text.slice(at, end) };
  }
  return { kind: "other", word: text.slice(at, matchEnd(OTHER, text, at)) };
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

type State = keyof typeof GRAMMAR;
type Scan = { state: State; open: { kind: Kind; names?: Set<string> }[] };

const VALUE = { "{": "opens", "[": "opens", string: "ends", atom: "ends" } as const;

/** Tokens allowed in each state, and the state that follows; brackets decide on `opens`, `closes` and `ends`. */
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

function advanceScan(scan: Scan, { kind, word }: Token): string | undefined {
  const expected: { readonly [K in Kind]?: State | "opens" | "closes" | "ends" } = GRAMMAR[scan.state];
  const next = expected[kind];
  if (next === undefined) return `unexpected ${word.slice(0, 20)}`;
  if (next === "opens") scan.open.push({ kind });
  if (next === "closes") scan.open.pop();
  if (next === "opens") scan.state = kind === "{" ? "first name" : "first value";
  else scan.state = next === "closes" || next === "ends" ? enclosingState(scan) : next;
  return undefined;
}

function enclosingState({ open }: Scan): State {
  const container = open.at(-1)?.kind;
  if (container === undefined) return "end";
  return container === "{" ? "after member" : "after item";
}

function findAmbiguity({ state, open }: Scan, { kind, word }: Token, strict: boolean): string | undefined {
  if (!strict || kind !== "string") return undefined;
  const value = JSON.parse(word) as string;
  if (/\p{Surrogate}/u.test(value)) return "invalid Unicode: unpaired surrogate";
  const object = state === "name" || state === "first name" ? open.at(-1) : undefined;
  if (object?.names?.has(value)) return `duplicate key ${word}`;
  if (object) object.names = (object.names ?? new Set()).add(value);
  return undefined;
}

function faultAt(text: string, at: number, problem: string): JsonFault {
  const before = text.slice(0, at).split("\n");
  return { problem, at, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** True for a JSON object; false for arrays and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; none of anything else. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return itemsIn(value).filter(isObject);
}

/** The items of a list; none of anything else. */
export function itemsIn(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
