import { Command, Option } from "commander";
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
    const at = rest[0]?.startsWith("-") ? firstOther(rest) : 0;
    const name = rest[at];
    ahead.push(...rest.slice(0, at));
    rest = rest.slice(at + 1);
    if (name === undefined) return { noun, ahead, rest };
    const verb = (noun?.verbs ?? tree.verbs).find((one) => isCalled(one, name));
    if (verb) return { noun, verb, ahead, rest };
    const named = noun ? undefined : tree.nouns.find((one) => isCalled(one, name));
    if (named === undefined) return { noun, unknown: name, ahead, rest };
    noun = named;
  }
}

/** Place of the first word that is neither a flag nor its value; behind the last, if there is none. */
function firstOther(words: readonly string[]): number {
  return readWords(words, FLAGS_AHEAD).find((word) => word.kind !== "flag")?.at ?? words.length;
}

export const HELP_FLAG: CommandFlag = { name: "help", short: "h", about: "show help" };

/** Flags that may precede the names of a command. */
export const FLAGS_AHEAD: readonly CommandFlag[] = [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS, HELP_FLAG];

/** A word of a line: a flag, an argument, an unknown flag, or an argument behind `--` ("literal"). */
export type Word = FlagWord | OtherWord;

export type OtherWord = {
  readonly kind: "argument" | "unknown" | "literal";
  readonly at: number; // place on the line
  readonly text: string;
};

export type FlagWord = {
  readonly kind: "flag";
  readonly flag: CommandFlag;
  readonly name: string; // as typed, in full
  readonly value: string | undefined; // also of a switch, as in `--json=id`
  readonly isApart: boolean; // the value is a word of the line
};

/** Reads the flags and arguments of a line; `-product:Harbor` is the negated term `!product:Harbor`. */
export function readWords(line: readonly string[], flags: readonly CommandFlag[]): Word[] {
  const words = line.map((word) => (NEGATED_TERM.test(word) ? `!${word.slice(1)}` : word));
  const read: Word[] = [];
  const parser = flagParser(flags, (flag, name, value) => read.push(flagWord(flag, name, value, words)));
  let rest = words;
  while (rest.length > 0) {
    const { operands, unknown } = parser.parseOptions(rest); // up to a word that is neither a flag nor its value
    rest = [...operands, ...unknown];
    const at = words.length - rest.length;
    if (isAfterEnd(rest, words, read.at(-1))) {
      for (const [n, text] of rest.entries()) read.push({ kind: "literal", at: at + n, text });
      break;
    }
    const [next, ...others] = rest;
    if (next === undefined) break;
    read.push(/^-./.test(next) ? switchWithValue(next, at, flags) : { kind: "argument", at, text: next });
    rest = others;
  }
  return read;
}

type FlagListener = (flag: CommandFlag, name: string, value: string | undefined) => void;

/** Commander's parser of these flags, which stops at the first word that is neither a flag nor its value. */
function flagParser(flags: readonly CommandFlag[], listener: FlagListener): Command {
  const command = new Command().helpOption(false).passThroughOptions();
  Object.assign(command, { optionMissingArgument: () => undefined }); // the listener gets undefined instead
  for (const flag of flags) {
    const { short, aliases = [], value = "" } = flag;
    for (const name of [flag.name, ...aliases]) {
      const option = new Option(`${short && name === flag.name ? `-${short}, ` : ""}--${name} ${value}`);
      option.negate = false; // --no-pager is a switch of its own
      command.addOption(option).on(`option:${name}`, (given?: string) => listener(flag, name, given));
    }
  }
  return command;
}

/** The flag with its value; of `-m=text`, Commander gives "=text". */
function flagWord(flag: CommandFlag, name: string, given: string | undefined, words: readonly string[]): FlagWord {
  const isApart = given !== undefined && words.includes(given);
  const isGlued = given?.startsWith("=") && words.some((word) => /^-\w/.test(word) && word.endsWith(given));
  return { kind: "flag", flag, name, value: isGlued ? given?.slice(1) : given, isApart };
}

/** True if these are the words after `--`, which is not the value of a flag. */
function isAfterEnd(rest: readonly string[], words: readonly string[], last: Word | undefined): boolean {
  return words.at(-rest.length - 1) === "--" && !(last?.kind === "flag" && last.value === "--");
}

/** A switch as in `--json=id`, which Commander does not know; else an unknown flag. */
function switchWithValue(text: string, at: number, flags: readonly CommandFlag[]): Word {
  const [, name = "", value] = /^--([^=]+)=(.*)$/s.exec(text) ?? [];
  const flag = flagNamed(`--${name}`, flags);
  return flag ? { kind: "flag", flag, name, value, isApart: false } : { kind: "unknown", at, text };
}

/** A negated search term rather than a cluster of short flags. */
const NEGATED_TERM = /^-[a-zA-Z][\w.]+[:=~<>^$]/;

/** Finds the flag that `word` names; its value, if it takes one, is the next word. */
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
