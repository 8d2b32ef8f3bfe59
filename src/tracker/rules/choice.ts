import { Fault, faults } from "../fault.ts";

/** A legal value of a field. */
export type Choice = { readonly name: string; readonly is_active: boolean };

/** A field whose values are chosen from a list, as refusals name it: `label` to people, `kind` in "the version value". */
export type ChoiceField<C extends Choice = Choice> = {
  readonly label: string;
  readonly kind: string;
  readonly choices: readonly C[];
};

/** The choice that a text names, in any letter case. One that is no longer in use stays good where it is (`present`). */
export function readChoice<C extends Choice>(field: ChoiceField<C>, text: string, present = ""): C {
  const name = text.trim();
  if (name === "") throw mustBeChosen(field.label);
  const choice = findNamed(field.choices, name);
  if (!choice) throw faults.noSuchObject(field.label, name);
  return inUse(field, choice, present);
}

/** The one of that name, in any letter case. */
export function findNamed<N extends { readonly name: string }>(list: readonly N[], name: string): N | undefined {
  return list.find((known) => known.name.toLowerCase() === name.toLowerCase());
}

/** The choice again, refused when it is out of use and not what the bug has already. */
export function inUse<C extends Choice>({ kind }: Pick<ChoiceField, "kind">, choice: C, present = ""): C {
  if (!choice.is_active && choice.name !== present) {
    throw new Fault(400, 32000, `The ${kind} value '${choice.name}' is not active.`);
  }
  return choice;
}

/** The refusal of a field that must have a value. */
export function mustBeChosen(label: string): Fault {
  return new Fault(400, 50, `You must select/enter a ${label}.`);
}
