import { Command, CommanderError, Option } from "commander";
import type { CommandFlag } from "../command-flag.ts";
import { inputFrom, type ParsedInput } from "../commands/input.ts";
import { argumentSyntax, flagNamed, HELP_FLAG } from "../commands/line.ts";
import { shellWord } from "../commands/shared/shell-word.ts";
import type { Verb } from "../commands/verb.ts";
import { usageError } from "../errors.ts";
import { checkValuesAmongBugs, commanderError, invalidChoiceError, lineIfNoBug } from "./usage-error.ts";

/**
 * Parses the flags and arguments of a verb.
 * @throws BtError of kind usage, with the nearest valid flag, or for an invalid number
 */
export function parseVerb(name: string, verb: Verb, flags: CommandFlag[], words: readonly string[]): ParsedInput {
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
      command.addOption(optionOf(flag, long, name)).on(`option:${long}`, (given = "") => {
        const value = withoutEquals(given, flag, words);
        if (flagNamed(value, [...flags, HELP_FLAG]) && words.includes(value)) throw flagAsValueError(long, value);
        if (values.push(value) > 1) checkRepeated(flag, long);
      });
    }
  }
  try {
    command.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const { args } = command;
    const refusal = commanderError(error, { name, verb, flags, words, args });
    if (error.code !== "commander.missingArgument" || !lacksBugs(verb, args)) throw refusal;
    return { ...inputFrom(valuesByFlag, args), missing: refusal };
  }
  const { args } = command;
  if (args.length < 2) return inputFrom(valuesByFlag, args);
  const isOfBugs = namesOnlyBugs(verb);
  const meant = isOfBugs ? lineIfNoBug({ name, verb, flags, words, args }) : undefined;
  checkUnsplitText(flags, words, args, meant);
  if (isOfBugs) checkValuesAmongBugs({ name, verb, flags, words, args });
  return { ...inputFrom(valuesByFlag, args), meant };
}

/** The value of a flag: `closing` of `-m=closing`, which commander gives as `=closing`. */
function withoutEquals(value: string, { short }: CommandFlag, words: readonly string[]): string {
  const isJoined =
    value.startsWith("=") && words.some((word) => /^-\w/.test(word) && word.endsWith(`${short}${value}`));
  return isJoined ? value.slice(1) : value;
}

/** @throws BtError of kind usage for a second time since which bugs were created or changed: one would be dropped without a word */
function checkRepeated({ parameter = "", aliases = [] }: CommandFlag, long: string): void {
  if (!SINCE.has(parameter)) return;
  throw usageError(`--${long} cannot be repeated`, `a period: '${aliases[0]}:2026-11-01..2026-11-20'`);
}

const SINCE: ReadonlySet<string> = new Set(["creation_time", "last_change_time"]);

/**
 * A text without quotes, as in `44 -m fixes 45 46` and `44 -m not now`, would be its first word, of all these bugs.
 * @throws BtError of kind usage for a word as text that stands between bugs
 */
function checkUnsplitText(flags: CommandFlag[], words: readonly string[], args: string[], meant?: string[]): void {
  for (const [at, word] of words.entries()) {
    const [text = "", next = ""] = words.slice(at + 1);
    if (flagNamed(word, flags)?.value !== "<text>" || /\s/.test(text) || at === 0) continue;
    const rest = args.slice(args.indexOf(next));
    if (!args.includes(words[at - 1] ?? "") || !args.includes(next)) continue;
    if (!meant?.includes([text, ...rest].join(" ")) && !rest.every((one) => /^\d+$/.test(one))) continue;
    const whole = shellWord([text, ...rest].join(" "));
    throw usageError(
      `${word} ${text} stands between bugs`,
      `quote a text of several words: ${word} ${whole}; else name the bugs first`,
      meant,
    );
  }
}

/** The text before a flag was forgotten: it would be lost, and the flag stored in its place. */
function flagAsValueError(flag: string, value: string) {
  return usageError(`--${flag} needs a value, but ${value} is a flag`, `for this text: --${flag}=${value}`);
}

/** False for a verb that also takes files, whose names may be any text. */
function namesOnlyBugs({ args: [first, second] = [] }: Verb): boolean {
  return first?.name === "bug" && second?.completes !== "file";
}

/** True if all arguments that a line lacks are bugs. */
function lacksBugs({ args = [] }: Verb, { length }: string[]): boolean {
  return args.slice(length).every(({ name, optional }) => optional || name === "bug" || name === "original");
}

/** Option of a flag under its name or an alias. */
function optionOf({ name, short, value = "", choices }: CommandFlag, long: string, verb: string): Option {
  const option = new Option(`${short && long === name ? `-${short}, ` : ""}--${long} ${value}`);
  option.negate = false; // --no-pager is a switch of its own
  if (!choices) return option;
  return option.argParser((given: string) => {
    if (choices.includes(given)) return given;
    throw invalidChoiceError(given, long, choices, verb);
  });
}
