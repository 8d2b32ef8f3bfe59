import { bugFieldRow } from "../../wire/bug-fields.ts";
import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import type { CatalogField } from "../catalog.ts";
import type { Condition } from "./tree.ts";

/** The fields of bug JSON by which a condition can be checked; undefined when a bug does not show what it is about. */
export function checkableFields(condition: Condition): readonly string[] | undefined {
  if (condition.kind === "flag") return ["flags"];
  if (condition.kind === "change" || condition.op === "=~") return undefined; // the server's patterns are not JavaScript's
  const name = jsonName(condition.field);
  if (name === undefined || condition.values.some((value) => value.startsWith("%group."))) return undefined;
  const pronouns = condition.values.flatMap((value) => PRONOUN_FIELDS[value] ?? []);
  return [name, ...pronouns];
}

/** The key of bug JSON that holds a field, where there is one. */
export function jsonName({ api, isCustom }: CatalogField): string | undefined {
  if (isCustom || bugFieldRow(api)?.json) return api;
  return api === "requestee" || api === "setter" ? "flags" : undefined;
}

/** A text as a regular expression that matches just this text, in the server's dialects and in JavaScript's. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** The same expression with blanks at its ends written so that the server, which trims what it gets, keeps them. */
export function untrimmedPattern(pattern: string): string {
  return pattern.replace(/^ | $/g, "[ ]");
}

/** Matches a whole word as the server's `anywords` does: ASCII letters and digits on both sides end it. */
export function wordPattern(word: string): RegExp {
  return new RegExp(`(^|[^a-z0-9])${literalPattern(word)}($|[^a-z0-9])`, "i");
}
