import type { Json } from "../../wire/exchange.ts";
import { Fault, faults } from "../fault.ts";

/** One value of the wire as text: numbers as they are written, true as 1 and false as 0, nothing as empty. */
export function asText(value: Json | undefined, name: string): string {
  if (value !== null && typeof value === "object") throw faults.wrongShape(name, "one text");
  return typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
}

/** A text for one line: newlines and other control signs become blanks, none at the ends. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, " ").trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

/** A text of several lines as long fields hold it: lines end in CR LF. */
export function manyLines(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

/** A comment as it is stored: lines end in LF, nothing blank at the end. */
export function commentText(text: string): string {
  const stored = text.replace(/\r\n?/g, "\n").trimEnd();
  if (lengthOf(stored) > LONGEST_COMMENT) {
    throw new Fault(400, 114, `Comments cannot be longer than ${LONGEST_COMMENT} characters.`);
  }
  return stored;
}

const LONGEST_COMMENT = 65535;

/** The longest that one-line and long fields may be, in characters. */
export const LIMITS = { line: 255, long: 65535 } as const;

/** The text again, refused when it is longer than its field holds. */
export function within(text: string, most: number, field: string): string {
  const length = lengthOf(text);
  if (length > most) {
    throw new Fault(
      400,
      104,
      `The text you entered in the ${field} field is too long (${length} characters, above the maximum length allowed of ${most} characters).`,
    );
  }
  return text;
}

// Characters as people count them, not halves of surrogate pairs.
function lengthOf(text: string): number {
  return [...text].length;
}
