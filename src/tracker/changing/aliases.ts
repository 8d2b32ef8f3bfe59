import type { Json } from "../../wire/exchange.ts";
import { aliasOwner, isVisible } from "../bugs/find.ts";
import type { Call } from "../call.ts";
import { aliasTaken, readAlias } from "../rules/alias.ts";
import { edited, type ListEdit } from "../rules/edit.ts";
import { type Step, withBug } from "./draft.ts";
import { isObject, readEdit, readItems } from "./edits.ts";

/** The aliases of a bug; a text or a list alone says all that there are to be. */
export const aliases: Step = ({ call, input }, draft) => {
  const value = input["alias"];
  if (value === undefined) return draft;
  const edit = aliasEdit(value);
  const alias = edited(draft.after.alias, edit, (item) => item.toLowerCase());
  for (const name of alias) {
    refuseTaken(call, name, draft.after.id);
  }
  return withBug(draft, { alias });
};

function aliasEdit(value: Json): ListEdit<string> {
  const edit = isObject(value)
    ? readEdit({ alias: value }, "alias", { takesSet: true, takesText: true })
    : { add: [], remove: [], set: readItems(value, { name: "alias", takesText: true }) };
  const firstWords = (list: readonly string[]) => list.map((item) => readAlias(item.split(/[\s,]+/)[0] ?? ""));
  return {
    add: firstWords(edit?.add ?? []),
    remove: edit?.remove ?? [],
    ...(edit?.set ? { set: firstWords(edit.set) } : {}),
  };
}

/** Refuses an alias that another bug has. */
export function refuseTaken({ store }: Call, alias: string, bugId: number): void {
  const owner = aliasOwner(store, alias);
  if (owner !== undefined && owner !== bugId) {
    throw aliasTaken(alias, isVisible(store, owner) ? owner : undefined);
  }
}
