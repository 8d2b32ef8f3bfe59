import type { CommandFlag } from "../command-flag.ts";
import { BtError, usageError } from "../errors.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../session/flags.ts";
import { aliasNamed, expandedAlias } from "./alias/expand.ts";
import { acceptedFlags, OUTPUT_FLAGS } from "./shared/flags.ts";
import { type Argument, type CommandTree, columnNames, isCalled, type Noun, type Verb } from "./verb.ts";

/** A command line in the words that commander takes, without the flag for help. */
export type CommandLine = CommandOnLine & {
  readonly flags: CommandFlag[]; // of the verb
  readonly help: "main" | "all" | undefined;
};

/** A line in two: the shared flags before its first other word, and the words from there on. */
export type SplitLine = { ahead: string[]; words: string[] };

export function splitLine(argv: readonly string[]): SplitLine {
  const length = [...wordRoles(argv, SHARED_FLAGS), "other"].indexOf("other");
  return { ahead: argv.slice(0, length), words: argv.slice(length) };
}

/**
 * Reads the words after `bt`: an alias is its command line, `help bug search` is `bug search
 * --help`, `--json=id,summary` is `--json --fields=id,summary`, and `-product:Harbor` is
 * `!product:Harbor`.
 * @throws BtError of kind usage
 */
export async function readLine(
  { ahead, words }: SplitLine,
  tree: CommandTree,
  aliases: () => Promise<Readonly<Record<string, string>>>,
): Promise<CommandLine> {
  const isHelp = words[0] === "help";
  const names = isHelp ? words.slice(1) : words;
  let command = commandOn([...ahead, ...names], tree);
  if (command.unknown !== undefined && command.unknown === names[0]) {
    const alias = aliasNamed(command.unknown, await aliases());
    if (alias) command = commandOn([...ahead, ...expandedAlias(alias, names.slice(1))], tree);
  }
  const { verb } = command;
  const flags = verb ? acceptedFlags(verb) : [];
  const rest = await withJoinedJson(command.rest, verb, flags);
  const roles = wordRoles(rest, flags);
  const helpFlag =
    rest.findLast((word, at) => roles[at] !== "value" && HELP.test(word)) ?? (isHelp ? "--help" : undefined);
  return {
    ...command,
    flags,
    rest: rest.flatMap((word, at) => {
      return roles[at] === "value" ? word : rewrittenWord(word);
    }),
    help: helpFlag === undefined ? undefined : helpLevel(helpFlag),
  };
}

const HELP = /^(?:-h|--help(?:=.*)?)$/s;

function helpLevel(flag: string): CommandLine["help"] {
  if (!flag.includes("=")) return "main";
  const level = flag.slice("--help=".length);
  if (level === "all") return level;
  throw usageError(`invalid value ${JSON.stringify(level)} for --help`, "valid values: all");
}

/** `--json id,summary` as `--json=id,summary`, if the word has a comma or is the name of a column. */
async function withJoinedJson(
  words: readonly string[],
  verb: Verb | undefined,
  flags: CommandFlag[],
): Promise<readonly string[]> {
  const roles = wordRoles(words, flags);
  const at = words.findIndex((word, index) => word === "--json" && roles[index] !== "value");
  const next = words[at + 1];
  if (at < 0 || next === undefined || verb?.output === undefined) return words;
  const isColumns = COLUMN_LIST.test(next) || (await columnNames(verb.output)).includes(next);
  return isColumns ? words.toSpliced(at, 2, `--json=${next}`) : words;
}

/** Two or more names; not the numbers of bugs. */
const COLUMN_LIST = /^[a-z_][\w.]*(?:\s*,\s*[\w.]+)+$/i;

/** The words that replace a flag, a negated term, or an argument. */
function rewrittenWord(word: string): string[] {
  if (OTHER_DASH.test(word)) throw usageError(`${word} begins with another kind of dash`, 'a flag begins with "--"');
  if (!word.startsWith("-")) return [word];
  if (HELP.test(word)) return [];
  if (/^-\d+$/.test(word))
    throw usageError(`unknown flag ${word}`, `"${word}" in double quotes is a text, -L the limit`);
  if (word.startsWith("--json=")) return ["--json", `--fields=${word.slice("--json=".length)}`];
  return [NEGATED_TERM.test(word) ? `!${word.slice(1)}` : word];
}

const OTHER_DASH = /^[\u2010-\u2015\u2212][-\u2010-\u2015\u2212]?\p{L}/u;

/** A negated search term rather than a cluster of short flags. */
const NEGATED_TERM = /^-[a-zA-Z][\w.]+[:=~<>^$]/;

/** The command that a line names, as far as it does. */
export type CommandOnLine = {
  readonly noun?: Noun | undefined;
  readonly verb?: Verb | undefined;
  readonly rest: readonly string[]; // flags and arguments
  readonly unknown?: string; // a word or flag in the place of a name
};

/** Finds the command of a line. Flags that most verbs share may precede its names. */
export function commandOn(words: readonly string[], tree: CommandTree): CommandOnLine {
  const rest: string[] = [];
  let noun: Noun | undefined;
  const roles = wordRoles(words, FLAGS_AHEAD);
  for (const [at, word] of words.entries()) {
    if (roles[at] !== "other") {
      rest.push(word);
      continue;
    }
    const verb = (noun?.verbs ?? tree.verbs).find((one) => isCalled(one, word));
    if (verb) return { noun, verb, rest: [...rest, ...words.slice(at + 1)] };
    const named = noun ? undefined : tree.nouns.find((one) => isCalled(one, word));
    if (named === undefined) return { noun, rest, unknown: word };
    noun = named;
  }
  return { noun, rest };
}

/** Flags that most verbs share. */
const SHARED_FLAGS: CommandFlag[] = [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS];

export const HELP_FLAG: CommandFlag = { name: "help", short: "h", about: "show help" };

/** Flags that may precede the names of a command. */
export const FLAGS_AHEAD: CommandFlag[] = [...SHARED_FLAGS, HELP_FLAG];

/** The words without these flags and their values. */
export function withoutFlags(words: string[], flags: CommandFlag[]): string[] {
  const roles = wordRoles(words, flags);
  return words.filter((_, at) => roles[at] === "other");
}

/** For each word: a flag, the value of a flag (also what follows `--`), or another word. */
export function wordRoles(words: readonly string[], flags: readonly CommandFlag[]): ("flag" | "value" | "other")[] {
  let isValue = false;
  let isLast = false;
  return words.map((word) => {
    if (isValue || isLast) {
      isValue = false;
      return "value";
    }
    const [name] = /^(?:--[^=]+|-[a-z])/i.exec(word) ?? [];
    const flag = flagNamed(name, flags);
    isLast = word === "--";
    isValue = flag?.value !== undefined && word === name;
    return flag && FLAG_WORD.test(word) ? "flag" : "other";
  });
}

/** Syntax of an argument as help and commander write it: `<bug...>`. */
export function argumentSyntax({ name, many, optional }: Argument): string {
  const inner = `${name}${many ? "..." : ""}`;
  return optional ? `[${inner}]` : `<${inner}>`;
}

/** A flag, not a lone `-` or a negated term such as `-product:Lantern`. */
const FLAG_WORD = /^-(?!$)(?![a-z][\w.]+:)/i;

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
