import { encodedEnd, encodingStarts, encodingsOf } from "./secret-encodings.ts";

/** A value that must never be printed: only `reveal` gives it, whatever else is done with the object shows `***`. */
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

/** Hides what has been learnt to be secret, and what looks like it, in any text. Meant for the sink: everything written goes through it. */
export type Redactor = {
  readonly learn: (value: string) => void;
  readonly redact: (text: string) => string;
  /** Hides what has been learnt and nothing else, for data that has to stay exact. */
  readonly hide: (text: string) => string;
};

/** What those share who learn secrets, and keep them out of what lasts. */
export type Secrets = Pick<Redactor, "learn" | "hide">;

/** A redactor that knows no secret yet. A learnt value is found in any usual spelling, and also when its end was cut off. */
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
      return hide(text).replace(NAMED, (_, ...names: string[]) => `${names.slice(0, 3).find(Boolean)}${MASK}`);
    },
    hide,
  };
}

const MASK = "***";
const SHORTEST = 4; // hiding every "a" because the password is "a" would tell more than it hides

/** Values that are secret by their name: parameters of a URL or form, members of JSON, headers. */
const NAMED = new RegExp(
  [
    /((?:api[-_]?key|token|password)=)[^&\s"'<>]+/,
    /((?:api_?key|token|password)"\s*:\s*")(?:[^"\\]|\\.)+/,
    /((?:x-bugzilla-(?:api-key|token)|authorization)["']?\s*:\s*["']?(?:bearer |basic )?)[^\s"'<>]+/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
  "gi",
);

/** Where a text tells a secret: from one offset to before another. */
type Span = readonly [from: number, to: number];

type Finder = (text: string) => readonly Span[];

/** Spans in their order, those that overlap made one. */
function joined(spans: readonly Span[]): readonly Span[] {
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

function masked(text: string, spans: readonly Span[]): string {
  let [hidden, done] = ["", 0];
  for (const [from, to] of spans) {
    hidden += text.slice(done, from) + MASK;
    done = to;
  }
  return done === 0 ? text : hidden + text.slice(done);
}

/** A text without what does not show, and where each of its characters stood. */
export type VisibleText = { readonly text: string; readonly placeOf: (offset: number) => number };

/**
 * A text as a terminal shows it, in every way to read it: without control sequences and what has no shape or width, and
 * without the latter alone; as they are, and as JSON, HTML and `plain` write them. Line breaks and tabs do show. Nothing when
 * all of it shows.
 */
function visibleTexts(text: string): readonly VisibleText[] {
  if (text.search(SEQUENCES) < 0) return [];
  return [SEQUENCES, CHARACTERS].map((unseen) => without(text, unseen));
}

function without(text: string, unseen: RegExp): VisibleText {
  const cuts: { readonly at: number; readonly removed: number }[] = []; // by the offset in what is left
  let [left, end] = ["", 0];
  for (const { 0: found, index } of text.matchAll(unseen)) {
    left += text.slice(end, index);
    end = index + found.length;
    cuts.push({ at: left.length, removed: end - left.length });
  }
  const placeOf = (offset: number) => offset + (cuts.findLast(({ at }) => at <= offset)?.removed ?? 0);
  return { text: left + text.slice(end), placeOf };
}

const HEX = "[0-9a-f]";
const SLASHES = "\\\\{1,8}"; // of JSON in JSON in JSON
const LOW = `(?:[01]${HEX}|7f|[89]${HEX}|ad)`;
const HIGH = `03[0-6]${HEX}|061c|115f|1160|17b[45]|180[b-f]|20[0236]${HEX}|3164|fe[02f]${HEX}|ffa0|db40${SLASHES}ud[cd]${HEX}{2}`;
const START = `(?:\\x1b|${SLASHES}(?:u001b|x1b))`;
const BELL = `(?:\\x07|${SLASHES}(?:u0007|x07))`;

/** Characters without a shape or a width. */
const SINGLE = [
  "(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Mn}\\p{Me}\\p{Default_Ignorable_Code_Point}]",
  `${SLASHES}(?:u(?!000[9ad])00${LOW}|u(?:${HIGH})|u\\{e0[01]${HEX}{2}\\}|x${LOW})`,
  "&(?:#0*(?:173|820[3-7]|8288|65279)|#x0*(?:ad|200[b-f]|2060|feff)|shy|zwn?j|zerowidthspace);",
];

/** What drives a terminal: control sequences, commands with a text such as a link, and short ones. */
const DRIVING = [
  `(?:${START}\\[|\\x9b|${SLASHES}(?:u009b|x9b))[0-?]{0,64}[ -/]{0,8}[@-~]`,
  `${START}[\\]PX^_][^\\x07\\x1b\\\\]{0,400}(?:${BELL}|${START}(?:(?:\\\\\\\\){1,8}|\\\\))`,
  `${START}[ -/]{0,8}[0-OQ-WYZ\`a-~]`,
];

const CHARACTERS = new RegExp(SINGLE.join("|"), "giu");
const SEQUENCES = new RegExp([...DRIVING, ...SINGLE].join("|"), "giu");
