import { Command, CommanderError, Option } from "commander";
import type { SharedInput } from "../commands/input.ts";
import { argumentSyntax } from "../commands/line.ts";
import { flagsAround } from "../commands/shared/flags.ts";
import type { DRY_RUN } from "../commands/shared/write-flags.ts";
import type { Verb } from "../commands/verb.ts";
import { usage } from "../errors.ts";
import { type CommandFlag, type FlagMembers, memberName, wholeNumber } from "../session/flags.ts";
import { explainCommanderError } from "./usage-error.ts";

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
  for (const flag of flags) for (const option of optionsOf(flag)) command.addOption(option);
  try {
    command.parse([...words], { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? explainCommanderError(error, name, flags, words) : error;
  }
  return { args: command.args, ...membersOf(flags, command.opts()) };
}

/** Options of a flag, one for each of its names. */
function optionsOf(flag: CommandFlag): Option[] {
  return [flag.name, ...(flag.aliases ?? [])].map((name) => {
    const short = flag.short && name === flag.name ? `-${flag.short}, ` : "";
    const option = new Option(`${short}--${name}${flag.value ? ` ${flag.value}` : ""}`);
    option.negate = false; // --no-pager is a switch of its own
    if (flag.many) option.argParser((value: string, before: string[] = []) => [...before, value]);
    if (flag.choices) option.choices([...flag.choices]);
    else if (holdsOneValue(flag)) option.argParser((value: string, before?: string) => oneOf(name, before, value));
    return option;
  });
}

/** True for a flag with one value that is written, of which an earlier one would be lost; others may be overridden, as in an alias. */
function holdsOneValue({ value, many, group = "" }: CommandFlag): boolean {
  return value !== undefined && !many && WRITTEN.has(group);
}

const WRITTEN: ReadonlySet<string> = new Set(["Fields", "Comment", "Content", "Attachment"]);

/** @throws BtError of kind usage for two values of a flag that takes one */
function oneOf(name: string, before: string | undefined, value: string): string {
  if (before === undefined || before === value) return value;
  throw usage(`--${name} is given twice: ${JSON.stringify(before)} and ${JSON.stringify(value)}`, "give one of them");
}

/** Members of an input: parameters by the names of their flags, others by those of `memberName`. */
function membersOf(flags: CommandFlag[], parsed: Record<string, unknown>): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  const parameters: Record<string, unknown> = {};
  for (const flag of flags) {
    const value = valueGiven(flag, parsed);
    const typed =
      flag.least === undefined || value === undefined ? value : wholeNumber(flag.name, String(value), flag.least);
    if (flag.parameter === undefined) members[memberName(flag.name)] = typed ?? absentValue(flag);
    else if (value !== undefined) parameters[flag.name] = typed;
  }
  return { ...members, parameters };
}

function absentValue({ value, many }: CommandFlag): false | string[] | undefined {
  if (value === undefined) return false;
  return many ? [] : undefined;
}

type GivenValue = string | string[] | true;

function valueGiven(flag: CommandFlag, parsed: Record<string, unknown>): GivenValue | undefined {
  const values = [flag.name, ...(flag.aliases ?? [])].map((name) => parsed[memberName(name)]);
  const given = values.filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  if (flag.many) return given.flatMap((value) => value as string[]);
  if (holdsOneValue(flag)) given.map(String).reduce((before, value) => oneOf(flag.name, before, value));
  return given.at(-1) as string | true;
}
