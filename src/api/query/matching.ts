import { bugFieldRow } from "../../wire/bug-fields.ts";
import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import type { CatalogField } from "../catalog/catalog.ts";
import type { ResolvedChange, ResolvedTerm } from "./tree.ts";

/** Fields of a bug that show if it meets a condition; undefined if bugs do not show it. */
export function fieldsShowing(condition: ResolvedTerm): string[] | undefined {
  if (condition.kind === "flag") return ["flags"];
  if (condition.kind === "change") return undefined;
  const name = jsonName(condition.field) ?? roleNamed(condition.field);
  if (name === undefined || condition.values.some((value) => value.startsWith("%group."))) return undefined;
  const pronouns = condition.values.flatMap((value) => PRONOUN_FIELDS[value] ?? []);
  return [name, ...pronouns];
}

/** A condition on several facts about one flag, or on a value among those that one change added to a list, or removed from it. */
export type ReadCondition = Extract<ResolvedTerm, { kind: "flag" | "change" }>;

/** True if servers answer a condition wrongly, so that the flags or changes of each bug have to be read. */
export function mustReadEachBug(leaf: ResolvedTerm): boolean {
  if (leaf.kind === "flag") return leaf.requestee !== undefined || leaf.setter !== undefined;
  return leaf.kind === "change" && isList(leaf.field) && (leaf.from !== undefined || leaf.to !== undefined);
}

/** True if the history of a field has lists, `a, b`, of which servers compare the whole. */
function isList({ family, chart }: CatalogField): boolean {
  return LIST_FAMILIES.has(family) && !/^(?:attach|longdesc)/.test(chart);
}

const LIST_FAMILIES: ReadonlySet<string> = new Set(["people", "choices", "texts", "numbers"]);

/** The condition that is met by changes to and from any value. */
export function toAnyValue({ from: _, to: __, ...others }: ResolvedChange): ResolvedChange {
  return others;
}

/** True if a user in a response is this one; trackers shorten logins for readers without one. */
export function isSameUser(shown: string, login: string): boolean {
  const [one, other] = [shown.toLowerCase(), login.toLowerCase()];
  return one === other || (!one.includes("@") && other.startsWith(`${one}@`));
}

/** Key of a field in bug JSON; undefined if there is none. */
export function jsonName({ api, isAdded }: CatalogField): string | undefined {
  if (isAdded || bugFieldRow(api)?.json) return api;
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
