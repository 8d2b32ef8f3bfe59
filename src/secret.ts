/** A value that is never printed: only `reveal` returns it; any other conversion gives `***`. */
export type Secret = { readonly reveal: () => string };

/** Wraps a key, token or password. */
export function asSecret(value: string): Secret {
  const hidden = () => MASK;
  return Object.freeze({
    reveal: () => value,
    toString: hidden,
    toJSON: hidden,
    [Symbol.for("nodejs.util.inspect.custom")]: hidden,
  });
}

/** Redacts known secrets, and anything that looks like one, in any text. Meant for sinks. */
export type Redactor = {
  readonly learn: (value: string) => void;
  readonly redact: (text: string) => string;
  /** Redacts known secrets only, for data that must stay exact. */
  readonly hide: (text: string) => string;
};

/** The subset of a redactor for learning secrets and keeping them out of files. */
export type Secrets = Pick<Redactor, "learn" | "hide">;

/** A redactor without known secrets. Learned values are found in any common encoding, also when truncated. */
export function createRedactor(): Redactor {
  const known = new Map<string, Finder>();
  const spansIn = (text: string) => mergeSpans([...known.values()].flatMap((find) => find(text)));
  const hide = (text: string) => {
    if (known.size === 0) return text;
    const ends = ENDS.filter((end) => ![...known.keys()].some((value) => value.includes(end)));
    const places = visibleTexts(text, ends).flatMap(({ text: seen, placeOf }) =>
      spansIn(seen).map(([from, to]): Span => [placeOf(from), placeOf(to - 1) + 1]),
    );
    return maskSpans(text, mergeSpans([...spansIn(text), ...places]));
  };
  return {
    learn(value) {
      if (value.length >= MIN_LENGTH && !known.has(value)) known.set(value, compileFinder(value));
    },
    redact(text) {
      if (text === "") return text;
      return hide(text).replace(
        secretPatterns().named,
        (_, ...names: string[]) => `${names.slice(0, 3).find(Boolean)}${MASK}`,
      );
    },
    hide,
  };
}

const MASK = "***";
const MIN_LENGTH = 4; // redacting every "a" would reveal that the password is "a"

/** Values that are secret by name: URL or form parameters, JSON members, headers. */
function namedSecretPattern(): RegExp {
  const patterns = [
    /((?:api[-_]?key|token|password)=)[^&\s"'<>]+/,
    /((?:api_?key|token|password)"\s*:\s*")(?:[^"\\]|\\.)+/,
    /((?:x-bugzilla-(?:api-key|token)|authorization)["']?\s*:\s*["']?(?:bearer |basic )?)[^\s"'<>]+/,
  ];
  return new RegExp(patterns.map(({ source }) => source).join("|"), "gi");
}

/** Range of a secret in a text, end exclusive. */
type Span = [from: number, to: number];

type Finder = (text: string) => Span[];

/** Sorted spans, overlapping ones merged. */
function mergeSpans(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const [start, end] = all.at(-1) ?? [from, -1];
    if (from < end) all.splice(-1, 1, [start, Math.max(end, to)]);
    else all.push([from, to]);
  }
  return all;
}

function compileFinder(value: string): Finder {
  const encodings = allEncodings(value);
  const pattern = encodingStarts(encodings);
  const hint = encodingHints(encodings);
  return (text) => {
    const spans: Span[] = [];
    if (!hint.test(text)) return spans;
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      pattern.lastIndex = encodedEnd(encodings, text, found.index);
      spans.push([found.index, pattern.lastIndex]);
    }
    return spans;
  };
}

function maskSpans(text: string, spans: Span[]): string {
  let masked = "";
  let end = 0; // of the last span
  for (const [from, to] of spans) {
    masked += text.slice(end, from) + MASK;
    end = to;
  }
  return masked + text.slice(end);
}

/** A text without invisible characters, and a map to the original offsets. */
export type VisibleText = { readonly text: string; readonly placeOf: (offset: number) => number };

/**
 * The parts of a text with something invisible, from one of `ends` to the next, as a terminal shows them: without control
 * sequences and invisible characters, and without the latter alone; unescaped, and as escaped by JSON, HTML and `plain`.
 * Line breaks and tabs are visible.
 */
function visibleTexts(text: string, ends: string[]): VisibleText[] {
  return partsWithUnseen(text, ends).flatMap(([from, to]) => {
    const { sequences, characters } = secretPatterns();
    return [sequences, characters].map((unseen) => {
      const { text: visible, placeOf } = visibleWithPlaces(text.slice(from, to), unseen);
      return { text: visible, placeOf: (offset: number) => from + placeOf(offset) };
    });
  });
}

/** Ends of a text of JSON and of a line; unusable for secrets that contain one. */
const ENDS = ['"', "\n"];

/** Ranges between two of `ends` in which something may be invisible. */
function partsWithUnseen(text: string, ends: string[]): Span[] {
  const parts: Span[] = [];
  const nextEnd = new RegExp(`[${ends.join("")}]|$`, "g"); // without ends, there is one part
  let done = 0;
  for (const { 0: found, 1: opening, index } of text.matchAll(MAY_BE_UNSEEN)) {
    const reach = index + (opening === undefined ? found.length : MAX_SEQUENCE);
    if (reach <= done) continue;
    const before = text.slice(done, index);
    const start = Math.max(...ends.map((ending) => before.lastIndexOf(ending)));
    nextEnd.lastIndex = reach;
    const end = nextEnd.exec(text)?.index ?? text.length;
    if (start < 0) parts.push([parts.pop()?.[0] ?? 0, end]);
    else parts.push([done + start, end]);
    done = end;
  }
  return parts;
}

const MAX_SEQUENCE = 450; // characters of a control sequence, with its end

/**
 * What may be invisible, raw or escaped; the group is the start of a control sequence. Without properties of Unicode, for
 * which V8 takes twenty times as long, it has visible characters, too, but few of those that are frequent.
 */
const MAY_BE_UNSEEN = new RegExp(
  [
    String.raw`(\x1b|\\(?:[uU]001|[xX]1)[bB])`,
    String.raw`[\0-\x08\v\f\x0e-\x1f\x7f-\xad\u0300-\u03b9\u0483-\u0489\u0591-\u1dff\u200b-\u200f\u202a-\u202e]`,
    String.raw`[\u2060-\u206f\u20d0-\u20f0\u2cef-\u302d\u3099\u309a\u3164\ua66f-\uabed\ud800-\ud83a\udb40-\udbff\ufb1e-\uffff]`,
    String.raw`\\[uUxX]|&[#sSzZ]`,
  ].join("|"),
  "g",
);

/** A place in the visible text before which something was cut, and the length of all that was cut up to there. */
type Cut = { at: number; lengthSoFar: number };

function visibleWithPlaces(text: string, unseen: RegExp): VisibleText {
  const cuts: Cut[] = [];
  let last: Cut = { at: -1, lengthSoFar: 0 };
  let visible = "";
  let end = 0; // of the last invisible part
  for (const { 0: found, index } of text.matchAll(unseen)) {
    visible += text.slice(end, index);
    end = index + found.length;
    if (last.at !== visible.length) {
      last = { at: visible.length, lengthSoFar: 0 };
      cuts.push(last);
    }
    last.lengthSoFar = end - visible.length;
  }
  return { text: visible + text.slice(end), placeOf: (offset) => offset + lengthCutBefore(offset, cuts) };
}

/** Length of all that was cut before a character of the visible text. */
function lengthCutBefore(offset: number, cuts: Cut[]): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle] as Cut).at <= offset) low = middle + 1;
    else high = middle;
  }
  return cuts[low - 1]?.lengthSoFar ?? 0;
}

const HEX = "[0-9a-f]";
const MAX_SLASHES = 8; // of JSON in JSON in JSON
const SLASHES = `\\\\{1,${MAX_SLASHES}}`;
const LOW_CODES = `(?:[01]${HEX}|7f|[89]${HEX}|ad)`;
const HIGH_CODES = `03[0-6]${HEX}|061c|115f|1160|17b[45]|180[b-f]|20[0236]${HEX}|3164|fe[02f]${HEX}|ffa0|db40${SLASHES}ud[cd]${HEX}{2}`;
const ESCAPE = `(?:\\x1b|${SLASHES}(?:u001b|x1b))`;
const BELL = `(?:\\x07|${SLASHES}(?:u0007|x07))`;

/** Characters without shape or width, raw or escaped. */
const INVISIBLE_CHARACTERS = [
  "(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Mn}\\p{Me}\\p{Default_Ignorable_Code_Point}]",
  `${SLASHES}(?:u(?!000[9ad])00${LOW_CODES}|u(?:${HIGH_CODES})|u\\{e0[01]${HEX}{2}\\}|x${LOW_CODES})`,
  "&(?:#0*(?:173|820[3-7]|8288|65279)|#x0*(?:ad|200[b-f]|2060|feff)|shy|zwn?j|zerowidthspace);",
];

/** Control sequences of terminals: CSI, strings such as links, and short ones. */
const CONTROL_SEQUENCES = [
  `(?:${ESCAPE}\\[|\\x9b|${SLASHES}(?:u009b|x9b))[0-?]{0,64}[ -/]{0,8}[@-~]`,
  `${ESCAPE}[\\]PX^_][^\\x07\\x1b\\\\]{0,400}(?:${BELL}|${ESCAPE}(?:(?:\\\\\\\\){1,8}|\\\\))`,
  `${ESCAPE}[ -/]{0,8}[0-OQ-WYZ\`a-~]`,
];

type Patterns = Readonly<Record<"named" | "sequences" | "characters", RegExp>>;

let compiledPatterns: Patterns | undefined;

/** The patterns, made at their first use: V8 takes 4 % of a search over the network for them, which needs none. */
function secretPatterns(): Patterns {
  compiledPatterns ??= {
    named: namedSecretPattern(),
    sequences: new RegExp([...CONTROL_SEQUENCES, ...INVISIBLE_CHARACTERS].join("|"), "giu"),
    characters: new RegExp(INVISIBLE_CHARACTERS.join("|"), "giu"),
  };
  return compiledPatterns;
}

/**
 * Encodings of a text: patterns for each of its characters in URLs, forms, JSON and HTML (nested or mixed), for its
 * bytes in hex, and for its base64 at any alignment.
 */
export type Encodings = readonly (readonly Part[])[];

/** A part of a text as the patterns that may represent it. */
type Part = string[];

/** All encodings of a text. */
function allEncodings(text: string): Encodings {
  const characters = (text.match(/\\+|./gsu) ?? []).map(characterPart);
  const bytes = [...Buffer.from(text)].map((byte) => [anyCaseHex(hexDigits(byte, 2))]);
  return [characters, bytes, ...base64Cores(text).map((core) => [...core].map(base64Part))];
}

/** Pattern for the unescaped start of an encoded text, or any escaped character of that: far faster than for all starts. */
function encodingHints(encodings: Encodings): RegExp {
  const [characters = [], ...others] = encodings.map((parts) => parts.slice(0, START_LENGTH));
  const unescaped = characters.map(([raw]) => raw).join("");
  const escapes = characters.flatMap(([, ...escaped]) => escaped);
  return new RegExp(
    [unescaped, ...others.map((parts) => parts.map(partPattern).join("")), ...new Set(escapes)].join("|"),
  );
}

/** Pattern for the start of an encoded text, long enough not to match by chance. */
function encodingStarts(encodings: Encodings): RegExp {
  const patterns = encodings.map((parts) => parts.slice(0, START_LENGTH).map(partPattern).join(""));
  return new RegExp(patterns.join("|"), "g");
}

const START_LENGTH = 8; // parts

/** End offset of the encoded text that starts here; it may be truncated. */
function encodedEnd(encodings: Encodings, text: string, from: number): number {
  return Math.max(...encodings.map((parts) => longestMatchEnd(parts, text, from)));
}

/** Follows all encodings in parallel, so the time does not depend on their similarity. */
function longestMatchEnd(parts: readonly Part[], text: string, from: number): number {
  let ends: number[] = [from];
  for (const part of parts) {
    const next = ends.flatMap((end) => part.flatMap((pattern) => matchEnd(pattern, text, end)));
    if (next.length === 0) break;
    ends = [...new Set(next)];
  }
  return Math.max(...ends);
}

function matchEnd(pattern: string, text: string, from: number): number[] {
  const sticky = new RegExp(pattern, "y");
  sticky.lastIndex = from;
  return sticky.test(text) ? [sticky.lastIndex] : [];
}

function partPattern(part: Part): string {
  return `(?:${part.join("|")})`;
}

/** One character, or several backslashes, each of which may be doubled or encoded. */
function characterPart(characters: string): Part {
  if (!characters.startsWith("\\")) return encodedCharacter(characters);
  const [, ...others] = encodedCharacter("\\");
  const count = characters.length;
  return [`\\\\{${count},${count * MAX_SLASHES}}`, `${partPattern(others)}{${count}}`];
}

/** A character as is, percent-encoded, as a form's plus, escaped in JSON, or as an HTML entity. */
function encodedCharacter(character: string): Part {
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => anyCaseHex(hexDigits(character.charCodeAt(at), 4)));
  const entities = [`#0*${code}`, `#[xX]0*${anyCaseHex(hexDigits(code, 1))}`, ...(ENTITIES[character] ?? [])];
  const spellings = [
    character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"),
    [...Buffer.from(character)].map((byte) => `%(?:25){0,3}${anyCaseHex(hexDigits(byte, 2))}`).join(""),
    units.map((unit) => `${SLASHES}u${unit}`).join(""),
    ...entities.map((entity) => `&(?:amp;){0,3}${entity};`),
  ];
  if (character === " ") spellings.push("\\+");
  if (character === '"' || character === "/") spellings.push(`${SLASHES}${character}`);
  return spellings;
}

const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  "&": ["amp"],
  "<": ["lt"],
  ">": ["gt"],
  '"': ["quot"],
  "'": ["apos"],
};

/** The part of the text's base64 that is independent of its neighbours, for each alignment. */
function base64Cores(text: string): string[] {
  return [0, 1, 2]
    .map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
      const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
      return whole.slice(before === 0 ? 0 : 4);
    })
    .filter((core) => core.length >= 8);
}

function base64Part(character: string): Part {
  return [BASE64_SPELLINGS[character] ?? character];
}

const BASE64_SPELLINGS: Readonly<Record<string, string>> = { "+": "(?:[+-]|%2[Bb])", "/": "(?:[/_]|%2[Ff])" };

function hexDigits(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function anyCaseHex(text: string): string {
  return text.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
