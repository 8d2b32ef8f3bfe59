import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suggestNames } from "../../api/nearest.ts";
import { type CommandFlag, memberName } from "../../command-flag.ts";
import { usageError } from "../../errors.ts";
import { COMMON_FLAGS, type SessionFlags, TRACKER_FLAGS } from "../../session/flags.ts";
import type { SharedInput } from "../input.ts";
import { commandOn, flagNamed, withoutFlags, wordRoles } from "../line.ts";
import { listedFlags } from "../shared/flags.ts";
import {
  type CommandTree,
  type Context,
  columnNames,
  HELP_TOPICS,
  isListed,
  type Verb,
  type VerbFunction,
} from "../verb.ts";
import { type Candidate, candidates, candidatesFrom, SHELLS } from "./sources.ts";

/** `bt completion`: prints the script of a shell. */
export async function printCompletionScript(input: SharedInput, context: Context): Promise<void> {
  const [shell = ""] = input.args;
  const file = SHELLS.get(shell);
  if (file !== undefined) return context.io.out(readFileSync(join(SCRIPTS, file), "utf8"));
  throw usageError(`no completion script for ${JSON.stringify(shell)}`, suggestNames(shell, [...SHELLS.keys()]));
}

/** The scripts of the package, whether from the sources or from its chunks. */
const SCRIPTS = join(import.meta.dirname.replace(/src[\\/]commands[\\/]completion$/, "dist"), "../completions");

/** `bt complete`: prints a candidate per line, a tab and its description; `:files` for a file. */
export function wordCompletion(tree: CommandTree): VerbFunction {
  return async ({ args }, context) => {
    const found = await completeWord(args, tree, context);
    if (found.files) return context.io.out(":files\n");
    const typable = found.candidates.filter(({ text }) => !/\p{C}/u.test(text)); // a shell would print control characters
    await context.io.out(typable.map(({ text, about }) => `${text}\t${about.replace(/\s+/g, " ")}\n`).join(""));
  };
}

/** Completions of a word: candidates, or file names. */
type Completion = { readonly candidates: readonly Candidate[]; readonly files: boolean };

/** Completions of the last of the words after `bt`. */
async function completeWord(words: readonly string[], tree: CommandTree, context: Context): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const isFirst = before.length === 0;
  if (before[0] === "help") {
    const topics = before.length === 1 ? candidates(Object.entries(HELP_TOPICS)) : [];
    return startingWith(last, [...commandsAfter(before.slice(1), tree), ...topics]);
  }
  const { verb, rest } = commandOn(before, tree);
  const flags = flagsOf(verb);
  const line = { before, verb, flags, args: withoutFlags([...rest], flags), context };
  const open = flagNamed(before.at(-1), flags);
  if (open?.value !== undefined) return completeValue(open, last, line);
  const { glue, flag, value } = gluedFlag(last, flags);
  if (flag) return withPrefix(glue, await completeValue(flag, value, line));
  if (last.startsWith("-")) {
    const listed = [...flags, { name: "help", about: "show help" }];
    return startingWith(last, candidates(listed.map(({ name, about }) => [`--${name}`, about])));
  }
  if (verb) return completeArgument(verb, last, line);
  const aliases = isFirst ? await candidatesFrom("aliases", { start: last, ...line, products: [] }) : [];
  return startingWith(last, [...commandsAfter(before, tree), ...(isFirst ? [HELP] : []), ...aliases]);
}

const HELP: Candidate = { text: "help", about: "Show help on a command or a topic." };

/** What stands before the completed word. */
type Line = {
  readonly before: readonly string[];
  readonly verb: Verb | undefined;
  readonly flags: readonly CommandFlag[]; // of the verb
  readonly args: readonly string[];
  readonly context: Context;
};

function flagsOf(verb: Verb | undefined): CommandFlag[] {
  return verb ? listedFlags(verb) : [...TRACKER_FLAGS, ...COMMON_FLAGS];
}

/** The nouns or verbs that may follow these words. */
function commandsAfter(words: readonly string[], tree: CommandTree): Candidate[] {
  const { noun, verb, unknown } = commandOn(words, tree);
  if (verb || unknown) return [];
  const commands = noun?.verbs ?? [...tree.nouns, ...tree.verbs];
  const listed = commands.filter((command) => "verbs" in command || isListed(command));
  return candidates(listed.map(({ name, about }) => [name, about]));
}

/** The flag in `--status=open`, with the text before the value, and the value. */
function gluedFlag(word: string, flags: readonly CommandFlag[]) {
  const [, name = "", value = ""] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
  const flag = flagNamed(name === "--json" ? "--fields" : name, flags);
  return { glue: `${name}=`, flag: flag?.value === undefined ? undefined : flag, value };
}

async function completeArgument(verb: Verb, last: string, line: Line): Promise<Completion> {
  const final = verb.args?.at(-1);
  const argument = verb.args?.[line.args.length] ?? (final?.many ? final : undefined);
  const { name = "", completes = SOURCE_OF_ARGUMENT[name] } = argument ?? {};
  return completeFrom({ source: completes, isList: ["bug", "value"].includes(name) }, last, line);
}

/** Sources of arguments that are named for what they are. */
const SOURCE_OF_ARGUMENT: Readonly<Record<string, string>> = {
  bug: "bugs",
  original: "bugs",
};

async function completeValue(flag: CommandFlag, last: string, line: Line): Promise<Completion> {
  const { name, completes = "", choices, many = false } = flag;
  const output = name === "fields" ? line.verb?.output : undefined;
  const names = output && output !== "bugs" ? await columnNames(output) : undefined; // bugs have the fields of the tracker
  const isList = many || LISTS_OF_NAMES.has(completes);
  return completeFrom({ source: completes, choices: choices ?? names, isList }, last, line);
}

const LISTS_OF_NAMES: ReadonlySet<string> = new Set(["field names", "printed fields", "sort keys"]);

type Wanted = {
  readonly source: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly isList: boolean; // separated by commas
};

/** Completions of a value, or of the last one of a list; a sign such as + before it is kept. */
async function completeFrom({ source = "", choices, isList }: Wanted, last: string, line: Line): Promise<Completion> {
  if (source === "file") return { candidates: [], files: true };
  const cut = isList ? last.lastIndexOf(",") + 1 : 0;
  const sign = isList ? (/^[-+=!]?/.exec(last.slice(cut))?.[0] ?? "") : "";
  const head = last.slice(0, cut + sign.length);
  const start = last.slice(head.length);
  const place = { start, ...line, products: productsOn(line) };
  return withPrefix(head, startingWith(start, choices ? candidates(choices) : await candidatesFrom(source, place)));
}

/** Products named by `--product`. */
function productsOn({ before, flags }: Line): readonly string[] {
  const given = flagsOnLine(before, flags).filter(([{ name }]) => name === "product");
  return given.flatMap(([, names]) => names.split(","));
}

/** Flags that determine tracker and account, as the completed verb would receive them. */
export async function readTrackerFlags(input: SharedInput, { tree }: { tree: CommandTree }): Promise<SessionFlags> {
  const before = input.args.slice(0, -1);
  const given = flagsOnLine(before, flagsOf(commandOn(before, tree).verb)).filter(([{ name }]) => ACCOUNT.has(name));
  const members = given.map(([{ name, value }, text]) => [memberName(name), value === undefined ? true : text]);
  return { ...input, ...Object.fromEntries(members) };
}

const ACCOUNT: ReadonlySet<string> = new Set(["base-url", "profile", "api-key-file", "insecure-files", "offline"]);

/** Flags with their values: `-P work`, `--profile=work`; "" for a switch. */
function flagsOnLine(words: readonly string[], flags: readonly CommandFlag[]): [CommandFlag, string][] {
  const roles = wordRoles(words, flags);
  return words.flatMap((word, at): [CommandFlag, string][] => {
    if (roles[at] !== "flag") return [];
    const { flag: glued, value } = gluedFlag(word, flags);
    const flag = glued ?? flagNamed(word, flags);
    return flag ? [[flag, glued ? value : (words[at + 1] ?? "")]] : [];
  });
}

function startingWith(start: string, found: readonly Candidate[]): Completion {
  const wanted = start.toLowerCase();
  return { candidates: found.filter(({ text }) => text.toLowerCase().startsWith(wanted)), files: false };
}

function withPrefix(prefix: string, completion: Completion): Completion {
  return { ...completion, candidates: completion.candidates.map((one) => ({ ...one, text: `${prefix}${one.text}` })) };
}
