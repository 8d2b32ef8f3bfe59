import { Command, CommanderError, Option } from "commander";
import { argumentSyntax } from "../commands/line.ts";
import { flagsAround } from "../commands/shared-flags.ts";
import type { CommandFlag, Input, Verb } from "../commands/verb.ts";
import { explainCommanderError } from "./usage-error.ts";

/**
 * Parses the flags and arguments of a verb.
 * @throws BtError of kind usage, with the nearest valid flag
 */
export function parseVerb(name: string, verb: Verb, words: readonly string[]): Input {
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
  return { args: command.args, flags: readFlagValues(flags, command.opts()) };
}

/** Options of a flag, one for each of its names. */
function optionsOf(flag: CommandFlag): readonly Option[] {
  return [flag.name, ...(flag.aliases ?? [])].map((name) => {
    const short = flag.short && name === flag.name ? `-${flag.short}, ` : "";
    const option = new Option(`${short}--${name}${flag.value ? ` ${flag.value}` : ""}`);
    option.negate = false; // --no-pager is a switch of its own
    if (flag.many) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    if (flag.choices) option.choices([...flag.choices]);
    return option;
  });
}

/** Values of a verb's flags from commander's result, by flag name. */
function readFlagValues(flags: readonly CommandFlag[], parsed: Record<string, unknown>): Input["flags"] {
  return Object.fromEntries(
    flags.map((flag) => [flag.name, valueGiven(flag, parsed)] as const).filter(([, value]) => value !== undefined),
  );
}

function valueGiven(flag: CommandFlag, parsed: Record<string, unknown>): string | readonly string[] | true | undefined {
  const values = [flag.name, ...(flag.aliases ?? [])].map((name) => parsed[attributeOf(name)]);
  const given = values.filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  return flag.many ? given.flatMap((value) => value as readonly string[]) : (given.at(-1) as string | true);
}

function attributeOf(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
