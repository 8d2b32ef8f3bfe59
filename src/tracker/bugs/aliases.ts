import type { Json } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isNew, type UpdateStep, withBug } from "./draft.ts";
import { aliasOwner, isBugVisible } from "./find.ts";
import { applyListEdit, type ListEdit, readListEdit, readListItems } from "./list-edit.ts";

/** Update of aliases by `{add, remove, set}`; a string or a list sets them. */
export const updateAliases: UpdateStep = ({ call, input }, draft) => {
  const value = input["alias"];
  if (value === undefined) return draft;
  const edit = aliasEdit(value, isNew(draft));
  const alias = applyListEdit(draft.after.alias, edit, (item) => item.toLowerCase());
  for (const name of alias) {
    refuseTakenAlias(call, name, draft.after.id);
  }
  return withBug(draft, { alias });
};

// Of an item with a space or comma, an update takes the first word; a new bug is refused.
function aliasEdit(value: Json, isStrict: boolean): ListEdit<string> {
  const edit = isObject(value)
    ? readListEdit({ alias: value }, "alias", { takesSet: true, takesText: true })
    : { add: [], remove: [], set: readListItems(value, { name: "alias", takesText: true }) };
  const firstWords = (list: string[]) =>
    list.map((item) => readAlias(isStrict ? item : (item.split(/[\s,]+/)[0] ?? "")));
  return {
    add: firstWords(edit?.add ?? []),
    remove: edit?.remove ?? [],
    ...(edit?.set ? { set: firstWords(edit.set) } : {}),
  };
}

/** Checks that no other bug has an alias (0: a new bug). @throws Fault alias_in_use */
function refuseTakenAlias({ store }: Call, alias: string, bugId: number): void {
  const owner = aliasOwner(store, alias);
  if (owner !== undefined && owner !== bugId) {
    throw aliasTakenFault(alias, isBugVisible(store, owner) ? owner : undefined);
  }
}

const MAX_ALIAS_LENGTH = 40;

type AliasError = { matches: (alias: string) => boolean; message: (alias: string) => string };

const ALIAS_ERRORS: readonly AliasError[] = [
  {
    matches: (alias) => [...alias].length > MAX_ALIAS_LENGTH,
    message: () => `Bug aliases cannot be longer than ${MAX_ALIAS_LENGTH} characters. Please choose a shorter alias.`,
  },
  {
    matches: (alias) => /^\d+$/.test(alias),
    message: (alias) =>
      `You tried to give this bug the alias ${alias}, but aliases cannot be merely numbers, since they could then be confused with bug IDs. Please choose an alias containing at least one letter.`,
  },
  {
    matches: (alias) => /[\s,]/.test(alias),
    message: (alias) =>
      `The alias you entered, ${alias}, contains one or more commas or spaces. Aliases cannot contain commas or spaces because those characters are used to separate aliases from each other in lists. Please choose an alias that does not contain commas and spaces.`,
  },
];

/** A well-formed alias, trimmed; it may belong to another bug. @throws Fault alias_in_use @see Bugzilla/Bug.pm, _check_alias */
export function readAlias(text: string): string {
  const alias = text.trim();
  const error = ALIAS_ERRORS.find(({ matches }) => matches(alias));
  if (error) throw new Fault("alias_in_use", error.message(alias));
  return alias;
}

/** Fault 103: alias in use; `owner` is undefined if the requester may not see that bug. */
function aliasTakenFault(alias: string, owner: number | undefined): Fault {
  return new Fault(
    "alias_in_use",
    `${owner === undefined ? "Another bug" : `Bug ${owner}`} has already taken the alias ${alias}. Please choose another alias.`,
  );
}
