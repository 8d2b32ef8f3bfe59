import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildCatalog,
  type Catalog,
  type CatalogField,
  findField,
  isSettable,
  legalValues,
  readCachedFields,
} from "../../api/catalog/catalog.ts";
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
import { commandOn, flagNamed, HELP_FLAG, readWords, type Word } from "../line.ts";
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

/** Candidates; undefined for the name of a file. */
type Completion = readonly Candidate[] | undefined;

/** Completions of the last of the words after `bt`. */
async function completeWord(words: readonly string[], tree: CommandTree, context: Context): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  if (before[0] === "help") {
    const topics = before.length === 1 ? Object.entries(HELP_TOPICS) : [];
    return startingWith(last, [...commandsAfter(before.slice(1), tree), ...topics]);
  }
  const { verb, flags, words: read } = commandWords(before, tree);
  const line = { verb, words: read, context };
  const open = read.at(-1);
  if (open?.kind === "flag" && open.flag.value !== undefined && open.value === undefined)
    return completeValue(open.flag, last, line);
  const { glue, flag, value } = gluedFlag(last, flags);
  if (flag) return withPrefix(glue, await completeValue(flag, value, line));
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

/** The verb of a line, its flags, and the other words. */
function commandWords(before: readonly string[], tree: CommandTree) {
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

/** The flag in `--status=open`, with the text before the value, and the value. */
function gluedFlag(word: string, flags: readonly CommandFlag[]) {
  const [, name = "", value = ""] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
  const flag = flagNamed(name === "--json" ? "--fields" : name, flags);
  return { glue: `${name}=`, flag: flag?.value === undefined ? undefined : flag, value };
}

async function completeArgument(verb: Verb, last: string, line: Line): Promise<Completion> {
  const final = verb.args?.at(-1);
  const given = line.words.filter(({ kind }) => kind === "argument").length;
  const argument = verb.args?.[given] ?? (final?.many ? final : undefined);
  const { name = "", completes = /^(bug|original)$/.test(name) ? "bugs" : "" } = argument ?? {};
  return completeList(await candidatesFrom(completes, line), last, /^(bug|value)$/.test(name));
}

async function completeValue(flag: CommandFlag, last: string, line: Line): Promise<Completion> {
  const { name, completes = "", choices, many = false } = flag;
  const output = name === "fields" ? line.verb?.output : undefined;
  const names = output && output !== "bugs" ? await columnNames(output) : choices; // bugs have the fields of the tracker
  const isList = many || LISTS_OF_NAMES.has(completes);
  return completeList(names ? named(names) : await candidatesFrom(completes, line), last, isList);
}

const LISTS_OF_NAMES: ReadonlySet<string> = new Set(["field names", "printed fields", "sort keys"]);

/** Completions of a value, or of the last one of a list with commas; a sign such as + before it is kept. */
function completeList(found: Completion, last: string, isList: boolean): Completion {
  const head = isList ? (/^(?:.*,)?[-+=!]?/s.exec(last)?.[0] ?? "") : "";
  return withPrefix(head, startingWith(last.slice(head.length), found));
}

/** Flags that determine tracker and account, as the completed verb would receive them. */
export async function readTrackerFlags(input: SharedInput, { tree }: { tree: CommandTree }): Promise<SessionFlags> {
  const { words } = commandWords(input.args.slice(0, -1), tree);
  const given = words.flatMap((word) => (word.kind === "flag" && ACCOUNT.has(word.flag.name) ? word : []));
  const members = given.map(({ flag, value = "" }) => [memberName(flag.name), flag.value === undefined ? true : value]);
  return { ...input, ...Object.fromEntries(members) };
}

const ACCOUNT: ReadonlySet<string> = new Set(["base-url", "profile", "api-key-file", "insecure-files", "offline"]);

function startingWith(start: string, found: Completion): Completion {
  return found?.filter(([text]) => text.toLowerCase().startsWith(start.toLowerCase()));
}

function withPrefix(prefix: string, found: Completion): Completion {
  return found?.map(([text, about]) => [`${prefix}${text}`, about]);
}

function named(texts: readonly string[]): Candidate[] {
  return texts.map((text) => [text, ""]);
}

/** Candidates of a source that are stored on this machine: completion waits for no network. */
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
  mirrors: ({ context }) => named(listMirrorNames(context.io)),
  jobs: async ({ context }) =>
    named((await import("../../jobs/job-files.ts")).openJobs(context.io).map(({ name }) => name)),
  bugs: async ({ context }) =>
    (await readRecentBugs(context.session.memory)).map(({ id, summary = "" }) => [String(id), summary]),
  "field names": (line) => fieldNames(line, () => true),
  "printed fields": async (line) => {
    const labels = new Map(await fieldNames(line, () => true));
    const catalog = await catalogOf(line);
    return (catalog ? selectableNames(catalog) : []).map((name) => [name, labels.get(name) ?? ""]);
  },
  "custom fields": (line) => fieldNames(line, isSettable, "="),
  "sort keys": (line) => fieldNames(line, ({ order }) => order !== undefined),
  "states and statuses": async (line) => [
    ...named(["@open", "@closed", "@all"]),
    ...(await fieldValues("status", line)),
  ],
  terms: async (line) => [
    ...named(STATE_NAMES.map((name) => `is:${name}`)),
    ...(await fieldNames(line, () => true, ":")),
  ],
};

/** The catalog without a request: from the cache, whatever its age, or of a tracker in this process. */
async function catalogOf({ context: { session } }: Line): Promise<Catalog | undefined> {
  if (!session.network) return session.catalog();
  const fields = await readCachedFields(session.memory);
  return fields && buildCatalog(fields);
}

/** Fields under their own names and a sign, with their labels if these say more. */
async function fieldNames(line: Line, isWanted: (field: CatalogField) => boolean, sign = ""): Promise<Candidate[]> {
  const fields = (await catalogOf(line))?.fields.filter(isWanted) ?? [];
  return fields.map(({ api, label }) => [`${api}${sign}`, label === api ? "" : label]);
}

/** Cached legal values of a field, of the products on the line if there are any. */
async function fieldValues(name: string, line: Line): Promise<Candidate[]> {
  const catalog = await catalogOf(line);
  const field = catalog && findField(catalog, name);
  if (!field) return [];
  const products = line.words.flatMap((word) => {
    const isProduct = field.isPerProduct && word.kind === "flag" && word.flag.name === "product";
    return isProduct ? (word.value ?? "").split(",") : [];
  });
  const known = products.filter((product) => hasIgnoringCase(catalog.products ?? [], product));
  const values = known.length > 0 ? known.flatMap((product) => legalValues(field, product)) : field.values;
  return named([...new Set(values.map(({ name: value }) => value))].filter(Boolean));
}
