import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../read.ts";
import { withTokens } from "./tokens.ts";

/**
 * Edits of fields that a tracker only takes as a whole, the whiteboard and multi-selects: a body holds them as
 * `{add, remove}` until it is sent, when they are applied to the value that was read.
 *
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
type WholeEdit = { readonly add: readonly string[]; readonly remove: readonly string[] };

/** The fields of a body that are edited so. */
export function wholeEditNames(body: JsonObject): readonly string[] {
  return Object.keys(body).filter((name) => (name === "whiteboard" || name.startsWith("cf_")) && isObject(body[name]));
}

/** The body as it is sent for a bug: every edit as the value that it makes of the bug's own. */
export function withWholeValues(body: JsonObject, bug: JsonObject = {}): JsonObject {
  const values = wholeEditNames(body).map((name) => [name, after(body[name] as WholeEdit, name, bug[name])] as const);
  return { ...body, ...Object.fromEntries(values) };
}

/** Things by the values that the edits of a body start from, so that each group can be sent as one change. */
export function byStart<Thing>(things: readonly Thing[], startOf: (thing: Thing) => string): (readonly Thing[])[] {
  const groups = new Map<string, Thing[]>();
  for (const thing of things) {
    const start = startOf(thing);
    groups.set(start, [...(groups.get(start) ?? []), thing]);
  }
  return [...groups.values()];
}

/** The values from which the edits of a body start on a bug, as a text that is equal for equal values. */
export function startOf(bug: object | undefined, names: readonly string[]): string {
  const fields = (bug ?? {}) as JsonObject;
  return JSON.stringify(names.map((name) => fields[name] ?? ""));
}

function after({ add = [], remove = [] }: Partial<WholeEdit>, name: string, before: Json = null): Json {
  if (name === "whiteboard") return withTokens(before === null ? "" : String(before), { add, remove });
  const items = Array.isArray(before) ? before.map(String) : [];
  return [...items.filter((item) => !remove.includes(item)), ...add.filter((item) => !items.includes(item))];
}
