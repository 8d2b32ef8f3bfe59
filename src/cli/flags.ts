import { Option } from "commander";
import { flagsAround } from "../commands/shared-flags.ts";
import type { Argument, CommandFlag, CommandTree, Input, Verb } from "../commands/verb.ts";
import { BtError, usage } from "../errors.ts";

/**
 * Flags that the arguments mention; all of them if one is unknown, for help and suggestions. Commander needs 0.03 ms
 * per option, and a verb may have a hundred.
 */
export function mentionedFlags(flags: readonly CommandFlag[], words: readonly string[]): readonly CommandFlag[] {
  const marks = words.filter((word) => word.startsWith("-")).map((word) => word.replace(/=.*/s, ""));
  const named = flags.filter((flag) => spellings(flag).some((spelling) => marks.includes(spelling)));
  const known = new Set(named.flatMap(spellings));
  return marks.every((mark) => known.has(mark)) ? named : flags;
}

/** Verbs that the arguments mention; all of them if there is none, for help and suggestions. */
export function mentionedVerbs(verbs: readonly Verb[], words: readonly string[]): readonly Verb[] {
  const named = verbs.filter(({ name, aliases = [] }) => [name, ...aliases].some((one) => words.includes(one)));
  return named.length > 0 ? named : verbs;
}

function spellings({ name, short, aliases = [] }: CommandFlag): readonly string[] {
  return [...[name, ...aliases].map((long) => `--${long}`), ...(short ? [`-${short}`] : [])];
}

/** Commander options of a flag: the listed one, and a hidden one per alias. */
export function commanderOptions(flag: CommandFlag): readonly Option[] {
  const names = [flag.name, ...(flag.aliases ?? [])];
  return names.map((name, at) => (at === 0 ? listed(flag) : hidden(flag, name)));
}

/** Values of a verb's flags from commander's result, by flag name. */
export function readFlagValues(flags: readonly CommandFlag[], parsed: Record<string, unknown>): Input["flags"] {
  return Object.fromEntries(
    flags.map((flag) => [flag.name, valueGiven(flag, parsed)] as const).filter(([, value]) => value !== undefined),
  );
}

/** Syntax of a flag in help: `-s, --status <status>`. */
export function flagSyntax(flag: CommandFlag, name = flag.name): string {
  const short = flag.short && name === flag.name ? `-${flag.short}, ` : "";
  return `${short}--${name}${flag.value ? ` ${flag.value}` : ""}`;
}

/** Description of a flag, with its aliases unless they are mere variants of its name. */
export function flagDescription({ name, about, aliases = [] }: CommandFlag): string {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  return others.length > 0 ? `${about}; also ${others.map((alias) => `--${alias}`).join(", ")}` : about;
}

/** True if the next word is this flag's value. Unknown flags are assumed to take one. */
export function takesValue(word: string, tree: CommandTree): boolean {
  const [, name, short] = /^--([^=]+)$|^-(\w)$/.exec(word) ?? [];
  if (name === undefined && short === undefined) return false;
  const verbs = [...tree.nouns.flatMap((noun) => noun.verbs), ...tree.verbs];
  const meant = verbs
    .flatMap((verb) => [...verb.flags, ...flagsAround(verb, false)])
    .filter((flag) =>
      name === undefined ? flag.short === short : [flag.name, ...(flag.aliases ?? [])].includes(name),
    );
  return meant.length === 0 || meant.some(({ value }) => value !== undefined);
}

/** Syntax of an argument in help: `<bug...>`. */
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

/**
 * Rejects arguments that must not be processed: API keys, which other users can see, and invalid UTF-8.
 * @throws BtError of kind usage
 */
export function checkWords(argv: readonly string[]): void {
  for (const word of argv) {
    const [flag] = KEY_FLAG.exec(word.toLowerCase()) ?? [];
    if (flag !== undefined) throw keyInSight(word.slice(0, flag.length));
    if (word.includes("\ufffd")) throw notText(word);
  }
}

const KEY_FLAG = /^--(?:bugzilla[-_])?(?:api[-_]?key|api[-_]?token|token|key)(?==|$)/; // V8 takes 0.1 ms to begin with /i

function keyInSight(flag: string): BtError {
  return new BtError("usage", `${flag} is not supported: command lines are visible to other users of this machine`, {
    details: ["the key is now in your shell history; consider creating a new one"],
    hint: 'use bt auth login, --api-key-file FILE ("-" for stdin) or BT_API_KEY',
    changed: "nothing",
  });
}

/** Node replaces every invalid byte by U+FFFD, which would be sent. */
function notText(word: string): BtError {
  const at = Buffer.byteLength(word.slice(0, word.indexOf("\ufffd")));
  return usage(
    `the argument ${JSON.stringify(word)} is not UTF-8 at byte ${at}`,
    "use UTF-8, or read the text from a file",
  );
}
