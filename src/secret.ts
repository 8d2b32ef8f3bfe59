/** A value that only `reveal` returns: any other conversion has nothing of it. */
export type Secret = { readonly reveal: () => string };

/** Wraps a key, token or password. */
export function asSecret(value: string): Secret {
  return { reveal: () => value };
}

/** Redacts known secrets, and anything that looks like one, in any text. Meant for sinks. */
export type Redactor = {
  readonly learn: (value: string) => void;
  readonly redact: (text: string) => string;
  /** Redacts known secrets only, for data that must stay exact. */
  readonly hide: (text: string) => string;
};

/** A redactor without known secrets. */
export function createRedactor(): Redactor {
  let known: readonly string[] = [];
  const hide = (text: string) => known.reduce(masked, text);
  return {
    learn(value) {
      if (value.length < MIN_LENGTH) return;
      // the longest first: a secret may be the beginning of another
      known = [...new Set([...known, ...spellings(value)])].sort((one, other) => other.length - one.length);
    },
    redact: (text) => NAMED_SECRETS.reduce((shown, pattern) => shown.replace(pattern, `$1${MASK}`), hide(text)),
    hide,
  };
}

const MASK = "***";
const MIN_LENGTH = 4; // redacting every "a" would reveal that the password is "a"

/** The text without a spelling of a secret, also where that was cut short. */
function masked(text: string, spelling: string): string {
  const start = spelling.slice(0, CUT_LENGTH);
  let shown = "";
  let done = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, done)) {
    let end = at + start.length;
    while (end - at < spelling.length && text[end] === spelling[end - at]) end += 1;
    shown += text.slice(done, at) + MASK;
    done = end;
  }
  return shown + text.slice(done);
}

const CUT_LENGTH = 12; // characters of a secret that give it away

/** A secret as it is, and as URLs, JSON and headers spell it. */
function spellings(value: string): readonly string[] {
  const base64 = Buffer.from(value).toString("base64").replace(/=+$/, "");
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), base64];
}

/** Values that are secret by name: URL or form parameters, JSON members, headers. */
const NAMED_SECRETS: readonly RegExp[] = [
  /((?:api[-_]?key|token|password)=)[^&\s"'<>]+/gi,
  /((?:api_?key|token|password)"\s*:\s*")(?:[^"\\]|\\.)+/gi,
  /((?:x-bugzilla-(?:api-key|token)|authorization)["']?\s*:\s*["']?(?:bearer |basic )?)[^\s"'<>]+/gi,
];
