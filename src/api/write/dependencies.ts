import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../response/response-objects.ts";
import type { MoveRefusal } from "./moves.ts";

/**
 * Why a bug cannot be tied to others as a write asks: none repeats, waits for or links to itself, or waits for what waits
 * for it. Undefined when it can, as far as the bug itself shows. A new bug has no number yet.
 */
export function dependencyError(bug: Bug, body: JsonObject, address = ""): MoveRefusal | undefined {
  const name = bug.id === undefined ? "a new bug" : `bug ${bug.id}`;
  const [waits, held] = [after(bug.depends_on, body["depends_on"]), after(bug.blocks, body["blocks"])];
  const ties = [
    { what: "be a duplicate of itself", refs: [body["dupe_of"] ?? []].flat() },
    { what: "depend on itself", refs: waits },
    { what: "block itself", refs: held },
    { what: "have itself under see also", refs: addedBy(body["see_also"]) },
  ];
  const tie = ties.find(({ refs }) => refs.some((ref) => isItself(bug, ref, address)));
  if (tie) return { why: `${name} cannot ${tie.what}`, hint: "name another bug" };
  const both = waits.find((ref) => held.includes(ref));
  if (both === undefined) return undefined;
  return { why: `${name} cannot wait for bug ${both} and block it at once`, hint: "name it on one side only" };
}

function isItself({ id, alias }: Bug, ref: Json, address: string): boolean {
  if (id === undefined) return false;
  const names = [String(id), `${address}/show_bug.cgi?id=${id}`, ...[alias ?? []].flat()];
  return names.some((one) => one.toLowerCase() === String(ref).toLowerCase());
}

/** The bugs of a list after an edit of it. */
function after(before: Bug["blocks"], edit: Json | undefined): readonly Json[] {
  const { set, remove } = isObject(edit) ? edit : ({} as JsonObject);
  if (Array.isArray(set)) return set;
  const gone: readonly Json[] = Array.isArray(remove) ? remove : [];
  return [...(before ?? []).filter((id) => !gone.includes(id)), ...addedBy(edit)];
}

function addedBy(edit: Json | undefined): readonly Json[] {
  const added = isObject(edit) ? edit["add"] : edit;
  return Array.isArray(added) ? added : [];
}
