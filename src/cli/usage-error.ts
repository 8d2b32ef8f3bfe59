import type { CommanderError } from "commander";
import { isTypo, nearestNames, suggestNames } from "../api/nearest.ts";
import { isCalled } from "../commands/line.ts";
import { shellWord } from "../commands/shell-word.ts";
import { type CommandFlag, type CommandTree, isListed, isReading, type Noun, type Verb } from "../commands/verb.ts";
import { type BtError, usage } from "../errors.ts";
import { CONNECTION_SETTINGS } from "../session/connection-settings.ts";
import { TOPICS } from "./help.ts";

/** Usage error for a command line that commander rejected, with a suggestion. */
export function explainCommanderError(
  error: CommanderError,
  name: string,
  flags: readonly CommandFlag[],
  words: readonly string[],
): BtError {
  const text = error.message.replace(/^error: /, "").split("\n", 1)[0] ?? "";
  if (error.code === "commander.unknownOption") return unknownFlag(quotedIn(text), name, flags, words);
  const [message, hint] = SAID[error.code]?.(text, name, flags) ?? [text, `run "bt ${name} --help"`];
  return usage(message, hint);
}

/** Usage error for a flag that a command does not have, from the words of a line. */
export function unknownFlag(
  word: string,
  name: string,
  flags: readonly CommandFlag[] = [],
  words: readonly string[] = [],
): BtError {
  const names = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
  const edits = EDITS.map((edit) => word.replace("--", `--${edit}-`)).filter((one) => names.includes(one.slice(2)));
  if (edits.length > 1) return ambiguousEdit(word, edits, words);
  const setting = CONNECTION_SETTINGS.find(({ flag }) => word === `--${flag}`);
  if (setting !== undefined && !names.includes(setting.flag)) {
    const hint = `bt config set ${setting.name} VALUE sets it, ${setting.variable}=VALUE for one command`;
    return usage(`unknown flag ${word} for ${name}`, hint);
  }
  const synonym = FLAG_SYNONYMS.get(word);
  const near = synonym ? [synonym] : nearestNames(word.replace(/^-+/, ""), names).map((one) => `--${one}`);
  return usage(
    `unknown flag ${word} for ${name}`,
    near.length > 0
      ? `did you mean ${near.join(" or ")}?`
      : `${name === "bt" ? name : `bt ${name}`} --help lists the flags`,
  );
}

const EDITS = ["add", "remove", "set"];

/** Usage error for a list that was given a plain value, with the flags that edit it. */
function ambiguousEdit(word: string, edits: readonly string[], words: readonly string[]): BtError {
  const at = words.findIndex((one) => one === word || one.startsWith(`${word}=`));
  const value = words[at]?.includes("=") ? (words[at] ?? "").slice(word.length + 1) : (words[at + 1] ?? "");
  const list = shellWord(value.replace(/(^|,)[+=-]/g, "$1"));
  return usage(`${word} is ambiguous for a list`, edits.map((edit) => `${edit} ${list}`).join(", or "));
}

/** Usage error for a word in the place of a verb, of a noun if there is one. */
export function unknownCommand(word: string, noun: Noun | undefined, tree: CommandTree): BtError {
  const name = noun ? `bt ${noun.name}` : "bt";
  const commands = noun?.verbs ?? [...tree.nouns, ...tree.verbs.filter(isListed)];
  const meant = COMMAND_SYNONYMS.has(word)
    ? COMMAND_SYNONYMS.get(word)
    : (likelyMeant(word, name, tree) ?? nearCommand(word, { name, commands }));
  return usage(
    `unknown command "${name} ${word}"`,
    meant ? `did you mean ${meant}?` : `${name} --help lists the commands`,
  );
}

type Say = (text: string, name: string, flags: readonly CommandFlag[]) => readonly [message: string, hint: string];

/** Message and hint by commander's error code. */
const SAID: Readonly<Record<string, Say>> = {
  "commander.missingArgument": (text, name) => {
    const what = quotedIn(text).replaceAll("-", " ");
    return [`${name} needs ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}`, `bt ${name} --help has examples`];
  },
  "commander.excessArguments": (text, name) => {
    const [, most = "", given = ""] = /Expected (\d+) .* got (\d+)/.exec(text) ?? [];
    const hint = most === "0" ? `bt ${name} --help shows the arguments` : "quote text of several words";
    return [`${name} takes ${most === "0" ? "no" : most} argument${most === "1" ? "" : "s"}, but got ${given}`, hint];
  },
  "commander.optionMissingArgument": (text, name) => [
    `${flagIn(text)} needs a value`,
    `bt ${name} --help shows the flag`,
  ],
  "commander.invalidArgument": (text, name, flags) => {
    const [flag, value] = [flagIn(text), /argument '(.*)' is invalid/s.exec(text)?.[1] ?? ""];
    const choices = flags.find((one) => `--${one.name}` === flag)?.choices ?? [];
    return [
      `invalid value ${JSON.stringify(value)} for ${flag}`,
      suggestNames(value, choices) ?? `bt ${name} --help shows valid values`,
    ];
  },
};

/** The most similar command. One that writes is only suggested for a single typo. */
function nearCommand(
  word: string,
  { name, commands }: { readonly name: string; readonly commands: readonly (Noun | Verb)[] },
): string | undefined {
  const names = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].filter((one) => isReading(command) || isTypo(word, one)),
  );
  const [near] = nearestNames(word, names);
  return near && `${name} ${near}`;
}

/** Suggestion for a verb without its noun, or a bug id in place of a verb. */
function likelyMeant(word: string, name: string, { nouns }: CommandTree): string | undefined {
  if (/^#?\d+$/.test(word)) return `${name === "bt comment" ? "bt comment add" : "bt bug get"} ${word}`;
  const noun = name === "bt" ? nouns.find(({ verbs }) => verbs.some((verb) => isCalled(verb, word))) : undefined;
  return noun && `bt ${noun.name} ${word}`;
}

function quotedIn(text: string): string {
  return /'(.*)'/s.exec(text)?.[1] ?? "";
}

/** Flag named in a message of commander as `'-s, --status <value>'`. */
function flagIn(text: string): string {
  return /--[\w-]+/.exec(text)?.[0] ?? text;
}

/**
 * Words of other tools and the command they mean; undefined for words without a counterpart, which must not be taken
 * for a typo.
 */
const COMMAND_SYNONYMS: ReadonlyMap<string, string | undefined> = new Map([
  ["assign", "bt bug update -a"],
  ["resolve", "bt bug close"],
  ["comment", "bt comment add"],
  ["clone", undefined],
  ["delete", undefined],
  ["status", undefined],
]);

/** Flags of other tools and their counterpart. */
const FLAG_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["--state", "--status"],
  ["-l", "-L"],
  ["-V", "--version"],
]);

/** Rejects help on a word that is neither a command nor a topic. */
export function checkSubject(word: string | undefined, tree: CommandTree): void {
  if (word !== undefined && Object.hasOwn(TOPICS, word))
    throw usage(`the help topic ${word} takes no flags or arguments`, `bt help ${word}`);
  const commands = [...tree.nouns, ...tree.verbs.filter(isListed)];
  if (word === undefined || word.startsWith("-") || commands.some((command) => isCalled(command, word))) return;
  const subjects = [...commands.map(({ name }) => name), ...Object.keys(TOPICS)];
  throw usage(
    `no help topic ${JSON.stringify(word)}`,
    suggestNames(word, subjects) ?? `valid values: ${subjects.join(", ")}`,
  );
}
