import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import type { Named } from "../rules/bug.ts";
import { edited } from "../rules/edit.ts";
import { type Step, withBug } from "./draft.ts";
import { readEdit } from "./edits.ts";

/** The keywords of a bug, in the order of the alphabet. */
export const keywords: Step = ({ call, input }, draft) => {
  const edit = readEdit(input, "keywords", { takesSet: true, takesText: true });
  if (!edit) return draft;
  const found = (names: readonly string[]) => names.map((name) => findKeyword(call, name));
  const { add, remove, set } = edit;
  const list = edited(
    draft.after.keywords,
    { add: found(add), remove: found(remove), ...(set ? { set: found(set) } : {}) },
    ({ id }) => id,
  );
  return withBug(draft, { keywords: inOrder(list) });
};

/** A keyword by name in any letter case. */
export function findKeyword({ store }: Call, name: string): Named {
  const keyword = store.get<Named>("SELECT id, name FROM keywords WHERE name = ?", [name]);
  if (!keyword) throw new Fault(404, 51, `There is no keyword named '${name}'. See the list of available keywords.`);
  return keyword;
}

/** Keywords as bugs list them. */
export function inOrder(list: readonly Named[]): readonly Named[] {
  return [...list].sort((a, b) => a.name.localeCompare(b.name, "en"));
}
