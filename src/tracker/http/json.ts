import type { Json } from "../../wire/exchange.ts";
import { Fault } from "./fault.ts";

/** Reads JSON; a text that is none is refused with the place where it stops being JSON, in the same words on every Node. */
export function parseJsonBody(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const { at, problem } = findProblem(text);
    const rest = at < text.length ? shown(text.slice(at)) : "(end of string)";
    throw new Fault(
      400,
      32000,
      `Could not parse the 'params' argument as valid JSON. Error: ${problem}, at character offset ${at} (before "${rest}")`,
    );
  }
}

type Problem = { readonly at: number; readonly problem: string };
type Scan = { readonly text: string; at: number; readonly open: string[] }; // open: the brackets that still have to come

// What may stand at a place; each reads it and says what may follow, or what is wrong.
type State = "value" | "firstValue" | "key" | "firstKey" | "colon" | "next";

function findProblem(text: string): Problem {
  const scan: Scan = { text, at: 0, open: [] };
  let state: State | Problem = "value";
  while (typeof state === "string") {
    scan.at = after(/[ \t\r\n]*/y, scan);
    state = READERS[state](scan);
  }
  return state;
}

function after(pattern: RegExp, { text, at }: Scan): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function problem({ at }: Scan, text: string): Problem {
  return { at, problem: text };
}

function closes(scan: Scan): boolean {
  const isClosed = scan.open.length > 0 && scan.text[scan.at] === scan.open.at(-1);
  if (isClosed) {
    scan.open.pop();
    scan.at += 1;
  }
  return isClosed;
}

const STRING = /"[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\\p{Cc}]*)*"/iuy; // no nested repeats: linear
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy;
const BRACKETS: Readonly<Record<string, readonly [closing: string, State]>> = {
  "{": ["}", "firstKey"],
  "[": ["]", "firstValue"],
};

const READERS: Readonly<Record<State, (scan: Scan) => State | Problem>> = {
  value: (scan) => {
    const [closing, inside] = BRACKETS[scan.text[scan.at] ?? ""] ?? [];
    if (closing !== undefined && inside !== undefined) {
      scan.open.push(closing);
      scan.at += 1;
      return inside;
    }
    return moved(scan, after(STRING, scan)) || moved(scan, after(PLAIN, scan))
      ? "next"
      : problem(scan, "malformed JSON string, neither tag, array, object, number, string or atom");
  },
  firstValue: (scan) => (closes(scan) ? "next" : READERS.value(scan)),
  key: (scan) => (moved(scan, after(STRING, scan)) ? "colon" : problem(scan, "'\"' expected")),
  firstKey: (scan) => (closes(scan) ? "next" : READERS.key(scan)),
  colon: (scan) => (moved(scan, after(/:/y, scan)) ? "value" : problem(scan, "':' expected")),
  next: (scan) => {
    if (closes(scan)) return "next";
    const closing = scan.open.at(-1);
    if (closing === undefined) return problem(scan, "garbage after JSON object");
    return moved(scan, after(/,/y, scan)) ? (FOLLOWS[closing] ?? "value") : problem(scan, `, or ${closing} expected`);
  },
};

const FOLLOWS: Readonly<Record<string, State>> = { "}": "key", "]": "value" };

function moved(scan: Scan, to: number): boolean {
  const hasMoved = to > scan.at;
  scan.at = to;
  return hasMoved;
}

const MAX_EXCERPT = 20;

// The beginning of what could not be read, with what is not ASCII spelt out.
function shown(text: string): string {
  let beginning = "";
  for (const sign of text) {
    const spelt = /[ -~]/.test(sign) ? sign : `\\x{${sign.codePointAt(0)?.toString(16)}}`;
    if (beginning.length + spelt.length > MAX_EXCERPT) return `${beginning}...`;
    beginning += spelt;
  }
  return beginning;
}
