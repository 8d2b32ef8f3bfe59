import { Option } from "commander";
import { flagsAround } from "../commands/shared-flags.ts";
import type { Argument, CommandFlag, CommandTree, Input } from "../commands/verb.ts";

/**
 * The flags that the words of a command line name; all of them when a word looks like a flag and is none, be it for help,
 * for a suggestion or as a value. Commander takes 0.03 ms for an option, and a verb may have a hundred.
 */
export function mentionedFlags(flags: readonly CommandFlag[], words: readonly string[]): readonly CommandFlag[] {
  const marks = words.filter((word) => word.startsWith("-")).map((word) => word.replace(/=.*/s, ""));
  const named = flags.filter((flag) => spellings(flag).some((spelling) => marks.includes(spelling)));
  const known = new Set(named.flatMap(spellings));
  return marks.every((mark) => known.has(mark)) ? named : flags;
}

function spellings({ name, short, aliases = [] }: CommandFlag): readonly string[] {
  return [...[name, ...aliases].map((long) => `--${long}`), ...(short ? [`-${short}`] : [])];
}

/** The commander options that a flag becomes: the listed one, and a hidden one for each further name. */
export function commanderOptions(flag: CommandFlag): readonly Option[] {
  const names = [flag.name, ...(flag.aliases ?? [])];
  return names.map((name, at) => (at === 0 ? listed(flag) : hidden(flag, name)));
}

/** Reads a verb's flags out of what commander parsed, under the flags' own names. */
export function readFlagValues(flags: readonly CommandFlag[], parsed: Record<string, unknown>): Input["flags"] {
  return Object.fromEntries(
    flags.map((flag) => [flag.name, valueGiven(flag, parsed)] as const).filter(([, value]) => value !== undefined),
  );
}

/** How a flag is written in help and usage: `-s, --status <status>`. */
export function flagSyntax(flag: CommandFlag, name = flag.name): string {
  const short = flag.short && name === flag.name ? `-${flag.short}, ` : "";
  return `${short}--${name}${flag.value ? ` ${flag.value}` : ""}`;
}

/** What a flag is for, with the other names that it goes by, as far as they are more than another form of its own. */
export function flagDescription({ name, about, aliases = [] }: CommandFlag): string {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  return others.length > 0 ? `${about}; also ${others.map((alias) => `--${alias}`).join(", ")}` : about;
}

/** Whether a word is a flag whose value is the next word. One that is not known is believed to be. */
export function takesValue(word: string, tree: CommandTree): boolean {
  const [, name, short] = /^--([^=]+)$|^-(\w)$/.exec(word) ?? [];
  if (name === undefined && short === undefined) return false;
  const verbs = [...tree.nouns.flatMap((noun) => noun.verbs), ...tree.verbs];
  const meant = verbs
    .flatMap((verb) => [...verb.flags, ...flagsAround(verb)])
    .filter((flag) =>
      name === undefined ? flag.short === short : [flag.name, ...(flag.aliases ?? [])].includes(name),
    );
  return meant.length === 0 || meant.some(({ value }) => value !== undefined);
}

/** How an argument is written in help and usage: `<bug...>`. */
export function argumentSyntax({ name, many, optional }: Argument): string {
  const inner = `${name}${many ? "..." : ""}`;
  return optional ? `[${inner}]` : `<${inner}>`;
}

function listed(flag: CommandFlag): Option {
  const option = configured(flag, new Option(flagSyntax(flag), flagDescription(flag)));
  return flag.group ? option.helpGroup(`${flag.group}:`) : option;
}

function hidden(flag: CommandFlag, name: string): Option {
  return configured(flag, new Option(flagSyntax(flag, name))).hideHelp();
}

function configured(flag: CommandFlag, option: Option): Option {
  if (flag.many) option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  if (flag.choices) option.choices([...flag.choices]);
  return option;
}

function valueGiven(flag: CommandFlag, parsed: Record<string, unknown>): string | readonly string[] | true | undefined {
  const values = [flag.name, ...(flag.aliases ?? [])].map((name) => parsed[attributeOf(name)]);
  const given = values.filter((value) => value !== undefined && value !== false);
  if (flag.name.startsWith("no-")) return values.includes(false) ? true : undefined;
  if (given.length === 0) return undefined;
  return flag.many ? given.flatMap((value) => value as readonly string[]) : (given.at(-1) as string | true);
}

function attributeOf(name: string): string {
  const positive = name.startsWith("no-") ? name.slice(3) : name;
  return positive.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
