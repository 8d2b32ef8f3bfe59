import { COMMON_FLAGS, flagsAround, TRACKER_FLAGS } from "../shared-flags.ts";
import type { CommandFlag, CommandTree, Input, Verb } from "../verb.ts";

/** A completion candidate. */
export type Candidate = { readonly text: string; readonly about: string };

/** Completions of a word: candidates, or file names. */
export type Completion = { readonly candidates: readonly Candidate[]; readonly files: boolean };

/** Cached legal values of a bug field; empty if unknown. */
export type ValuesOf = (field: string) => Promise<readonly string[]>;

/** Completions of the last of the words after `bt`. */
export async function completeWord(
  words: readonly string[],
  tree: CommandTree,
  valuesOf: ValuesOf,
): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const { verb, level } = verbPlace(before, tree);
  const flags = verb ? [...verb.flags, ...flagsAround(verb)] : [...TRACKER_FLAGS, ...COMMON_FLAGS];
  const open = openFlag(before.at(-1), flags);
  if (open) return valueCompletion(open, last, valuesOf);
  const glued = /^(--[a-z0-9-]+)=(.*)$/s.exec(last);
  const gluedFlag = glued ? openFlag(glued[1], flags) : undefined;
  if (gluedFlag) return prefixed(await valueCompletion(gluedFlag, glued?.[2] ?? "", valuesOf), `${glued?.[1]}=`);
  if (last.startsWith("-")) return startingWith(last, flagCandidates(flags));
  if (verb) return argumentCompletion(verb, plainWords(before).length, { last, valuesOf, tree });
  return startingWith(last, level);
}

type Wish = { readonly last: string; readonly valuesOf: ValuesOf; readonly tree: CommandTree };

/** Completions of a positional argument, given the number of plain words before it. */
async function argumentCompletion(verb: Verb, given: number, { last, valuesOf, tree }: Wish): Promise<Completion> {
  const at = given - (tree.verbs.includes(verb) ? 1 : 2);
  const final = verb.args?.at(-1);
  const argument = verb.args?.[at] ?? (final?.many ? final : undefined);
  const values = await legalValues(argument?.completes, valuesOf);
  return startingWith(
    last,
    values.map((text) => ({ text, about: "" })),
  );
}

/** The verb that words name, skipping flags and values; without one, `level` has the nouns or verbs that may follow. */
export function verbPlace(
  words: readonly string[],
  tree: CommandTree,
): { readonly verb?: Verb; readonly level: readonly Candidate[] } {
  const [first, second] = plainWords(words);
  const named = (name: string | undefined) => (one: { name: string; aliases?: readonly string[] }) =>
    one.name === name || (one.aliases ?? []).includes(name ?? "");
  const alone = tree.verbs.find(named(first));
  if (alone) return { verb: alone, level: [] };
  const noun = tree.nouns.find(named(first));
  if (!noun) return { level: [...tree.nouns, ...tree.verbs.filter(({ hidden }) => !hidden)].map(candidate) };
  const verb = noun.verbs.find(named(second));
  return verb ? { verb, level: [] } : { level: noun.verbs.map(candidate) };
}

/** Flags that determine tracker and account, as the completed verb would receive them. */
export function trackerFlags({ args, flags: own }: Input, { tree }: { readonly tree: CommandTree }): Input["flags"] {
  const before = args.slice(0, -1);
  const { verb } = verbPlace(before, tree);
  const flags = verb ? [...verb.flags, ...flagsAround(verb)] : [...TRACKER_FLAGS, ...COMMON_FLAGS];
  const named = before.flatMap((word, at) =>
    openFlag(before[at - 1], flags) ? [] : accountFlag(word, before[at + 1] ?? ""),
  );
  return { ...own, ...Object.fromEntries(named) };
}

/** A word such as `-P`, `-Pwork`, `--profile` or `--profile=work` as a flag with its value. */
function accountFlag(word: string, next: string): readonly (readonly [string, string | true])[] {
  const [, long, short, value = next] = /^(?:--([a-z-]+)(?:=|$)|-([A-Z]))(.+)?$/s.exec(word) ?? [];
  const flag = ACCOUNT_FLAGS.find((one) => one.name === long || (short !== undefined && one.short === short));
  return flag ? [[flag.name, flag.value === undefined ? true : value]] : [];
}

const ACCOUNT_FLAGS = TRACKER_FLAGS.filter(({ name }) =>
  ["base-url", "profile", "api-key-file", "insecure-files"].includes(name),
);

/** Words that are neither flags nor values of flags that may precede a noun. */
function plainWords(words: readonly string[]): readonly string[] {
  const flags = [...TRACKER_FLAGS, ...COMMON_FLAGS];
  return words.filter((word, at) => !word.startsWith("-") && !openFlag(words[at - 1], flags));
}

/** The flag that a word names, if its value is the next word. */
function openFlag(word: string | undefined, flags: readonly CommandFlag[]): CommandFlag | undefined {
  if (!word?.startsWith("-")) return undefined;
  return flags.find(
    (flag) =>
      flag.value !== undefined &&
      (word === `-${flag.short}` || [flag.name, ...(flag.aliases ?? [])].some((name) => word === `--${name}`)),
  );
}

async function valueCompletion(flag: CommandFlag, last: string, valuesOf: ValuesOf): Promise<Completion> {
  if (flag.completes === "file") return { candidates: [], files: true };
  const values = flag.choices ?? (await legalValues(flag.completes, valuesOf));
  const cut = flag.many ? last.lastIndexOf(",") + 1 : 0;
  const found = startingWith(
    last.slice(cut),
    values.map((text) => ({ text, about: "" })),
  );
  return prefixed(found, last.slice(0, cut));
}

async function legalValues(completes: string | undefined, valuesOf: ValuesOf): Promise<readonly string[]> {
  if (completes === undefined) return [];
  return completes === "bool" ? ["yes", "no"] : valuesOf(completes);
}

function flagCandidates(flags: readonly CommandFlag[]): readonly Candidate[] {
  return [...flags, { name: "help", about: "show help" }].map((flag) => ({
    text: `--${flag.name}`,
    about: flag.about,
  }));
}

function candidate(one: { readonly name: string; readonly about: string }): Candidate {
  return { text: one.name, about: one.about };
}

function startingWith(start: string, candidates: readonly Candidate[]): Completion {
  const wanted = start.toLowerCase();
  return { candidates: candidates.filter(({ text }) => text.toLowerCase().startsWith(wanted)), files: false };
}

function prefixed(completion: Completion, prefix: string): Completion {
  const candidates = completion.candidates.map(({ text, about }) => ({ text: `${prefix}${text}`, about }));
  return { ...completion, candidates };
}
