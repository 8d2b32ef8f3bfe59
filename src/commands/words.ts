import { Command, Option } from "commander";
import type { CommandFlag } from "../command-flag.ts";

/** A part of a line: a flag with its value, an argument, an unknown flag, or an argument behind `--` ("literal"). */
export type Word = FlagWord | OtherWord;

export type OtherWord = { readonly kind: "argument" | "unknown" | "literal"; readonly text: string };

export type FlagWord = {
  readonly kind: "flag";
  readonly flag: CommandFlag;
  readonly name: string; // as typed, in full
  readonly value: string | undefined;
  readonly isApart: boolean; // the value is the next word
};

/** Reads the flags and arguments of a line; `-product:Harbor` is the negated term `!product:Harbor`. */
export function readWords(line: readonly string[], flags: readonly CommandFlag[]): Word[] {
  const words: Word[] = [];
  const rest = [...line];
  let word = rest.shift();
  const parser = flagParser(flags, (flag, name, joined) => {
    const isApart = flag.value !== undefined && joined === undefined;
    const ownValue = word?.startsWith("--") ? joined : joined?.replace(/^=/, ""); // `-m=text` is `-m text`
    words.push({ kind: "flag", flag, name, value: isApart ? rest.shift() : ownValue, isApart });
  });
  for (; word !== undefined; word = rest.shift()) {
    if (word === "--") return [...words, ...rest.map((text): Word => ({ kind: "literal", text }))];
    if (NEGATED_TERM.test(word)) words.push({ kind: "argument", text: `!${word.slice(1)}` });
    else if (word === "-" || !word.startsWith("-")) words.push({ kind: "argument", text: word });
    else if (Object.values(parser.parseOptions([word])).flat().length > 0) words.push({ kind: "unknown", text: word });
  }
  return words;
}

/** Receives a flag, its name as typed, and the value in the same word. */
type FlagListener = (flag: CommandFlag, name: string, joined: string | undefined) => void;

/** A parser of one word at a time, which may be a cluster of short flags; it is no error if a value is not in the word. */
function flagParser(flags: readonly CommandFlag[], listener: FlagListener): Command {
  const command = new Command().helpOption(false).combineFlagAndOptionalValue(false); // `-hv` is `-h -v`
  Object.assign(command, { optionMissingArgument: () => undefined });
  for (const flag of flags) {
    for (const name of [flag.name, ...(flag.aliases ?? [])]) {
      const onOption = (joined?: string | null) => listener(flag, name, joined ?? undefined);
      command.addOption(optionOf(flag, name)).on(`option:${name}`, onOption);
    }
  }
  return command;
}

/** The option of a flag's name, with its short form, or of an alias. */
function optionOf(flag: CommandFlag, name: string): Option {
  const short = flag.short && name === flag.name ? `-${flag.short}, ` : "";
  const option = new Option(`${short}--${name}${flag.value ? " <value>" : ""}`);
  option.negate = false; // --no-pager is a switch of its own
  option.optional = WITH_OPTIONAL_VALUE.has(flag.name);
  return option;
}

/** Switches that may have a value behind a `=`. */
const WITH_OPTIONAL_VALUE: ReadonlySet<string> = new Set(["json", "help"]);

/** A negated search term rather than a cluster of short flags. */
const NEGATED_TERM = /^-[a-zA-Z][\w.]+[:=~<>^$]/;
