import { BtError } from "../../errors.ts";
import type { CatalogField } from "../catalog/catalog.ts";

/**
 * A number, or the number of a bug for a field of bugs, without the "#" before it.
 * @throws BtError of kind usage
 */
export function readNumber(field: CatalogField, text: string): string {
  const digits = text.trim().replace(/^#(?=\d)/, "");
  const isId = field.family === "numbers" || field.chart === "bug_id";
  const isNumber = isId ? /^[1-9]\d{0,14}$/.test(digits) : /^-?\d{1,15}(\.\d{1,6})?$/.test(digits);
  if (isNumber) return digits;
  const [, from, to] = /^#?(\d+)-#?(\d+)$/.exec(text.trim()) ?? [];
  const expected = isId ? "use a number such as 44, or several: 44,45" : undefined;
  throw new BtError("usage", `"${text}" is not a ${isId ? "bug number" : `number, as ${field.api} needs`}`, {
    hint: from && to ? `a range is ${from}..${to}` : expected,
  });
}

/**
 * Meaning of yes, true and 1, and of no, false and 0.
 * @throws BtError of kind usage
 */
export function readYesOrNo(field: CatalogField, text: string): boolean {
  const word = text.toLowerCase();
  if (["yes", "true", "1"].includes(word)) return true;
  if (["no", "false", "0"].includes(word)) return false;
  throw new BtError("usage", `${field.api} must be yes or no, not "${text}"`);
}
