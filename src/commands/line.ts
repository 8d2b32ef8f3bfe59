import type { CommandFlag } from "../command-flag.ts";
import { BtError, usageError } from "../errors.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../session/flags.ts";
import { OUTPUT_FLAGS } from "./shared/flags.ts";
import { type CommandTree, isCalled, type Noun, type Verb } from "./verb.ts";

/** The command that a line names, as far as it does. */
export type CommandOnLine = {
  readonly noun?: Noun | undefined;
  readonly verb?: Verb | undefined;
  readonly unknown?: string; // a word or flag in the place of a name
  readonly ahead: readonly string[]; // flags before the names
  readonly rest: readonly string[]; // the words after the names
};

/** Finds the command of a line. Flags that most verbs share may precede its names. */
export function commandOn(words: readonly string[], tree: CommandTree): CommandOnLine {
  const ahead: string[] = [];
  let noun: Noun | undefined;
  let rest = words;
  for (;;) {
    const count = countFlagWords(rest);
    const name = rest[count];
    ahead.push(...rest.slice(0, count));
    rest = rest.slice(count + 1);
    if (name === undefined) return { noun, ahead, rest };
    const verb = (noun?.verbs ?? tree.verbs).find((one) => isCalled(one, name));
    if (verb) return { noun, verb, ahead, rest };
    const named = noun ? undefined : tree.nouns.find((one) => isCalled(one, name));
    if (named === undefined) return { noun, unknown: name, ahead, rest };
    noun = named;
  }
}

/** The number of words at the start of a line that are shared flags and their values. */
function countFlagWords(words: readonly string[]): number {
  let count = 0;
  for (;;) {
    const word = words[count] ?? "";
    const [name] = /^(?:--[^=]+|-[a-z])/i.exec(word) ?? [];
    const flag = flagNamed(name, FLAGS_AHEAD);
    if (flag === undefined) return count;
    const isValueNext = flag.value !== undefined && word === name;
    count += isValueNext ? 2 : 1;
  }
}

export const HELP_FLAG: CommandFlag = {
  name: "help",
  short: "h",
  about: "show help; --help=all for all flags",
  group: "Common",
};

/** Flags that most commands share. */
export const SHARED_FLAGS: readonly CommandFlag[] = [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS];

/** Flags that may precede the names of a command. */
export const FLAGS_AHEAD: readonly CommandFlag[] = [...SHARED_FLAGS, HELP_FLAG];

/** Finds the flag that `word` names, with its dashes and without a value. */
export function flagNamed(word: string | undefined, flags: readonly CommandFlag[]): CommandFlag | undefined {
  if (!word?.startsWith("-")) return undefined;
  return flags.find(
    ({ name, short, aliases = [] }) =>
      (short !== undefined && word === `-${short}`) || [name, ...aliases].some((one) => word === `--${one}`),
  );
}

/**
 * Rejects arguments that must not be processed: API keys, which other users can see, and invalid
 * UTF-8.
 * @throws BtError of kind usage
 */
export function checkWords(argv: readonly string[]): void {
  for (const word of argv) {
    const [flag] = KEY_FLAG.exec(word.toLowerCase()) ?? [];
    if (flag !== undefined) throw keyInSightError(word.slice(0, flag.length));
    if (word.includes("\ufffd")) throw notTextError(word);
  }
}

const KEY_FLAG = /^--(?:bugzilla[-_])?(?:api[-_]?key|api[-_]?token|token|key)(?==|$)/; // V8 takes 0.1 ms to begin with /i

function keyInSightError(flag: string): BtError {
  return new BtError("usage", `${flag} is not supported: command lines are visible to other users of this machine`, {
    details: ["the key is now in your shell history; consider creating a new one"],
    hint: 'use bt auth login, --api-key-file FILE ("-" for stdin) or BT_API_KEY',
  });
}

/** Node replaces every invalid byte by U+FFFD, which would be sent. */
function notTextError(word: string): BtError {
  const at = Buffer.byteLength(word.slice(0, word.indexOf("\ufffd")));
  return usageError(
    `the argument ${JSON.stringify(word)} is not UTF-8 at byte ${at}`,
    "use UTF-8, or read the text from a file",
  );
}
