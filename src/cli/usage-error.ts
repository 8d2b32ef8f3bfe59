import { nearestNames, suggestNames } from "../api/nearest.ts";
import type { CommandFlag } from "../command-flag.ts";
import { FLAGS_AHEAD, flagNamed } from "../commands/line.ts";
import { type CommandTree, isCalled, isListed, type Noun, type Verb } from "../commands/verb.ts";
import { type BtError, usageError } from "../errors.ts";

/** Usage error for a word such as `--labl=x`, with the edit flags of its field or the nearest names. */
export function unknownFlagError(word: string, command: string, flags: readonly CommandFlag[]): BtError {
  const flag = word.split("=", 1)[0] ?? "";
  if (flagNamed(flag, flags)) return usageError(`${flag} takes no value`, `${flag} alone turns it on`);
  if (/^-\d+$/.test(flag))
    return usageError(`unknown flag ${flag}`, `"${flag}" in double quotes is a text, -L the limit`);
  const names = flags.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const typed = flag.replace(/^-+/, "");
  const edits = names.filter((name) => [`add-${typed}`, `remove-${typed}`, `set-${typed}`].includes(name));
  const suggested = edits.length > 0 || typed.length < 2 ? edits : nearestNames(typed, names);
  const help = `${command === "bt" ? "bt" : `bt ${command}`} --help lists the flags`;
  const hint = suggestion(suggested.map((name) => `--${name}`)) ?? help;
  return usageError(`unknown flag ${flag} for ${command}`, hint);
}

/** The words as a question; undefined if there are none. */
function suggestion(words: readonly string[]): string | undefined {
  return words.length > 0 ? `did you mean ${words.join(" or ")}?` : undefined;
}

export function missingValueError(flag: string, command: string, choices: readonly string[] | undefined): BtError {
  const hint = choices ? `valid values: ${choices.join(", ")}` : `see bt ${command} --help`;
  return usageError(`${flag} needs a value`, hint);
}

export function invalidChoiceError(value: string, flag: string, choices: readonly string[]): BtError {
  const hint = suggestNames(value, choices) ?? `valid values: ${choices.join(", ")}`;
  return usageError(`invalid value ${JSON.stringify(value)} for --${flag}`, hint);
}

/** Usage error for too few or too many arguments of a command; undefined if their number is right. */
export function argumentsError(command: string, { args = [], examples }: Verb, given: readonly string[]) {
  const missing = args.slice(given.length).find(({ optional }) => !optional)?.name;
  if (missing !== undefined) {
    const hint = examples[0] && `for example: ${examples[0].line}`;
    return usageError(`${command} needs ${/^[aeio]/.test(missing) ? "an" : "a"} ${missing}`, hint);
  }
  const maximum = args.length;
  if (given.length <= maximum || args.at(-1)?.many) return undefined;
  const message = `${command} takes ${maximum || "no"} argument${maximum === 1 ? "" : "s"}, but got ${given.length}`;
  return usageError(message, `see bt ${command} --help`);
}

/** Usage error for an unknown command or a flag in its place, with the nearest names, or the nouns that have this verb. */
export function unknownCommandError(word: string, noun: Noun | undefined, tree: CommandTree): BtError {
  if (word.startsWith("-")) return unknownFlagError(word, noun?.name ?? "bt", FLAGS_AHEAD);
  const prefix = noun ? `bt ${noun.name}` : "bt";
  const commands = noun?.verbs ?? [...tree.nouns, ...tree.verbs];
  const listed = commands.filter((command) => "verbs" in command || isListed(command));
  const names = listed.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const nearest = nearestNames(word, names);
  const similar = listed.filter((command) => nearest.some((name) => isCalled(command, name)));
  const nouns = tree.nouns.filter(({ verbs }) => verbs.some((verb) => isCalled(verb, word)));
  const suggested =
    similar.length > 0 ? similar.map(({ name }) => `${prefix} ${name}`) : nouns.map(({ name }) => `bt ${name} ${word}`);
  const hint = suggestion(suggested.slice(0, MAX_SUGGESTIONS)) ?? `${prefix} --help lists the commands`;
  return usageError(`unknown command "${prefix} ${word}"`, hint);
}

const MAX_SUGGESTIONS = 3;
