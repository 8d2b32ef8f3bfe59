import { type CommandFlag, memberName } from "../../command-flag.ts";
import type { SessionFlags } from "../../session/flags.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../../session/flags.ts";
import { columnNames } from "../columns.ts";
import type { SharedInput } from "../input.ts";
import { type CommandOnLine, commandOn, type FlagOnLine, flagNamed, flagsOnLine, plainWords } from "../line.ts";
import { listedFlags } from "../shared/flags.ts";
import { type Argument, type CommandTree, type Context, isListed, type Verb } from "../verb.ts";
import { type Candidate, candidatesFrom, type Place } from "./sources.ts";

/** Completions of a word: candidates, or file names. */
export type Completion = { readonly candidates: readonly Candidate[]; readonly files: boolean };

/** Completions of the last of the words after `bt`. */
export async function completeWord(words: readonly string[], tree: CommandTree, context: Context): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  if (before[0] === "help") return completeHelp(before.slice(1), last, tree, context);
  const command = commandOn(before, tree);
  const { verb } = command;
  const flags = flagsFor(verb);
  const line = { before, last, flags, verb, rest: command.rest, context };
  const open = flagNamed(before.at(-1), flags);
  if (open?.value !== undefined) return completeValue(open, last, line);
  const [glue, flag, value] = gluedFlag(last, flags);
  if (flag) return prefixedCompletion(await completeValue(flag, value, line), glue);
  if (last.startsWith("-") && !NEGATED_TERM.test(last)) return startingWith(last, flagCandidates(flags));
  if (verb) return completeArgument(verb, line);
  const level = verbsAfter(command, tree);
  if (before.length > 0) return startingWith(last, level);
  const aliases = await candidatesFrom("aliases", nowhere(last), context);
  return startingWith(last, [...level, HELP, ...aliases]);
}

const HELP: Candidate = { text: "help", about: "Show help on a command or a topic." };
const NEGATED_TERM = /^-[a-z][\w.]*:/i;

type Line = {
  readonly before: readonly string[];
  readonly last: string;
  readonly flags: readonly CommandFlag[];
  readonly verb: Verb | undefined;
  readonly rest: readonly string[];
  readonly context: Context;
};

/** The nouns or verbs that may follow. */
function verbsAfter({ noun, verb, unknown }: CommandOnLine, { nouns, verbs }: CommandTree): Candidate[] {
  if (verb || unknown) return [];
  const commands = noun?.verbs ?? [...nouns, ...verbs];
  return commands
    .filter((command) => "verbs" in command || isListed(command))
    .map(({ name, about }) => ({ text: name, about }));
}

function flagsFor(verb: Verb | undefined): CommandFlag[] {
  return verb ? listedFlags(verb) : [...TRACKER_FLAGS, ...COMMON_FLAGS];
}

/** Commands and topics after `bt help`. */
async function completeHelp(before: string[], last: string, tree: CommandTree, context: Context): Promise<Completion> {
  const level = verbsAfter(commandOn(before, tree), tree);
  const topics = before.length === 0 ? await candidatesFrom("help topics", nowhere(last), context) : [];
  return startingWith(last, [...level, ...topics]);
}

/** A word that no verb is before. */
function nowhere(start: string): Place {
  return { start, args: [], products: [] };
}

/** The flag that is glued to its value in `--status=open` or `-sopen`, and the text before the value. */
function gluedFlag(word: string, flags: CommandFlag[]): [glue: string, flag: CommandFlag | undefined, value: string] {
  const [, name = "", sign = "", value = ""] = /^(--[a-z0-9-]+|-[a-zA-Z](?!$))(=?)(.*)$/s.exec(word) ?? [];
  const isLong = name.startsWith("--");
  const isGlued = isLong ? sign !== "" : name !== "" && !NEGATED_TERM.test(word);
  const flag = isGlued ? flagNamed(name === "--json" ? "--fields" : name, flags) : undefined; // which it stands for with a value
  return [`${name}${sign}`, flag?.value === undefined ? undefined : flag, value];
}

/** Completions of a positional argument. */
async function completeArgument(verb: Verb, line: Line): Promise<Completion> {
  const args = plainWords(line.rest, line.flags);
  const final = verb.args?.at(-1);
  const argument = verb.args?.[args.length] ?? (final?.many ? final : undefined);
  if (argument?.completes === "file") return FILES;
  const source = argument?.completes ?? (argument && SOURCE_OF_ARGUMENT[argument.name]);
  if (source === "terms") return startingWith(line.last, await wordsOfKind(source, line.last, line));
  return completeList({ source, many: LISTED.has(argument?.name ?? "") }, line.last, line);
}

const FILES: Completion = { candidates: [], files: true };

/** Sources of arguments that are named for what they are. */
const SOURCE_OF_ARGUMENT: Readonly<Record<Argument["name"], string>> = {
  bug: "bugs",
  original: "bugs",
  term: "terms",
  user: "people",
  value: "setting values",
};

/** Arguments whose values may be separated by commas. */
const LISTED: ReadonlySet<string> = new Set(["bug", "value"]);

async function completeValue(flag: CommandFlag, last: string, line: Line): Promise<Completion> {
  if (flag.completes === "file") return FILES;
  const [assigned = "", field] = flag.completes === "custom fields" ? (/^([^=]+)=/.exec(last) ?? []) : [];
  if (field !== undefined) {
    const values = await completeList({ source: field, many: true }, last.slice(assigned.length), line);
    return prefixedCompletion(values, assigned);
  }
  const many = flag.many === true || LISTS_OF_NAMES.has(flag.completes ?? "");
  const choices = flag.choices ?? (flag.name === "fields" ? await outputColumns(line.verb) : undefined);
  return completeList({ source: flag.completes, choices, many }, last, line);
}

/** The columns of a verb; undefined for bugs, which have all fields of the tracker. */
async function outputColumns(verb: Verb | undefined): Promise<readonly string[] | undefined> {
  return verb?.output && verb.output !== "bugs" ? columnNames(verb.output) : undefined;
}

const LISTS_OF_NAMES: ReadonlySet<string> = new Set(["field names", "printed fields", "sort keys"]);

type Wanted = {
  source: string | undefined;
  readonly choices?: readonly string[] | undefined;
  many: boolean;
};

/** Completions of a value, or of the last one of a list; a sign such as + before it is kept. */
async function completeList({ source, choices, many }: Wanted, last: string, line: Line): Promise<Completion> {
  const cut = many ? last.lastIndexOf(",") + 1 : 0;
  const sign = many ? (/^[-+=!]?/.exec(last.slice(cut))?.[0] ?? "") : "";
  const head = last.slice(0, cut + sign.length);
  const start = last.slice(head.length);
  const values = choices?.map((text) => ({ text, about: "" })) ?? (await wordsOfKind(source, start, line));
  return prefixedCompletion(startingWith(start, values), head);
}

async function wordsOfKind(source: string | undefined, start: string, line: Line): Promise<readonly Candidate[]> {
  if (source === undefined) return [];
  const args = line.verb ? plainWords(line.rest, line.flags) : [];
  return candidatesFrom(source, { start, verb: line.verb, args, products: productsOn(line, args) }, line.context);
}

/** Products named by `--product` or by a term such as `product:Lantern`. */
function productsOn({ before, flags }: Line, args: string[]): readonly string[] {
  const given = flagsOnLine(before, flags).flatMap(({ flag, value }: FlagOnLine) =>
    flag.name === "product" ? [value] : [],
  );
  const terms = args.flatMap((word) => /^product[:=](.+)$/i.exec(word)?.[1] ?? []);
  return [...given, ...terms].flatMap((names) => names.split(","));
}

/** Flags that determine tracker and account, as the completed verb would receive them. */
export async function readTrackerFlags(input: SharedInput, { tree }: { tree: CommandTree }): Promise<SessionFlags> {
  const before = input.args.slice(0, -1);
  const { verb } = commandOn(before, tree);
  const given = flagsOnLine(before, flagsFor(verb)).filter(({ flag }) => ACCOUNT_FLAGS.has(flag.name));
  return {
    ...input,
    ...Object.fromEntries(
      given.map(({ flag, value }) => [memberName(flag.name), flag.value === undefined ? true : value]),
    ),
  };
}

const ACCOUNT_FLAGS: ReadonlySet<string> = new Set([
  "base-url",
  "profile",
  "api-key-file",
  "insecure-files",
  "offline",
]);

function flagCandidates(flags: CommandFlag[]): Candidate[] {
  return [...flags, { name: "help", about: "show help" }].map((flag) => ({
    text: `--${flag.name}`,
    about: flag.about,
  }));
}

function startingWith(start: string, candidates: readonly Candidate[]): Completion {
  const wanted = start.toLowerCase();
  return { candidates: candidates.filter(({ text }) => text.toLowerCase().startsWith(wanted)), files: false };
}

function prefixedCompletion(completion: Completion, prefix: string): Completion {
  const candidates = completion.candidates.map(({ text, about }) => ({ text: `${prefix}${text}`, about }));
  return { ...completion, candidates };
}
