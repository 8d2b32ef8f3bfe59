import { nearestNames, suggestNames } from "../api/nearest.ts";
import type { CommandFlag } from "../command-flag.ts";
import { flagNamed } from "../commands/line.ts";
import { type CommandTree, isCalled, isListed, type Noun, type Verb } from "../commands/verb.ts";
import { type BtError, usageError } from "../errors.ts";

export function unknownFlagError(given: string, name: string, flags: readonly CommandFlag[]): BtError {
  const word = given.split("=", 1)[0] ?? "";
  if (flagNamed(word, flags)) return usageError(`${word} takes no value`, `${word} alone turns it on`);
  const names = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
  const bare = word.replace(/^-+/, "");
  const edits = names.filter((one) => [`add-${bare}`, `remove-${bare}`, `set-${bare}`].includes(one));
  const near = edits.length > 0 || bare.length < 2 ? edits : nearestNames(bare, names);
  const meant = near.map((one) => `--${one}`).join(" or ");
  return usageError(
    `unknown flag ${word} for ${name}`,
    meant ? `did you mean ${meant}?` : `${name === "bt" ? name : `bt ${name}`} --help lists the flags`,
  );
}

export function missingValueError(flag: string, name: string, choices: readonly string[] | undefined): BtError {
  return usageError(`${flag} needs a value`, choices ? `valid values: ${choices.join(", ")}` : `see bt ${name} --help`);
}

export function invalidChoiceError(value: string, flag: string, choices: readonly string[]): BtError {
  const hint = suggestNames(value, choices) ?? `valid values: ${choices.join(", ")}`;
  return usageError(`invalid value ${JSON.stringify(value)} for --${flag}`, hint);
}

/** Usage error for too few or too many arguments; undefined if there are enough. */
export function argumentsError(name: string, { args = [], examples }: Verb, given: readonly string[]) {
  const missing = args.slice(given.length).find(({ optional }) => !optional)?.name;
  if (missing !== undefined) {
    const hint = examples[0] && `for example: ${examples[0].line}`;
    return usageError(`${name} needs ${/^[aeio]/.test(missing) ? "an" : "a"} ${missing}`, hint);
  }
  const takes = args.length;
  if (given.length <= takes || args.at(-1)?.many) return undefined;
  return usageError(
    `${name} takes ${takes || "no"} argument${takes === 1 ? "" : "s"}, but got ${given.length}`,
    `see bt ${name} --help`,
  );
}

/** Usage error for an unknown command, with the nearest names, or the nouns that have this verb. */
export function unknownCommandError(word: string, noun: Noun | undefined, tree: CommandTree): BtError {
  const name = noun ? `bt ${noun.name}` : "bt";
  const commands = noun?.verbs ?? [...tree.nouns, ...tree.verbs];
  const homes = tree.nouns.filter(({ verbs }) => verbs.some((verb) => isCalled(verb, word)));
  const listed = commands.filter((one) => "verbs" in one || isListed(one));
  const near = nearestNames(
    word,
    listed.flatMap((one) => [one.name, ...(one.aliases ?? [])]),
  );
  const found = listed.filter((one) => near.some((other) => isCalled(one, other)));
  const meant =
    found.length > 0 ? found.map((one) => `${name} ${one.name}`) : homes.map((home) => `bt ${home.name} ${word}`);
  return usageError(
    `unknown command "${name} ${word}"`,
    meant.length > 0 ? `did you mean ${meant.slice(0, MOST_NAMED).join(" or ")}?` : `${name} --help lists the commands`,
  );
}

const MOST_NAMED = 3;
