import type { CommanderError } from "commander";
import { isTypo, nearestNames, suggestNames } from "../api/nearest.ts";
import { flagsAround } from "../commands/shared-flags.ts";
import { type CommandFlag, type CommandTree, isListed, isReading, type Noun, type Verb } from "../commands/verb.ts";
import { type BtError, usage } from "../errors.ts";
import { takesValue } from "./flags.ts";
import { TOPICS } from "./help.ts";

/** Usage error for a command line that commander rejected, with a suggestion. */
export function explainCommanderError(error: CommanderError, words: readonly string[], tree: CommandTree): BtError {
  const place = placeOf(words, tree);
  const text = error.message.replace(/^error: /, "").split("\n", 1)[0] ?? "";
  const [message, hint] = SAID[error.code]?.(text, place, tree) ?? [text, `run "${place.name} --help"`];
  return usage(message, hint);
}

/** The command parsed so far (`bt`, `bt bug`, or `bt bug get`), and what may follow. */
type Place = {
  readonly name: string;
  readonly subject: string; // name in a sentence that starts with "bt: "
  readonly commands: readonly (Noun | Verb)[];
  readonly flags: readonly CommandFlag[];
};

function placeOf(words: readonly string[], tree: CommandTree): Place {
  const top = [...tree.nouns, ...tree.verbs.filter(isListed)];
  const [first, second] = words.filter((word, at) => !word.startsWith("-") && !takesValue(words[at - 1] ?? "", tree));
  const noun = tree.nouns.find((one) => isCalled(one, first));
  const verb = noun ? noun.verbs.find((one) => isCalled(one, second)) : tree.verbs.find((one) => isCalled(one, first));
  const name = ["bt", noun?.name, verb?.name].filter(Boolean).join(" ");
  return {
    name,
    subject: name.replace(/^bt /, ""),
    commands: verb ? [] : (noun?.verbs ?? top),
    flags: verb ? [...verb.flags, ...flagsAround(verb)] : [],
  };
}

function isCalled({ name, aliases = [] }: Noun | Verb, word: string | undefined): boolean {
  return word !== undefined && [name, ...aliases].includes(word);
}

type Say = (text: string, place: Place, tree: CommandTree) => readonly [message: string, hint: string];

/** Message and hint by commander's error code. */
const SAID: Readonly<Record<string, Say>> = {
  "commander.unknownCommand": (text, { name, commands }, tree) => {
    const word = quotedIn(text);
    const meant = COMMAND_SYNONYMS.has(word)
      ? COMMAND_SYNONYMS.get(word)
      : (likelyMeant(word, name, tree) ?? nearCommand(word, { name, commands }));
    return [
      `unknown command "${name} ${word}"`,
      meant ? `did you mean ${meant}?` : `${name} --help lists the commands`,
    ];
  },
  "commander.unknownOption": (text, { name, subject, flags }) => {
    const word = quotedIn(text);
    const names = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
    const synonym = FLAG_SYNONYMS.get(word);
    const near = synonym ? [synonym] : nearestNames(word.replace(/^-+/, ""), names).map((one) => `--${one}`);
    return [
      `unknown flag ${word} for ${subject}`,
      near.length > 0 ? `did you mean ${near.join(" or ")}?` : `${name} --help lists the flags`,
    ];
  },
  "commander.missingArgument": (text, { name, subject }) => {
    const what = quotedIn(text).replaceAll("-", " ");
    return [`${subject} needs ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}`, `${name} --help has examples`];
  },
  "commander.excessArguments": (text, { name, subject }) => {
    const [, most = "", given = ""] = /Expected (\d+) .* got (\d+)/.exec(text) ?? [];
    const hint = most === "0" ? `${name} --help shows the arguments` : "quote text of several words";
    return [
      `${subject} takes ${most === "0" ? "no" : most} argument${most === "1" ? "" : "s"}, but got ${given}`,
      hint,
    ];
  },
  "commander.optionMissingArgument": (text, { name }) => [
    `${flagIn(text)} needs a value`,
    `${name} --help shows the flag`,
  ],
  "commander.invalidArgument": (text, { name, flags }) => {
    const [flag, value] = [flagIn(text), /argument '(.*)' is invalid/s.exec(text)?.[1] ?? ""];
    const choices = flags.find((one) => `--${one.name}` === flag)?.choices ?? [];
    return [
      `invalid value ${JSON.stringify(value)} for ${flag}`,
      suggestNames(value, choices) ?? `${name} --help shows valid values`,
    ];
  },
};

/** The most similar command. One that writes is only suggested for a single typo. */
function nearCommand(word: string, { name, commands }: Pick<Place, "name" | "commands">): string | undefined {
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
export const COMMAND_SYNONYMS: ReadonlyMap<string, string | undefined> = new Map([
  ["assign", "bt bug update -a"],
  ["resolve", "bt bug close"],
  ["comment", "bt comment add"],
  ["clone", undefined],
  ["delete", undefined],
  ["status", undefined],
]);

/** Flags of other tools and their counterpart. */
export const FLAG_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["--state", "--status"],
  ["-l", "-L"],
  ["-V", "--version"],
]);

/** Rejects help on a word that is neither a command nor a topic. */
export function checkSubject(word: string | undefined, tree: CommandTree): void {
  if (word !== undefined && Object.hasOwn(TOPICS, word))
    throw usage(`the help topic ${word} takes no flags or arguments`, `bt help ${word}`);
  const commands = [...tree.nouns, ...tree.verbs.filter(isListed)];
  const isCommand = commands.some(({ name, aliases = [] }) => name === word || aliases.includes(word ?? ""));
  if (word === undefined || word.startsWith("-") || isCommand) return;
  const subjects = [...commands.map(({ name }) => name), ...Object.keys(TOPICS)];
  throw usage(
    `no help topic ${JSON.stringify(word)}`,
    suggestNames(word, subjects) ?? `valid values: ${subjects.join(", ")}`,
  );
}
