import { findBug } from "../bugs/find.ts";
import { emptyCustom, readCustom } from "../rules/custom-fields.ts";
import { type Step, withBug } from "./draft.ts";

/** The custom fields that were sent; names that no field has are ignored. */
export const custom: Step = ({ call, input, customs }, draft) => {
  const read = customs.flatMap((field) => {
    const value = input[field.name];
    const present = draft.after.custom[field.name] ?? emptyCustom(field);
    return value === undefined
      ? []
      : [[field.name, readCustom(field, value, { value: present, findBug: (text) => findBug(call, text) })] as const];
  });
  return withBug(draft, { custom: { ...draft.after.custom, ...Object.fromEntries(read) } });
};
