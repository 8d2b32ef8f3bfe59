import { BtError } from "../../errors.ts";
import { PRONOUNS } from "../../wire/names.ts";

/** The families of fields that hold logins. */
export const PEOPLE: ReadonlySet<string> = new Set(["person", "people"]);

/** A login name in the form of the wire: `@me`, `@reporter`, `@assignee`, `@qa` and `@group.NAME` become pronouns. */
export function login(text: string): string {
  const name = text.trim();
  if (/[\s:]/.test(name)) {
    throw new BtError("usage", `"${text}" is not a login name`, {
      hint: 'a search term is denied by "not": not alias:x (a "-" before it would make it a flag)',
    });
  }
  if (!name.startsWith("@")) return name;
  const word = name.slice(1).toLowerCase();
  if (isPronoun(word)) return PRONOUNS[word];
  const [, group] = /^@group\.(.+)$/i.exec(name) ?? [];
  if (group !== undefined) return `%group.${group}%`;
  throw new BtError("usage", `"${text}" stands for nobody`, {
    hint: "write a login name, @me, @reporter, @assignee, @qa or @group.NAME",
  });
}

/** The word that stands for a pronoun of the wire: `%user%` is `@me`. Other names stay as they are. */
export function personWord(name: string): string {
  const [found] = Object.entries(PRONOUNS).find(([, pronoun]) => pronoun === name) ?? [];
  if (found !== undefined) return `@${found}`;
  const [, group] = /^%group\.(.+)%$/.exec(name) ?? [];
  return group === undefined ? name : `@group.${group}`;
}

function isPronoun(word: string): word is keyof typeof PRONOUNS {
  return Object.hasOwn(PRONOUNS, word);
}
