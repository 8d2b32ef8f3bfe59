import { usage } from "../../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../wire/bug-fields.ts";

/**
 * Refuses a jq expression that reads fields of bugs which the JSON will not have: jq takes each for null, so that a
 * condition on it is met by no bug, or by all. Nothing is refused if the names may be those of parts of other fields, or of
 * objects that the expression makes itself.
 * @throws BtError of kind usage
 */
export function checkJqFields(expression: string, keys: readonly string[]): void {
  if (keys.some((key) => PARTED.test(key))) return;
  const code = expression.replace(TEXT, '""');
  const names = [...code.matchAll(PATH), ...code.matchAll(SHORT)].flatMap(([, name]) => name ?? []);
  const isAbsent = (name: string) => isField(name) && !keys.includes(name) && !code.includes(`${name}:`);
  const absent = [...new Set(names)].filter(isAbsent);
  if (absent.length === 0) return;
  const fields = [...keys, ...absent].join(",");
  throw usage(`--jq reads ${absent.join(", ")}, which the JSON does not have`, `add --fields ${fields}`);
}

function isField(name: string): boolean {
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
