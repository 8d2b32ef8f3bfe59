import { type Cursor, mistake, nextThing, take, takeWord } from "./cursor.ts";
import { readValue } from "./read-value.ts";
import type { ChangeParts, Term, Typed } from "./tree.ts";

/** A field's name that was read, and where it began. */
export type Place = { readonly cursor: Cursor; readonly field: string; readonly at: number };

const CHANGE_PARTS = ["from", "to", "by", "since", "before"] as const;

/** The parts of a change after the word `changed`: all of them about one and the same change. */
export function readChange(place: Place): Typed {
  const parts: { -readonly [Part in keyof ChangeParts]: string } = {};
  for (;;) {
    const part = takeWord(place.cursor, ...CHANGE_PARTS) as keyof ChangeParts | undefined;
    if (part === undefined) return { kind: "change", field: place.field, ...parts, at: place.at };
    if (parts[part] !== undefined) throw mistake(place.cursor, `"${part}" stands twice in one change`);
    parts[part] = readValue(place.cursor, part, "=");
  }
}

/** The inside of `flag(needinfo? requestee @me)`: all of it about one and the same flag. */
export function readFlag(cursor: Cursor, at: number): Term {
  const name = readValue(cursor, "flag(", "=");
  const people: { requestee?: string; setter?: string } = {};
  for (;;) {
    const role = takeWord(cursor, "requestee", "setter") as "requestee" | "setter" | undefined;
    if (role === undefined) break;
    people[role] = readValue(cursor, role, "=");
  }
  if (take(cursor, /\)/y)) return { kind: "flag", name, ...people, at };
  throw mistake(cursor, `expected ")", but found ${nextThing(cursor)}`, "write flag(needinfo? requestee @me)");
}
