import type { Aliases } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import { commandWords } from "../../platform.ts";

/** A command line, without `bt`, and its name. */
export type Alias = { readonly name: string; readonly command: string };

/** The alias of a name; undefined if there is none. */
export function findAlias(name: string, aliases: Aliases): Alias | undefined {
  return Object.hasOwn(aliases, name) ? { name, command: aliases[name] ?? "" } : undefined;
}

/**
 * Words of an alias' command with the arguments in place of `$1` to `$9` and `$@`; further arguments follow.
 * @throws BtError of kind usage for a missing argument
 */
export function expandAlias({ name, command }: Alias, args: readonly string[]): string[] {
  const words = commandWords(command);
  const count = countRequired(words);
  if (args.length < count)
    throw usageError(
      `the alias ${name} requires ${count === 1 ? "an argument" : `${count} arguments`}`,
      `bt ${command}`,
    );
  const rest = args.slice(count);
  const expanded = words.flatMap((word) => (word === "$@" ? rest : [withArguments(word, args)]));
  return words.includes("$@") ? expanded : [...expanded, ...rest];
}

/** The number of arguments that a command requires: the greatest number after a `$`. */
function countRequired(words: readonly string[]): number {
  const numbers = words.flatMap((word) => [...word.matchAll(PLACEHOLDERS)].map(([, number]) => Number(number)));
  return Math.max(0, ...numbers);
}

function withArguments(word: string, args: readonly string[]): string {
  return word.replace(PLACEHOLDERS, (placeholder, number) => args[Number(number) - 1] ?? placeholder);
}

const PLACEHOLDERS = /\$([1-9])/g;
