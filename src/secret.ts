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

/**
 * A redactor that knows no secret yet. A learnt value is found as it is, percent- or form-encoded, escaped in JSON or HTML
 * (each character on its own, so mixtures too), and in base64 at any alignment.
 */
export function redactor(): Redactor {
  const known = new Map<string, RegExp>();
  const hide = (text: string) => [...known.values()].reduce((rest, pattern) => rest.replace(pattern, MASK), text);
  return {
    learn(value) {
      if (value.length >= SHORTEST && !known.has(value)) known.set(value, anyEncoding(value));
    },
    redact(text) {
      return hide(text.replace(NAMED, (_, ...names: string[]) => `${names.slice(0, 3).find(Boolean)}${MASK}`));
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

function anyEncoding(value: string): RegExp {
  const characters = [...value].map(anySpelling).join("");
  return new RegExp([characters, ...base64Cores(value)].join("|"), "g");
}

/** One character as it is, percent-encoded, as a form's plus, escaped in JSON, or as an HTML entity. */
function anySpelling(character: string): string {
  const percent = [...new TextEncoder().encode(character)].map((byte) => `%${anyCase(hex(byte, 2))}`).join("");
  const json = [...Array(character.length).keys()].map((at) => `\\\\u${anyCase(hex(character.charCodeAt(at), 4))}`);
  const code = character.codePointAt(0) ?? 0;
  const spellings = [
    escapeForPattern(character),
    escapeForPattern(JSON.stringify(character).slice(1, -1)),
    percent,
    json.join(""),
    `&#0*${code};`,
    `&#[xX]0*${anyCase(hex(code, 1))};`,
    ...(NAMED_ENTITIES[character] ?? []),
    ...(character === " " ? ["\\+"] : []),
  ];
  return `(?:${[...new Set(spellings)].join("|")})`;
}

const NAMED_ENTITIES: Readonly<Record<string, readonly string[]>> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;"],
  "'": ["&apos;"],
};

/** The part of the value's base64 that does not depend on what stands beside it, for each of the three alignments. */
function base64Cores(value: string): readonly string[] {
  return [0, 1, 2]
    .map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
      const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
      return whole.slice(before === 0 ? 0 : 4);
    })
    .filter((core) => core.length >= 8)
    .map((core) => [...core].map((character) => BASE64_SPELLINGS[character] ?? character).join(""));
}

const BASE64_SPELLINGS: Readonly<Record<string, string>> = { "+": "(?:[+-]|%2[Bb])", "/": "(?:[/_]|%2[Ff])" };

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function anyCase(text: string): string {
  return text.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
