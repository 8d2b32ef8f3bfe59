import { Command, Option } from "commander";
import type { CommandFlag } from "../command-flag.ts";
import { inputFrom, type ParsedInput } from "../commands/input.ts";
import { flagNamed, HELP_FLAG, wordRoles } from "../commands/line.ts";
import type { Verb } from "../commands/verb.ts";
import { usageError } from "../errors.ts";
import { argumentsError, invalidChoiceError, missingValueError, unknownFlagError } from "./usage-error.ts";

/**
 * Parses the flags and arguments of a verb.
 * @throws BtError of kind usage, with the nearest valid flag, or for an invalid number
 */
export function parseVerb(name: string, verb: Verb, flags: CommandFlag[], words: readonly string[]): ParsedInput {
  const command = new Command(name).helpOption(false).allowExcessArguments();
  Object.assign(command, refusals(name, flags));
  const valuesByFlag = new Map<CommandFlag, string[]>();
  for (const flag of flags) {
    const values: string[] = [];
    valuesByFlag.set(flag, values);
    for (const long of [flag.name, ...(flag.aliases ?? [])]) {
      command.addOption(optionOf(flag, long)).on(`option:${long}`, (given = "") => {
        const value = withoutEquals(given, flag, words);
        if (flagNamed(value, [...flags, HELP_FLAG]) && words.includes(value)) throw flagAsValueError(long, value);
        values.push(value);
      });
    }
  }
  const { args } = command.parse([...words], { from: "user" });
  const refusal = argumentsError(name, verb, args);
  if (refusal && !lacksBugs(verb, args)) throw refusal;
  const isWrite = flags.some((flag) => flag.name === "dry-run");
  if (isWrite && verb.args?.[0]?.name === "bug" && !words.includes("--from-text")) checkBugs(args, words, flags);
  return { ...inputFrom(valuesByFlag, args), ...(refusal && { missing: refusal }) };
}

/** What commander calls for a flag that it does not know, and for a flag without a value. */
function refusals(name: string, flags: readonly CommandFlag[]) {
  return {
    unknownOption: (word: string) => {
      throw unknownFlagError(word, name, flags);
    },
    optionMissingArgument: ({ long = "" }: Option) => {
      throw missingValueError(long, name, flagNamed(long, flags)?.choices);
    },
  };
}

/**
 * The rest of a text without quotes, as in `44 -m fixes 45 46`, would be bugs that are changed.
 * @throws BtError of kind usage for bugs on both sides of a flag, and for a flag without its dashes
 */
function checkBugs(args: readonly string[], words: readonly string[], flags: CommandFlag[]): void {
  for (const arg of args) {
    const [name = ""] = arg.replaceAll("_", "-").split("=");
    if (flagNamed(`--${name}`, flags)) throw usageError(`${arg} is not a bug`, `did you mean --${name}?`);
  }
  const roles = wordRoles(words, flags);
  const first = roles.indexOf("other");
  const end = first + roles.filter((role) => role === "other").length;
  const stray = words.find((_, at) => at >= end && roles[at] === "other");
  if (stray === undefined) return;
  throw usageError(
    `${stray} stands apart from ${words[first]}`,
    "name the bugs together; quote a text of several words",
  );
}

/** The value of a flag: `closing` of `-m=closing`, which commander gives as `=closing`. */
function withoutEquals(value: string, { short }: CommandFlag, words: readonly string[]): string {
  const isJoined =
    value.startsWith("=") && words.some((word) => /^-\w/.test(word) && word.endsWith(`${short}${value}`));
  return isJoined ? value.slice(1) : value;
}

/** The text before a flag was forgotten: it would be lost, and the flag stored in its place. */
function flagAsValueError(flag: string, value: string) {
  return usageError(`--${flag} needs a value, but ${value} is a flag`, `for this text: --${flag}=${value}`);
}

/** True if a line lacks arguments, and all of them are bugs. */
function lacksBugs({ args = [] }: Verb, { length }: string[]): boolean {
  return (
    length < args.length &&
    args.slice(length).every(({ name, optional }) => optional || name === "bug" || name === "original")
  );
}

function optionOf({ name, short, value = "", choices }: CommandFlag, long: string): Option {
  const option = new Option(`${short && long === name ? `-${short}, ` : ""}--${long} ${value}`);
  option.negate = false; // --no-pager is a switch of its own
  if (!choices) return option;
  return option.argParser((given: string) => {
    if (choices.includes(given)) return given;
    throw invalidChoiceError(given, long, choices);
  });
}
