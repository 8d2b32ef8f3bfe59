import { type KeyOf, without } from "./edit.ts";

/** One field's change as it is reported and kept in history; `field` is the name that history stores. */
export type Change = { readonly field: string; readonly removed: string; readonly added: string };

/** The change of a single value; nothing when it stayed. */
export function valueChange(field: string, removed: string, added: string): readonly Change[] {
  return removed === added ? [] : [{ field, removed, added }];
}

/** A list as it was and as it is now. */
export type ListPair<T> = { readonly before: readonly T[]; readonly after: readonly T[] };

/** The change of a list: what left and what came, as texts that are also the keys; nothing when it stayed. */
export function listChange(field: string, { before, after }: ListPair<string | number>): readonly Change[] {
  return valueChange(field, left(before, after).join(", "), left(after, before).join(", "));
}

const itself: KeyOf<string | number> = (item) => item;

function left(list: readonly (string | number)[], other: readonly (string | number)[]) {
  return without(list, other, itself);
}
