import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CatalogField, findField, isSettable, legalValues } from "../../api/catalog/catalog.ts";
import { hasIgnoringCase } from "../../api/lists.ts";
import { suggestNames } from "../../api/nearest.ts";
import { STATE_NAMES } from "../../api/query/resolve.ts";
import { type CommandFlag, memberName } from "../../command-flag.ts";
import { readSettings, SETTINGS, savedReplies } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import { listMirrorNames } from "../../mirror/files.ts";
import { COMMON_FLAGS, type SessionFlags, TRACKER_FLAGS } from "../../session/flags.ts";
import { readRecentBugs } from "../../session/memory.ts";
import type { SharedInput } from "../input.ts";
import { commandOn, flagNamed, HELP_FLAG } from "../line.ts";
import { listedFlags } from "../shared/flags.ts";
import { selectableNames } from "../shared/output/field-selection.ts";
import {
  type CommandTree,
  type Context,
  columnNames,
  HELP_TOPICS,
  isListed,
  type Verb,
  type VerbFunction,
} from "../verb.ts";
import { readWords, type Word } from "../words.ts";

/** The files of completions/ by shell; each calls `bt complete`, so that it needs no update. */
export const SHELLS: ReadonlyMap<string, string> = new Map([
  ["bash", "bt.bash"],
  ["zsh", "_bt"],
  ["fish", "bt.fish"],
]);

/** `bt completion`: prints the script of a shell. */
export async function printCompletionScript(input: SharedInput, context: Context): Promise<void> {
  const [shell = ""] = input.args;
  const file = SHELLS.get(shell);
  if (file !== undefined) return context.io.out(readFileSync(join(SCRIPTS, file), "utf8"));
  throw usageError(`no completion script for ${JSON.stringify(shell)}`, suggestNames(shell, [...SHELLS.keys()]));
}

/** The scripts of the package, whether from the sources or from its chunks. */
const SCRIPTS = join(import.meta.dirname.replace(/src[\\/]commands[\\/]completion$/, "dist"), "../completions");

type Candidate = readonly [text: string, about: string];

/** `bt complete`: prints a candidate per line, a tab and its description; `:files` for a file. */
export function wordCompletion(tree: CommandTree): VerbFunction {
  return async ({ args }, context) => {
    const found = await completeWord(args, tree, context);
    if (found === undefined) return context.io.out(":files\n");
    const typable = found.filter(([text]) => !/\p{C}/u.test(text)); // a shell would print control characters
    await context.io.out(typable.map(([text, about]) => `${text}\t${about.replace(/\s+/g, " ")}\n`).join(""));
  };
}

/** Candidates; undefined where the name of a file is completed. */
type Completion = readonly Candidate[] | undefined;

/** Completions of the last of the words after `bt`. */
async function completeWord(words: readonly string[], tree: CommandTree, context: Context): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  if (before[0] === "help") {
    const topics = before.length === 1 ? Object.entries(HELP_TOPICS) : [];
    return startingWith(last, [...commandsAfter(before.slice(1), tree), ...topics]);
  }
  const { verb, flags, words: parsed } = readLine(before, tree);
  const line = { verb, words: parsed, context };
  const previous = parsed.at(-1);
  const lacksValue = previous?.kind === "flag" && previous.flag.value !== undefined && previous.value === undefined;
  if (lacksValue) return completeValue(previous.flag, last, line);
  const { prefix, flag, value } = splitFlagAndValue(last, flags);
  if (flag) return withPrefix(prefix, await completeValue(flag, value, line));
  if (last.startsWith("-")) {
    const flagNames = [...flags, HELP_FLAG].map(({ name, about }) => [`--${name}`, about] as const);
    return startingWith(last, flagNames);
  }
  if (verb) return completeArgument(verb, last, line);
  const commands = commandsAfter(before, tree);
  if (before.length > 0) return startingWith(last, commands);
  return startingWith(last, [...commands, HELP, ...((await candidatesFrom("aliases", line)) ?? [])]);
}

const HELP: Candidate = ["help", "Show help on a command or a topic."];

/** What stands before the completed word. */
type Line = {
  readonly verb: Verb | undefined;
  readonly words: readonly Word[];
  readonly context: Context;
};

/** The verb of a line, the flags that it takes, and the flags and arguments that are given. */
function readLine(before: readonly string[], tree: CommandTree) {
  const { verb, ahead, rest } = commandOn(before, tree);
  const flags = verb ? listedFlags(verb) : [...TRACKER_FLAGS, ...COMMON_FLAGS];
  return { verb, flags, words: readWords([...ahead, ...rest], flags) };
}

/** The nouns or verbs that may follow these words. */
function commandsAfter(words: readonly string[], tree: CommandTree): Candidate[] {
  const { noun, verb, unknown } = commandOn(words, tree);
  if (verb || unknown) return [];
  const commands = noun?.verbs ?? [...tree.nouns, ...tree.verbs];
  return commands
    .filter((command) => "verbs" in command || isListed(command))
    .map(({ name, about }) => [name, about] as const);
}

/** The flag in `--status=open`, the text before the value, and the value; else no flag. */
function splitFlagAndValue(word: string, flags: readonly CommandFlag[]) {
  const [, name = "", value = ""] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
  const flag = flagNamed(name === "--json" ? "--fields" : name, flags);
  return { prefix: `${name}=`, flag: flag?.value === undefined ? undefined : flag, value };
}

async function completeArgument(verb: Verb, last: string, line: Line): Promise<Completion> {
  const position = line.words.filter(({ kind }) => kind === "argument").length;
  const repeated = verb.args?.findLast(({ many }) => many);
  const argument = verb.args?.[position] ?? repeated;
  const name = argument?.name ?? "";
  const source = argument?.completes ?? (["bug", "original"].includes(name) ? "bugs" : "");
  return completeItem(await candidatesFrom(source, line), last, ["bug", "value"].includes(name));
}

async function completeValue(flag: CommandFlag, last: string, line: Line): Promise<Completion> {
  const { name, completes = "", choices, many = false } = flag;
  const output = name === "fields" ? line.verb?.output : undefined;
  const names = output && output !== "bugs" ? await columnNames(output) : choices; // bugs have the fields of the tracker
  const isList = many || LISTS_OF_NAMES.has(completes);
  return completeItem(names ? undescribed(names) : await candidatesFrom(completes, line), last, isList);
}

const LISTS_OF_NAMES: ReadonlySet<string> = new Set(["field names", "printed fields", "sort keys"]);

/** Candidates for a value; in a list for its last item, each behind what precedes it, as `a,+`. */
function completeItem(candidates: Completion, typed: string, isList: boolean): Completion {
  const kept = isList ? (/^(?:.*,)?[-+=!]?/s.exec(typed)?.[0] ?? "") : "";
  return withPrefix(kept, startingWith(typed.slice(kept.length), candidates));
}

/** Flags that determine tracker and account, as the completed verb would receive them. */
export async function readTrackerFlags(input: SharedInput, { tree }: { tree: CommandTree }): Promise<SessionFlags> {
  const { words } = readLine(input.args.slice(0, -1), tree);
  const given = words.flatMap((word) => (word.kind === "flag" && ACCOUNT.has(word.flag.name) ? word : []));
  const members = given.map(({ flag, value = "" }) => [memberName(flag.name), flag.value === undefined ? true : value]);
  return { ...input, ...Object.fromEntries(members) };
}

const ACCOUNT: ReadonlySet<string> = new Set(["base-url", "profile", "api-key-file", "insecure-files", "offline"]);

function startingWith(start: string, candidates: Completion): Completion {
  return candidates?.filter(([text]) => text.toLowerCase().startsWith(start.toLowerCase()));
}

function withPrefix(prefix: string, candidates: Completion): Completion {
  return candidates?.map(([text, about]) => [`${prefix}${text}`, about]);
}

/** Candidates without descriptions. */
function undescribed(texts: readonly string[]): Candidate[] {
  return texts.map((text) => [text, ""]);
}

/** Candidates of a source, from this machine: completion waits for no network. [] if they cannot be read. */
async function candidatesFrom(source: string, line: Line): Promise<Completion> {
  if (source === "file") return undefined;
  try {
    return await (SOURCES[source]?.(line) ?? fieldValues(source, line));
  } catch {
    return [];
  }
}

/** Completion sources other than the values of a field. */
const SOURCES: Readonly<Record<string, (line: Line) => readonly Candidate[] | Promise<readonly Candidate[]>>> = {
  addresses: ({ context }) => [
    ["demo:", "a tracker with example bugs, which remembers changes"],
    ["local:", "your tracker in a file"],
    ...listMirrorNames(context.io).map((name) => [`mirror:${name}`, "a mirror"] as const),
  ],
  settings: ({ context }) => [
    ...Object.entries(SETTINGS).map(([name, { about }]) => [name, about] as const),
    ...[...savedReplies(readSettings(context.io))].map(([name, text]) => [`reply.${name}`, text] as const),
  ],
  aliases: ({ context }) =>
    Object.entries(readSettings(context.io).aliases ?? {}).map(([name, words]) => [name, `bt ${words}`]),
  profiles: ({ context }) =>
    Object.entries(readSettings(context.io).profiles ?? {}).map(([name, { base_url = "" }]) => [name, base_url]),
  mirrors: ({ context }) => undescribed(listMirrorNames(context.io)),
  jobs: async ({ context }) =>
    undescribed((await import("../../jobs/job-files.ts")).openJobs(context.io).map(({ name }) => name)),
  bugs: async ({ context }) =>
    (await readRecentBugs(context.session.memory)).map(({ id, summary = "" }) => [String(id), summary]),
  "field names": (line) => fieldNames(line, () => true),
  "printed fields": async (line) => {
    const labels = new Map(await fieldNames(line, () => true));
    const catalog = await line.context.session.catalog("kept");
    return (catalog ? selectableNames(catalog) : []).map((name) => [name, labels.get(name) ?? ""]);
  },
  "custom fields": (line) => fieldNames(line, isSettable, "="),
  "sort keys": (line) => fieldNames(line, ({ order }) => order !== undefined),
  "states and statuses": async (line) => [
    ...undescribed(["@open", "@closed", "@all"]),
    ...(await fieldValues("status", line)),
  ],
  terms: async (line) => [
    ...undescribed(STATE_NAMES.map((name) => `is:${name}`)),
    ...(await fieldNames(line, () => true, ":")),
  ],
};

/** Candidates for names of fields, with a sign behind, and the label if it differs. */
async function fieldNames(line: Line, isWanted: (field: CatalogField) => boolean, sign = ""): Promise<Candidate[]> {
  const fields = (await line.context.session.catalog("kept"))?.fields.filter(isWanted) ?? [];
  return fields.map(({ api, label }) => [`${api}${sign}`, label === api ? "" : label]);
}

/** Stored legal values of a field, of the products that the line names if there are any. */
async function fieldValues(name: string, line: Line): Promise<Candidate[]> {
  const catalog = await line.context.session.catalog("kept");
  const field = catalog && findField(catalog, name);
  if (!field) return [];
  const products = line.words.flatMap((word) => {
    const isProduct = field.isPerProduct && word.kind === "flag" && word.flag.name === "product";
    return isProduct ? (word.value ?? "").split(",") : [];
  });
  const existing = products.filter((product) => hasIgnoringCase(catalog.products ?? [], product));
  const values = existing.length > 0 ? existing.flatMap((product) => legalValues(field, product)) : field.values;
  return undescribed([...new Set(values.map(({ name: value }) => value))].filter(Boolean));
}
