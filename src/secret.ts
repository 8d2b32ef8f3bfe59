import { beginnings, endOf, spellingsOf } from "./spelling.ts";
import { seenIn } from "./unseen.ts";

/** A value that must never be printed: only `reveal` gives it, whatever else is done with the object shows `***`. */
export type Secret = { readonly reveal: () => string };

/** Wraps a key, token or password. */
export function secret(value: string): Secret {
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
    const places = seenIn(text).flatMap(({ text: seen, placeOf }) =>
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
  const spellings = spellingsOf(value);
  const pattern = beginnings(spellings);
  return (text) => {
    const spans: Span[] = [];
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      pattern.lastIndex = endOf(spellings, text, found.index);
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
