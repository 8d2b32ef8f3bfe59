import { keyMeant } from "../api/nearest.ts";
import type { CommandFlag } from "../command-flag.ts";
import { BtError, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { COMMON_FLAGS, type SessionFlags, TRACKER_FLAGS } from "../session/flags.ts";
import { fieldNamed } from "../wire/search-names.ts";
import { aliasNamed, expandedAlias } from "./alias/expand.ts";
import { COLUMNS } from "./columns.ts";
import { acceptedFlags, OUTPUT_FLAGS } from "./shared/flags.ts";
import { shellWord } from "./shared/shell-word.ts";
import { type Argument, type CommandTree, isCalled, isReading, type Noun, type Verb } from "./verb.ts";

/** A command line in the words that commander takes; without those that ask for help. */
export type CommandLine = CommandOnLine & {
  readonly flags: CommandFlag[]; // of the verb
  readonly help: "main" | "all" | undefined;
};

/** A line in two: the shared flags, with their values, before its first other word; and the words from there on. */
export type SplitLine = { ahead: string[]; words: string[] };

export function splitLine(argv: readonly string[]): SplitLine {
  const length = [...wordRoles(argv, SHARED_FLAGS), "other"].indexOf("other");
  return { ahead: argv.slice(0, length), words: argv.slice(length) };
}

/**
 * Reads the words after `bt`: an alias is its command line, `help bug search` is `bug search --help`, `--json=id,summary` is
 * `--json --fields=id,summary`, and `-product:Harbor` is `!product:Harbor`.
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
  const { verb, rest } = command;
  const flags = verb ? acceptedFlags(verb) : [];
  const roles = wordRoles(rest, flags);
  const helpFlag =
    rest.findLast((word, at) => roles[at] !== "value" && HELP.test(word)) ?? (isHelp ? "--help" : undefined);
  return {
    ...command,
    flags,
    rest: rest.flatMap((word, at) => {
      if (word === "--json" && roles[at] !== "value") checkAfterJson(rest.slice(at + 1), rest.slice(0, at), command);
      return roles[at] === "value" || !word.startsWith("-") ? word : rewrittenFlag(word, verb);
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

/** The words in place of one that is a flag or a negated term. */
function rewrittenFlag(word: string, verb: Verb | undefined): string[] {
  if (HELP.test(word)) return [];
  if (word.startsWith("--json=")) return ["--json", `--fields=${word.slice("--json=".length)}`];
  if (/^-\d+$/.test(word) && isTermVerb(verb))
    throw usageError(
      `${word} is neither a flag nor a term`,
      `for ${word.slice(1)} bugs: -L ${word.slice(1)}; for the text: '"${word}"'`,
    );
  if (NEGATED_WORD.test(word) && isTermVerb(verb)) throw negatedWordError(word, verb);
  return [NEGATED_TERM.test(word) ? `!${word.slice(1)}` : word];
}

/** A negated search term rather than a cluster of short flags. */
const NEGATED_TERM = /^-[a-zA-Z][\w.]+[:=~<>^$]/;

/** A negated word rather than a short flag with its value. */
const NEGATED_WORD = /^-[a-z]{3,}$/;

function isTermVerb(verb: Verb | undefined): boolean {
  return verb?.args?.some(({ completes }) => completes === "terms") ?? false;
}

function negatedWordError(word: string, verb: Verb | undefined): BtError {
  const isLong = verb && flagNamed(`-${word}`, acceptedFlags(verb));
  const [flag, rest] = [word.slice(0, 2), word.slice(2)];
  const typed = isLong ? `: -${word}` : ` ${flag}: ${flag} ${rest}`;
  return usageError(
    `${JSON.stringify(word)} is neither a flag nor a term`,
    `for bugs without "${word.slice(1)}": '!${word.slice(1)}'; for the flag${typed}`,
  );
}

/**
 * Rejects a word after `--json` that is a list of fields, or would be a term that nobody means, since it would become
 * an argument.
 */
function checkAfterJson([next, ...others]: string[], before: string[], { noun, verb }: CommandOnLine): void {
  if (verb?.output === undefined || next === undefined || !/^[\w, ]+$/.test(next)) return;
  const names = next.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => columnNamed(name, verb) === undefined);
  const isList = names.length > 1 && names.some((name) => !/^\d*$/.test(name));
  const areBugs = !isTermVerb(verb) && unknown.length === names.length && !names.some(keyMeant);
  if (unknown.length > 0 && (!isList || areBugs)) return;
  const end = unknown.length > 0 ? 0 : others.findIndex((word) => columnNamed(word, verb) === undefined);
  const further = others.slice(0, end < 0 ? others.length : end);
  const keys = [...names, ...further].map((name) => columnNamed(name, verb) ?? columnNamed(keyMeant(name) ?? "", verb));
  const line = [...before, ...others.slice(further.length), `--json=${keys.join(",")}`].map(shellWord).join(" ");
  const valid = names.includes("body")
    ? "the description is the first comment: bt bug get BUG --comments --json"
    : `valid values: ${COLUMNS[verb.output].join(", ")}`;
  throw usageError(
    unknown.length > 0
      ? `unknown field ${JSON.stringify(unknown[0])} after --json`
      : `--json takes no separate value, but is followed by ${JSON.stringify(next)}`,
    keys.includes(undefined) ? valid : `bt ${noun?.name} ${verb.name} ${line}`,
  );
}

/** The column of a verb that a name means; of bugs, it may be another name of a field. */
function columnNamed(name: string, { output }: Verb): string | undefined {
  if (output === undefined) return undefined;
  if ((COLUMNS[output] as string[]).includes(name) || (output === "bugs" && /^(?:cf)?_/.test(name))) return name;
  return output === "bugs" ? fieldNamed(name)?.api : undefined;
}

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

/** The flag that asks for help. */
export const HELP_FLAG: CommandFlag = { name: "help", short: "h", about: "show help" };

/** Flags that may precede the names of a command. */
export const FLAGS_AHEAD: CommandFlag[] = [...SHARED_FLAGS, HELP_FLAG];

/** The words that are neither one of the flags nor the value of one. */
export function withoutFlags(words: string[], flags: CommandFlag[]): string[] {
  const roles = wordRoles(words, flags);
  return words.filter((_, at) => roles[at] === "other");
}

/** The flags among the words, with their values. */
export function onlyFlags(words: readonly string[], flags: readonly CommandFlag[]): string[] {
  const roles = wordRoles(words, flags);
  return words.filter((_, at) => roles[at] !== "other");
}

/** What each word is: one of the flags, literally the value of one or what follows `--`, or neither. */
function wordRoles(words: readonly string[], flags: readonly CommandFlag[]): ("flag" | "value" | "other")[] {
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

/** Words that are neither flags nor values of flags. */
export function plainWords(words: readonly string[], flags: readonly CommandFlag[]): string[] {
  return words.filter((word, at) => !FLAG_WORD.test(word) && flagNamed(words[at - 1], flags)?.value === undefined);
}

/** A flag, not a lone `-` or a negated term such as `-product:Lantern`. */
const FLAG_WORD = /^-(?!$)(?![a-z][\w.]+:)/i;

/** The flag that a word is the whole name of; the value of one that takes one is the next word. */
export function flagNamed(word: string | undefined, flags: readonly CommandFlag[]): CommandFlag | undefined {
  if (!word?.startsWith("-")) return undefined;
  return flags.find(
    ({ name, short, aliases = [] }) =>
      (short !== undefined && word === `-${short}`) || [name, ...aliases].some((one) => word === `--${one}`),
  );
}

/** A flag on the line with its value; empty for a switch. */
export type FlagOnLine = { readonly flag: CommandFlag; readonly value: string };

/** Flags with their values: `-P work`, `-Pwork`, `--profile work`, `--profile=work`. */
export function flagsOnLine(words: readonly string[], flags: readonly CommandFlag[]): readonly FlagOnLine[] {
  const found: FlagOnLine[] = [];
  for (const [at, word] of words.entries()) {
    if (flagNamed(words[at - 1], flags)?.value !== undefined) continue;
    const [, name = word, value] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? /^(-[a-zA-Z])=?(.+)$/s.exec(word) ?? [];
    const flag = flagNamed(word, flags) ?? flagNamed(name, flags);
    if (flag) found.push({ flag, value: flag.value === undefined ? "" : (value ?? words[at + 1] ?? "") });
  }
  return found;
}

/** The tracker that a line names, which may be invalid otherwise. */
export function trackerOnLine(words: readonly string[]): SessionFlags {
  const found = flagsOnLine(words, SHARED_FLAGS);
  const lastValue = (name: string) => found.findLast(({ flag }) => flag.name === name)?.value || undefined;
  const offline = found.some(({ flag }) => flag.name === "offline");
  return { baseUrl: lastValue("base-url"), profile: lastValue("profile"), offline };
}

/**
 * A text in which the command lines that use a tracker name this one, and those that read do so offline if this one does, so that
 * they do the same to it when they are pasted. A job knows its own.
 */
export function linesForTracker(text: string, { flags, env, configured }: TrackerNaming, tree: CommandTree): string {
  const { baseUrl: given, profile, offline } = flags;
  const variable = given || profile ? undefined : env["BT_BASE_URL"];
  const baseUrl = given || (configured && variable !== configured ? variable : undefined);
  const named = [baseUrl && `--base-url ${shellWord(baseUrl)} `, profile && `-P ${shellWord(profile)} `];
  const words = named.filter(Boolean).join("");
  const source = [
    given && `--base-url ${given}`,
    profile && `$& -P ${profile}`,
    variable && `BT_BASE_URL is ${variable}`,
  ];
  const keyed =
    given && given !== env["BT_BASE_URL"] ? text.replace(SET_KEY, `set BT_BASE_URL=${given} and BT_API_KEY`) : text;
  const sourced = keyed.replace(CONFIGURED_ADDRESS, source.find(Boolean) ?? "$&");
  if (words === "" && !offline) return sourced;
  return sourced.replace(LINE_TO_TYPE, (whole, names: string, rest: string) => {
    const { verb } = commandOn(names.split(" "), tree);
    const isOther = verb === undefined || verb.offline || names.startsWith("job ") || NAMES_TRACKER.test(rest);
    const isOfMirror = verb?.needs === "tracker" && baseUrl?.startsWith("mirror:");
    const asHere = offline && verb && isReading(verb) && verb.needs === undefined ? "--offline " : "";
    return isOther || isOfMirror ? whole : `bt ${words}${asHere}${names}${rest}`;
  });
}

/** The line of hints to check an address: the flag or variable that it is from is named in its place. */
const CONFIGURED_ADDRESS = /(?<=\b(?:address: |tracker\? ))bt config get base_url\b/;

/** Setting the key, which is sent to the tracker of BT_BASE_URL only, and not to that of a flag. */
const SET_KEY = /\bset BT_API_KEY\b/;

/** What names the tracker of a command; `configured` is the address of the configuration, if it is known and has one. */
type TrackerNaming = { flags: SessionFlags; env: Io["env"]; configured?: string | undefined };

/** Matches a command line with what follows it up to the next one. */
const LINE_TO_TYPE = /(?<![\w./-])bt ([a-z]+(?: [a-z]+)?)(.*?)(?=(?<![\w./-])bt |$)/gs;

/** Matches the rest of one that names a tracker, or needs none. */
const NAMES_TRACKER = /^ --help| (?:ADDRESS|--base-url|--profile|-P)(?![\w-])/;

/**
 * Rejects arguments that must not be processed: API keys, which other users can see, and invalid UTF-8.
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
    changed: "nothing",
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
