import { Fault } from "../fault.ts";

const LONGEST = 40;

type Flaw = { readonly is: (alias: string) => boolean; readonly says: (alias: string) => string };

const FLAWS: readonly Flaw[] = [
  {
    is: (alias) => [...alias].length > LONGEST,
    says: () => `Bug aliases cannot be longer than ${LONGEST} characters. Please choose a shorter alias.`,
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
export function aliasTaken(alias: string, owner: number | undefined): Fault {
  return new Fault(
    400,
    103,
    `${owner === undefined ? "Another bug" : `Bug ${owner}`} has already taken the alias ${alias}. Please choose another alias.`,
  );
}
