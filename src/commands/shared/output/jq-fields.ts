import { type BtError, usageError } from "../../../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../wire/bug-fields.ts";

/**
 * Refuses a jq expression that reads fields of bugs which the JSON will not have: jq takes each for null, so that a
 * condition on it is met by no bug, or by all. Nothing is refused if the names may be those of parts of other fields, or of
 * objects that the expression makes itself.
 * @throws BtError of kind usage
 */
export function checkJqFields(expression: string, keys: string[]): void {
  if (keys.some((key) => PARTED.test(key))) return;
  const absent = namesRead(expression).filter((name) => isBugKey(name) && !keys.includes(name));
  if (absent.length > 0) throw notInJsonError(absent, `add --fields ${[...keys, ...absent].join(",")}`);
}

/**
 * Refuses a jq expression that reads comments, changes or personal tags of bugs that the JSON will not have.
 * @throws BtError of kind usage
 */
export function checkJqThread(expression: string, keys: string[]): void {
  const has = (name: string) => keys.includes(name) || (name === "tags" && keys.includes("comments"));
  const absent = namesRead(expression).find((name) => Object.hasOwn(ADDED_BY, name) && !has(name));
  if (absent !== undefined) throw notInJsonError([absent], `add ${ADDED_BY[absent]}`);
}

/** Flags that add keys to whole bugs. */
const ADDED_BY: Readonly<Record<string, string>> = {
  comments: "--comments",
  history: "--history",
  tags: "--fields _all",
};

/** The keys that an expression reads, and does not make itself. */
function namesRead(expression: string): string[] {
  const code = expression.replace(TEXT, '""');
  const names = [...code.matchAll(PATH), ...code.matchAll(SHORT)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].filter((name) => !code.includes(`${name}:`));
}

function notInJsonError(names: string[], hint: string): BtError {
  return usageError(`--jq reads ${names.join(", ")}, which the JSON does not have`, hint);
}

function isBugKey(name: string): boolean {
  return name.startsWith("cf_") || DEFAULT_BUG_FIELDS.includes(name) || EXTRA_BUG_FIELDS.includes(name);
}

/** Fields whose values are objects with keys of their own. */
const PARTED = /^(?:flags|comments|history|attachments|\w+_detail)$/;

/** A text of an expression, which may name anything. */
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/** A key of what a filter receives, without one for its absence: ".cc", but not ".a.cc", "$x.cc", ".cc?" and ".cc // 0". */
const PATH = /(?<![\w$])\.([a-z_]\w*)\b(?!\s*(?:\?|\/\/))/g;

/** A key of an object that is made of it: "{id, cc}". */
const SHORT = /(?<=[{,]\s*)([a-z_]\w*)(?=\s*[,}])/g;
