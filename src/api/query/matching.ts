import { bugFieldRow } from "../../wire/bug-fields.ts";
import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import type { CatalogField } from "../catalog.ts";
import type { ResolvedTerm } from "./tree.ts";

/** Fields of a bug that show if it meets a condition; undefined if bugs do not show it. */
export function fieldsShowing(condition: ResolvedTerm): readonly string[] | undefined {
  if (condition.kind === "flag") return ["flags"];
  if (condition.kind === "change") return undefined;
  const name = jsonName(condition.field) ?? roleNamed(condition.field);
  if (name === undefined || condition.values.some((value) => value.startsWith("%group."))) return undefined;
  const pronouns = condition.values.flatMap((value) => PRONOUN_FIELDS[value] ?? []);
  return [name, ...pronouns];
}

/** Key of a field in bug JSON; undefined if there is none. */
export function jsonName({ api, isCustom }: CatalogField): string | undefined {
  if (isCustom || bugFieldRow(api)?.json) return api;
  return api === "requestee" || api === "setter" ? "flags" : undefined;
}

/** Role of the person whose real name a field is, which bug JSON has in the person's details; undefined for other fields. */
export function roleNamed({ api }: CatalogField): string | undefined {
  return bugFieldRow(api)?.nameOf;
}

/** Regular expression that matches exactly this text, in the server's dialects and in JavaScript. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** The pattern with whitespace at its ends escaped from the server's trimming. */
export function untrimmedPattern(pattern: string): string {
  return pattern.replace(/^ | $/g, "[ ]");
}

/**
 * Matches a whole word like the server's `anywords`: delimited by anything but ASCII letters and digits.
 * @see Bugzilla/Search.pm of Bugzilla
 */
export function wordPattern(word: string): RegExp {
  return new RegExp(`(^|[^a-z0-9])${literalPattern(word)}($|[^a-z0-9])`, "i");
}
