import type { Aliases } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import { commandWords } from "../../platform.ts";

/** A command line, without `bt`, and its name. */
export type Alias = { readonly name: string; readonly command: string };

/** The alias of a name; undefined if there is none. */
export function aliasNamed(name: string, aliases: Aliases): Alias | undefined {
  return Object.hasOwn(aliases, name) ? { name, command: aliases[name] ?? "" } : undefined;
}

/**
 * Words of an alias' command with the arguments in place of `$1` to `$9` and `$@`; further arguments follow.
 * @throws BtError of kind usage for a missing argument
 */
export function expandedAlias({ name, command }: Alias, args: readonly string[]): string[] {
  const words = commandWords(command);
  const most = lastPlace(words);
  if (args.length < most)
    throw usageError(`the alias ${name} requires ${most === 1 ? "an argument" : `${most} arguments`}`, `bt ${command}`);
  const rest = args.slice(most);
  const expanded = words.flatMap((word) => (word === "$@" ? rest : [withArguments(word, args)]));
  return words.includes("$@") ? expanded : [...expanded, ...rest];
}

function lastPlace(words: string[]): number {
  return Math.max(0, ...words.flatMap((word) => [...word.matchAll(PLACES)].map(([, place]) => Number(place))));
}

function withArguments(word: string, args: readonly string[]): string {
  return word.replace(PLACES, (text, place) => args[Number(place) - 1] ?? text);
}

const PLACES = /\$([1-9])/g;
