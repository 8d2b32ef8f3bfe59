import { COMMON_FLAGS, TRACKER_FLAGS } from "../shared-flags.ts";
import { type CommandFlag, type CommandTree, isListed, type Verb } from "../verb.ts";

/** A flag on the line with its value; empty for a switch. */
export type FlagOnLine = { readonly flag: CommandFlag; readonly value: string };

/** The verb that words name, skipping flags and values; without one, `level` has the nouns or verbs that may follow. */
export function verbPlace(
  words: readonly string[],
  tree: CommandTree,
): { readonly verb?: Verb; readonly level: readonly { readonly text: string; readonly about: string }[] } {
  const [first, second] = plainWords(words, FLAGS_AHEAD);
  const named = (name: string | undefined) => (one: { name: string; aliases?: readonly string[] }) =>
    one.name === name || (one.aliases ?? []).includes(name ?? "");
  const alone = tree.verbs.find(named(first));
  if (alone) return { verb: alone, level: [] };
  const noun = tree.nouns.find(named(first));
  if (!noun) return { level: [...tree.nouns, ...tree.verbs.filter(isListed)].map(candidate) };
  const verb = noun.verbs.find(named(second));
  return verb ? { verb, level: [] } : { level: noun.verbs.map(candidate) };
}

/** Flags that may precede a noun. */
const FLAGS_AHEAD = [...TRACKER_FLAGS, ...COMMON_FLAGS];

function candidate(one: { readonly name: string; readonly about: string }) {
  return { text: one.name, about: one.about };
}

/** Words that are neither flags nor values of flags. */
export function plainWords(words: readonly string[], flags: readonly CommandFlag[]): readonly string[] {
  return words.filter((word, at) => !isFlag(word) && !openFlag(words[at - 1], flags));
}

/** True for a flag, not for a lone `-` or a negated term such as `-product:Lantern`. */
function isFlag(word: string): boolean {
  return /^-(?!$)(?![a-z][\w.]+:)/i.test(word);
}

/** The flag that a word names, if its value is the next word. */
export function openFlag(word: string | undefined, flags: readonly CommandFlag[]): CommandFlag | undefined {
  const flag = flagNamed(word, flags);
  return flag?.value === undefined ? undefined : flag;
}

function flagNamed(word: string | undefined, flags: readonly CommandFlag[]): CommandFlag | undefined {
  if (!word?.startsWith("-")) return undefined;
  return flags.find(
    ({ name, short, aliases = [] }) =>
      (short !== undefined && word === `-${short}`) || [name, ...aliases].some((one) => word === `--${one}`),
  );
}

/** Flags with their values: `-P work`, `-Pwork`, `--profile work`, `--profile=work`. */
export function flagsOnLine(words: readonly string[], flags: readonly CommandFlag[]): readonly FlagOnLine[] {
  return words.flatMap((word, at) => {
    if (openFlag(words[at - 1], flags)) return [];
    const [, name = word, value] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? /^(-[a-zA-Z])(.+)$/s.exec(word) ?? [];
    const flag = flagNamed(word, flags) ?? flagNamed(name, flags);
    return flag ? [{ flag, value: flag.value === undefined ? "" : (value ?? words[at + 1] ?? "") }] : [];
  });
}
