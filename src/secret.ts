import { encodedEnd, encodingStarts, encodingsOf } from "./secret-encodings.ts";

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
export function redactor(): Redactor {
  const known = new Map<string, Finder>();
  const spansIn = (text: string) => joined([...known.values()].flatMap((find) => find(text)));
  const hide = (text: string) => {
    if (known.size === 0) return text;
    const places = visibleTexts(text).flatMap(({ text: seen, placeOf }) =>
      spansIn(seen).map(([from, to]): Span => [placeOf(from), placeOf(to - 1) + 1]),
    );
    return masked(text, joined([...spansIn(text), ...places]));
  };
  return {
    learn(value) {
      if (value.length >= SHORTEST && !known.has(value)) known.set(value, finderOf(value));
    },
    redact(text) {
      if (text === "") return text;
      return hide(text).replace(
        patterns().named,
        (_, ...names: string[]) => `${names.slice(0, 3).find(Boolean)}${MASK}`,
      );
    },
    hide,
  };
}

const MASK = "***";
const SHORTEST = 4; // redacting every "a" would reveal that the password is "a"

/** Values that are secret by name: URL or form parameters, JSON members, headers. */
function namedSecrets(): RegExp {
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
function joined(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const [start, end] = all.at(-1) ?? [from, -1];
    if (from < end) all.splice(-1, 1, [start, Math.max(end, to)]);
    else all.push([from, to]);
  }
  return all;
}

function finderOf(value: string): Finder {
  const spellings = encodingsOf(value);
  const pattern = encodingStarts(spellings);
  return (text) => {
    const spans: Span[] = [];
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      pattern.lastIndex = encodedEnd(spellings, text, found.index);
      spans.push([found.index, pattern.lastIndex]);
    }
    return spans;
  };
}

function masked(text: string, spans: Span[]): string {
  let [hidden, done] = ["", 0];
  for (const [from, to] of spans) {
    hidden += text.slice(done, from) + MASK;
    done = to;
  }
  return done === 0 ? text : hidden + text.slice(done);
}

/** A text without invisible characters, and a map to the original offsets. */
export type VisibleText = { readonly text: string; readonly placeOf: (offset: number) => number };

/**
 * The text as a terminal shows it: without control sequences and invisible characters, and without the latter alone;
 * unescaped, and as escaped by JSON, HTML and `plain`. Line breaks and tabs are visible. Empty if everything is
 * visible.
 */
function visibleTexts(text: string): VisibleText[] {
  if (!MAY_BE_UNSEEN.test(text)) return [];
  const { sequences, characters } = patterns();
  if (text.search(sequences) < 0) return [];
  return [sequences, characters].map((unseen) => without(text, unseen));
}

/** A character without which a text has nothing invisible, raw or escaped; looking for it takes a quarter of the time. */
const MAY_BE_UNSEEN = /[^\t\n\r -~]|\\[ux]|&/i;

function without(text: string, unseen: RegExp): VisibleText {
  const starts: number[] = []; // offsets in the result behind which something was removed, and how much until there
  const removed: number[] = [];
  let [left, end] = ["", 0];
  for (const { 0: found, index } of text.matchAll(unseen)) {
    left += text.slice(end, index);
    end = index + found.length;
    if (starts.at(-1) !== left.length) starts.push(left.length);
    removed[starts.length - 1] = end - left.length;
  }
  const placeOf = (offset: number) => offset + (removed[countUpTo(offset, starts) - 1] ?? 0);
  return { text: left + text.slice(end), placeOf };
}

/** Count of ascending numbers up to a limit. */
function countUpTo(limit: number, numbers: number[]): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const HEX = "[0-9a-f]";
const SLASHES = "\\\\{1,8}"; // of JSON in JSON in JSON
const LOW = `(?:[01]${HEX}|7f|[89]${HEX}|ad)`;
const HIGH = `03[0-6]${HEX}|061c|115f|1160|17b[45]|180[b-f]|20[0236]${HEX}|3164|fe[02f]${HEX}|ffa0|db40${SLASHES}ud[cd]${HEX}{2}`;
const START = `(?:\\x1b|${SLASHES}(?:u001b|x1b))`;
const BELL = `(?:\\x07|${SLASHES}(?:u0007|x07))`;

/** Characters without shape or width. */
const SINGLE = [
  "(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Mn}\\p{Me}\\p{Default_Ignorable_Code_Point}]",
  `${SLASHES}(?:u(?!000[9ad])00${LOW}|u(?:${HIGH})|u\\{e0[01]${HEX}{2}\\}|x${LOW})`,
  "&(?:#0*(?:173|820[3-7]|8288|65279)|#x0*(?:ad|200[b-f]|2060|feff)|shy|zwn?j|zerowidthspace);",
];

/** Control sequences of terminals: CSI, strings such as links, and short ones. */
const DRIVING = [
  `(?:${START}\\[|\\x9b|${SLASHES}(?:u009b|x9b))[0-?]{0,64}[ -/]{0,8}[@-~]`,
  `${START}[\\]PX^_][^\\x07\\x1b\\\\]{0,400}(?:${BELL}|${START}(?:(?:\\\\\\\\){1,8}|\\\\))`,
  `${START}[ -/]{0,8}[0-OQ-WYZ\`a-~]`,
];

type Patterns = Readonly<Record<"named" | "sequences" | "characters", RegExp>>;

let made: Patterns | undefined;

/** The patterns, made at their first use: V8 takes 4 % of a search over the network for them, which needs none. */
function patterns(): Patterns {
  made ??= {
    named: namedSecrets(),
    sequences: new RegExp([...DRIVING, ...SINGLE].join("|"), "giu"),
    characters: new RegExp(SINGLE.join("|"), "giu"),
  };
  return made;
}
