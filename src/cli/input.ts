import { Command, CommanderError, Option } from "commander";
import type { SharedInput } from "../commands/input.ts";
import { argumentSyntax } from "../commands/line.ts";
import { flagsAround } from "../commands/shared/flags.ts";
import type { DRY_RUN } from "../commands/shared/write-flags.ts";
import type { Verb } from "../commands/verb.ts";
import { usage } from "../errors.ts";
import { type CommandFlag, type FlagMembers, memberName, wholeNumber } from "../session/flags.ts";
import { commanderError, invalidChoice } from "./usage-error.ts";

/** Input of any verb, in which its function finds the members of its own flags. */
export type ParsedInput = SharedInput & Partial<FlagMembers<typeof DRY_RUN>>;

/**
 * Parses the flags and arguments of a verb.
 * @throws BtError of kind usage, with the nearest valid flag, or for an invalid number
 */
export function parseVerb(name: string, verb: Verb, words: readonly string[]): ParsedInput {
  const flags = [...verb.flags, ...flagsAround(verb, false)];
  const command = new Command(name)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showSuggestionAfterError(false)
    .helpOption(false)
    .allowExcessArguments(false);
  for (const argument of verb.args ?? []) command.argument(argumentSyntax(argument));
  const valuesByFlag = new Map<CommandFlag, string[]>();
  for (const flag of flags) {
    const values: string[] = [];
    valuesByFlag.set(flag, values);
    for (const long of [flag.name, ...(flag.aliases ?? [])]) {
      command.addOption(optionOf(flag, long, name)).on(`option:${long}`, (value = "") => values.push(value));
    }
  }
  try {
    command.parse([...words], { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError
      ? commanderError(error, { name, verb, flags, words, args: command.args })
      : error;
  }
  const parameters: Record<string, unknown> = {};
  const members: Record<string, unknown> = { parameters };
  for (const [flag, values] of valuesByFlag) {
    const value = memberValue(flag, values);
    if (flag.parameter === undefined) members[memberName(flag.name)] = value;
    else if (values.length > 0) parameters[flag.name] = value;
  }
  return { args: command.args, ...members };
}

/** Option of a flag under its name or an alias. */
function optionOf({ name, short, value = "", choices }: CommandFlag, long: string, verb: string): Option {
  const option = new Option(`${short && long === name ? `-${short}, ` : ""}--${long} ${value}`);
  option.negate = false; // --no-pager is a switch of its own
  if (!choices) return option;
  return option.argParser((given: string) => {
    if (choices.includes(given)) return given;
    throw invalidChoice(given, long, choices, verb);
  });
}

/**
 * Value of a flag in an input, from the values on the line, with those of its aliases.
 * @throws BtError of kind usage for an invalid number, and for two values of a flag with a value that is written
 */
function memberValue({ name, value, many, least, group = "" }: CommandFlag, values: string[]): unknown {
  if (value === undefined) return values.length > 0;
  if (many) return values;
  const last = values.at(-1);
  const other = values.find((earlier) => earlier !== last);
  if (WRITTEN.has(group) && other !== undefined) {
    const both = `${JSON.stringify(other)} and ${JSON.stringify(last)}`;
    throw usage(`--${name} is given twice: ${both}`, "give one of them");
  }
  return last === undefined || least === undefined ? last : wholeNumber(name, last, least);
}

/** Groups of flags whose values are written, so that an earlier one would be lost; others may be overridden, as in an alias. */
const WRITTEN: ReadonlySet<string> = new Set(["Fields", "Comment", "Content", "Attachment"]);
