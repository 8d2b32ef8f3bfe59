import { Command, CommanderError, Option, type OutputConfiguration } from "commander";
import { COMMON_FLAGS, flagsAround, OUTPUT_FLAGS, TRACKER_FLAGS } from "../commands/shared-flags.ts";
import type { CommandFlag, CommandsOf, CommandTree, Input, Noun, Verb } from "../commands/verb.ts";
import { usage } from "../errors.ts";
import { type HelpPage, nounHelp, rootHelp, verbHelp } from "./command-help.ts";
import {
  argumentSyntax,
  commanderOptions,
  mentionedFlags,
  mentionedVerbs,
  readFlagValues,
  takesValue,
} from "./flags.ts";
import { TOPICS } from "./help.ts";
import { topicText } from "./topic-page.ts";

/** Result of parsing: text to print, or a verb with its input. */
export type ParsedCommand =
  | { readonly kind: "text"; readonly text: HelpPage }
  | { readonly kind: "verb"; readonly verb: Verb; readonly input: Input };

/** The commands, the version of bt, and the command lines of aliases by name, which are read for a word that is no command. */
export type Commands = {
  readonly tree: CommandsOf;
  readonly version: string;
  readonly aliases?: () => Promise<Readonly<Record<string, string>>>;
};

/**
 * The command of a line, parsed with only the commands that it names, or with all commands if that fails. A first word
 * that is no command may be an alias.
 */
export async function readCommand(argv: readonly string[], commands: Commands): Promise<ParsedCommand> {
  const { version, aliases } = commands;
  const topic = await topicOn(argv, commands.tree);
  if (topic) return topic;
  const named = await commands.tree(argv);
  const isEnough = isRootHelp(argv) || named.nouns.length + named.verbs.length > 0;
  const asked = isEnough && (await readWords(argv, named, version).catch(() => undefined));
  if (asked) return asked;
  const tree = await commands.tree();
  return readWords(argv, tree, version).catch(async (error) => {
    const { aliasAhead, expandedAlias } = await import("../commands/alias/expand.ts");
    const alias = aliases && (await aliasAhead(argv, tree, aliases));
    if (alias === undefined) throw error;
    return readCommandLine(expandedAlias(alias, argv.slice(1)), tree, version);
  });
}

/** True for a line of no words, or of none but a wish for help. */
function isRootHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || (argv.length === 1 && ["help", "--help", "-h"].includes(argv[0] ?? ""));
}

/**
 * Parses a command line.
 * @throws BtError of kind usage, with the nearest valid word
 */
export async function readCommandLine(
  argv: readonly string[],
  tree: CommandTree,
  version: string,
): Promise<ParsedCommand> {
  return (await topicOn(argv, async () => tree)) ?? readWords(argv, tree, version);
}

async function readWords(argv: readonly string[], tree: CommandTree, version: string): Promise<ParsedCommand> {
  if (isRootHelp(argv)) return { kind: "text", text: rootHelp(tree) };
  if (argv[0] === "help") (await import("./usage-error.ts")).checkSubject(argv[1], tree);
  const printed: string[] = [];
  const asked: ParsedCommand[] = [];
  const write = (text: string) => void printed.push(text);
  const asksJson = argv.some((word) => word === "--json" || word.startsWith("--json="));
  const given = asksJson
    ? await (await import("./json-fields.ts")).withJsonFields(argv, tree, (flag) => takesValue(flag, tree))
    : argv;
  const { words, isWhole } = helpAsFlag(withNegations(given, tree), tree);
  const output = { writeOut: write, writeErr: write, ...PLAIN_OUTPUT };
  const root = rootCommand(tree, version, { found: (one) => asked.push(one), words, output, isWhole });
  if (argv[0]?.startsWith("-") && argv[0] !== "--help") addFlagsAhead(root);
  await root.parseAsync(words, { from: "user" }).catch(async (error: unknown) => {
    if (isHelp(error)) return;
    throw error instanceof CommanderError
      ? (await import("./usage-error.ts")).explainCommanderError(error, words, tree)
      : error;
  });
  return asked[0] ?? { kind: "text", text: () => printed.join("") };
}

/** The topic that is all of a command line, but for flags of its display. */
async function topicOn(argv: readonly string[], tree: CommandsOf): Promise<ParsedCommand | undefined> {
  const [help, name = "", ...more] = argv.filter((word) => !/^--(?:no-pager|color=.*)$/.test(word));
  const page = help === "help" && more.length === 0 && Object.hasOwn(TOPICS, name) && (await TOPICS[name]?.(tree));
  if (!page) return undefined;
  return { kind: "text", text: (layout) => (typeof page === "string" ? page : topicText(page, layout)) };
}

/** Flags that may precede the noun; verbs accept them, too. */
function addFlagsAhead(root: Command): void {
  for (const flag of FLAGS_AHEAD) {
    for (const option of commanderOptions(flag)) root.addOption(option.hideHelp());
  }
}

/** Commander's own detection would open both output streams. */
const PLAIN_OUTPUT: OutputConfiguration = {
  getOutHelpWidth: () => 80,
  getErrHelpWidth: () => 80,
  getOutHasColors: () => false,
  getErrHasColors: () => false,
};

/** The words, for whose commands only the verbs and flags that they name are made; the parsed command; the output. */
type Listener = {
  readonly found: (asked: ParsedCommand) => unknown;
  readonly words: readonly string[];
  readonly output: OutputConfiguration;
  readonly isWhole: boolean;
};

/** Deferred setup of nouns and verbs, run only for those on the command line: a hundred flags take 5 ms. */
const fillers = new WeakMap<Command, () => void>();

function rootCommand(tree: CommandTree, version: string, listener: Listener): Command {
  const root = new Command("bt")
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(listener.output)
    .version(`bt ${version}`, "--version", "print the version")
    .addHelpOption(helpOption())
    .helpCommand(false)
    .allowExcessArguments(false);
  for (const noun of tree.nouns) root.addCommand(nounCommand(noun, root, listener));
  for (const verb of tree.verbs) root.addCommand(verbCommand(verb, root, listener), { hidden: verb.hidden === true });
  showHelp(root, () => rootHelp(tree), listener);
  return root.hook("preSubcommand", (_, sub) => fill(sub));
}

/** Has the help of a command reported as a page, in place of commander's. */
function showHelp(command: Command, page: () => HelpPage, { found }: Listener): void {
  command.helpInformation = () => {
    found({ kind: "text", text: page() });
    return "";
  };
}

function nounCommand(noun: Noun, root: Command, listener: Listener): Command {
  const command = new Command(noun.name).addHelpOption(helpOption());
  command.copyInheritedSettings(root);
  for (const alias of noun.aliases ?? []) command.alias(alias);
  command.allowExcessArguments(false).helpCommand(false);
  showHelp(command, () => nounHelp(noun), listener);
  fillers.set(command, () => {
    for (const verb of mentionedVerbs(noun.verbs, listener.words)) {
      command.addCommand(verbCommand(verb, root, { ...listener, noun }));
    }
  });
  return command.hook("preSubcommand", (_, sub) => fill(sub));
}

function verbCommand(verb: Verb, root: Command, listener: Listener & { readonly noun?: Noun }): Command {
  const command = new Command(verb.name).addHelpOption(helpOption());
  command.copyInheritedSettings(root);
  for (const alias of verb.aliases ?? []) command.alias(alias);
  for (const arg of verb.args ?? []) command.argument(argumentSyntax(arg));
  const words = [listener.noun?.name, verb.name].filter(Boolean).join(" ");
  showHelp(command, () => verbHelp(words, verb, listener), listener);
  fillers.set(command, () => fillVerb(command, verb, { ...listener, root }));
  return command.allowExcessArguments(false);
}

function fillVerb(command: Command, verb: Verb, { root, found, words }: Listener & { readonly root: Command }): void {
  const around = flagsAround(verb, false);
  const flags = mentionedFlags([...verb.flags, ...around], words);
  for (const flag of flags) for (const option of commanderOptions(flag)) command.addOption(option);
  command.action(() => {
    if (!verb.hidden) checkFlagsAhead([...flags, ...around], root);
    const given = { ...readFlagValues([...flags, ...around], root.opts()), ...readFlagValues(flags, command.opts()) };
    found({ kind: "verb", verb, input: { args: command.args, flags: given } });
  });
}

const FLAGS_AHEAD = [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS];

/** Rejects a flag before a command that does not have it, such as a tracker for one that needs none. */
function checkFlagsAhead(flags: readonly CommandFlag[], root: Command): void {
  const names = flags.map(({ name }) => name);
  const stray = Object.keys(readFlagValues(FLAGS_AHEAD, root.opts())).find((name) => !names.includes(name));
  if (stray) throw usage(`unknown flag --${stray} for this command`, "--help lists its flags");
}

function fill(command: Command): void {
  const filler = fillers.get(command);
  fillers.delete(command);
  filler?.();
}

function helpOption(): Option {
  return new Option("-h, --help", "show help");
}

/** Words in which `-product:Harbor`, up to a `--`, is `!product:Harbor`. */
function withNegations(words: readonly string[], tree: CommandTree): readonly string[] {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return words.map((word, at) => (at < end && isNegatedTerm(word, words[at - 1], tree) ? `!${word.slice(1)}` : word));
}

/** True for `-product:Harbor`, a negated search term rather than a cluster of short flags; same as `!`. */
function isNegatedTerm(word: string, before: string | undefined, tree: CommandTree): boolean {
  return /^-[a-zA-Z][\w.]+[:=~<>^$]/.test(word) && !(before && takesValue(before, tree));
}

/** Rewrites `bt help bug search` to `bt bug search --help`, and `--help=all` to `--help` with whole pages. */
function helpAsFlag(
  argv: readonly string[],
  tree: CommandTree,
): { readonly words: string[]; readonly isWhole: boolean } {
  const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv];
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const at = words.findIndex((word, place) => /^--help=/.test(word) && !takesValue(words[place - 1] ?? "", tree));
  if (at < 0 || at > end) return { words, isWhole: false };
  if (words[at] !== "--help=all")
    throw usage(`invalid value ${JSON.stringify(words[at]?.slice(7))} for --help`, "valid values: all");
  return { words: words.with(at, "--help"), isWhole: true };
}

/** True if commander's error only means that help or the version was printed. */
function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help");
}
