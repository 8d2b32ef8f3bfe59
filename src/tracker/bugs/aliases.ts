import type { Json } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { type UpdateStep, withBug } from "./draft.ts";
import { aliasOwner, isBugVisible } from "./find.ts";
import { applyListEdit, isObject, type ListEdit, readListEdit, readListItems } from "./list-edit.ts";

/** The aliases of a bug; a text or a list alone says all that there are to be. */
export const updateAliases: UpdateStep = ({ call, input }, draft) => {
  const value = input["alias"];
  if (value === undefined) return draft;
  const edit = aliasEdit(value);
  const alias = applyListEdit(draft.after.alias, edit, (item) => item.toLowerCase());
  for (const name of alias) {
    refuseTakenAlias(call, name, draft.after.id);
  }
  return withBug(draft, { alias });
};

function aliasEdit(value: Json): ListEdit<string> {
  const edit = isObject(value)
    ? readListEdit({ alias: value }, "alias", { takesSet: true, takesText: true })
    : { add: [], remove: [], set: readListItems(value, { name: "alias", takesText: true }) };
  const firstWords = (list: readonly string[]) => list.map((item) => readAlias(item.split(/[\s,]+/)[0] ?? ""));
  return {
    add: firstWords(edit?.add ?? []),
    remove: edit?.remove ?? [],
    ...(edit?.set ? { set: firstWords(edit.set) } : {}),
  };
}

/** Refuses an alias that another bug has. */
export function refuseTakenAlias({ store }: Call, alias: string, bugId: number): void {
  const owner = aliasOwner(store, alias);
  if (owner !== undefined && owner !== bugId) {
    throw aliasTaken(alias, isBugVisible(store, owner) ? owner : undefined);
  }
}

const MAX_ALIAS_LENGTH = 40;

type Flaw = { readonly is: (alias: string) => boolean; readonly says: (alias: string) => string };

const FLAWS: readonly Flaw[] = [
  {
    is: (alias) => [...alias].length > MAX_ALIAS_LENGTH,
    says: () => `Bug aliases cannot be longer than ${MAX_ALIAS_LENGTH} characters. Please choose a shorter alias.`,
  },
  {
    is: (alias) => /^\d+$/.test(alias),
    says: (alias) =>
      `You tried to give this bug the alias ${alias}, but aliases cannot be merely numbers, since they could then be confused with bug IDs. Please choose an alias containing at least one letter.`,
  },
  {
    is: (alias) => /[\s,]/.test(alias),
    says: (alias) =>
      `The alias you entered, ${alias}, contains one or more commas or spaces. Aliases cannot contain commas or spaces because those characters are used to separate aliases from each other in lists. Please choose an alias that does not contain commas and spaces.`,
  },
];

/** An alias that a bug may have, without blanks around it; whether it is free is another question. */
export function readAlias(text: string): string {
  const alias = text.trim();
  const flaw = FLAWS.find(({ is }) => is(alias));
  if (flaw) throw new Fault(400, 103, flaw.says(alias));
  return alias;
}

/** The refusal of an alias that another bug has; that bug is named only to those who may see it. */
function aliasTaken(alias: string, owner: number | undefined): Fault {
  return new Fault(
    400,
    103,
    `${owner === undefined ? "Another bug" : `Bug ${owner}`} has already taken the alias ${alias}. Please choose another alias.`,
  );
}
