import { Command, CommanderError, type HelpConfiguration, Option, type OutputConfiguration } from "commander";
import { suggestNames } from "../api/nearest.ts";
import { COMMON_FLAGS, flagsAround, OUTPUT_FLAGS, TRACKER_FLAGS } from "../commands/shared-flags.ts";
import type { CommandFlag, CommandTree, Input, Noun, Verb } from "../commands/verb.ts";
import { BtError, usage } from "../errors.ts";
import { argumentSyntax, commanderOptions, mentionedFlags, readFlagValues, takesValue } from "./flags.ts";
import { addRootHelp, addVerbHelp, TOPICS } from "./help.ts";

/** Result of parsing: text to print, or a verb with its input. */
export type ParsedCommand =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "verb"; readonly verb: Verb; readonly input: Input };

/** Version and width for help; commander's own detection would open both output streams. */
export type HelpOptions = { readonly version: string; readonly width: () => number };

/**
 * Parses a command line.
 * @throws BtError of kind usage, with the nearest valid word
 */
export async function readCommandLine(
  argv: readonly string[],
  tree: CommandTree,
  helpOptions: HelpOptions,
): Promise<ParsedCommand> {
  const topic = argv[0] === "help" && argv.length === 2 ? TOPICS[argv[1] ?? ""] : undefined;
  if (topic) return { kind: "text", text: await topic(tree) };
  if (argv[0] === "help") checkSubject(argv[1], tree);
  const printed: string[] = [];
  const asked: ParsedCommand[] = [];
  const write = (text: string) => void printed.push(text);
  const output = { writeOut: write, writeErr: write, ...plainOutput(helpOptions.width) };
  const asksJson = argv.some((word) => word === "--json" || word.startsWith("--json="));
  const given = asksJson
    ? await (await import("./json-fields.ts")).withJsonFields(argv, tree, (flag) => takesValue(flag, tree))
    : argv;
  const words = helpAsFlag(
    given.map((word, at) => (isNegatedTerm(word, given[at - 1], tree) ? `!${word.slice(1)}` : word)),
  );
  const choose = (flags: readonly CommandFlag[]) => mentionedFlags(flags, words);
  const root = rootCommand(tree, helpOptions.version, { found: (one) => asked.push(one), choose, output });
  if (argv[0]?.startsWith("-") && argv[0] !== "--help") addFlagsAhead(root);
  await root.parseAsync(words, { from: "user" }).catch(async (error: unknown) => {
    if (isHelp(error)) return;
    throw error instanceof CommanderError
      ? (await import("./usage-error.ts")).explainCommanderError(error, words, tree)
      : error;
  });
  return asked[0] ?? { kind: "text", text: printed.join("") };
}

/** Flags that may precede the noun; verbs accept them, too. */
function addFlagsAhead(root: Command): void {
  for (const flag of [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS]) {
    for (const option of commanderOptions(flag)) root.addOption(option.hideHelp());
  }
}

function plainOutput(width: () => number): OutputConfiguration {
  const hasColors = () => false;
  return { getOutHelpWidth: width, getErrHelpWidth: width, getOutHasColors: hasColors, getErrHasColors: hasColors };
}

/** Callbacks of the parser: the parsed command, the flags to create, and the output. */
type Listener = {
  readonly found: (asked: ParsedCommand) => unknown;
  readonly choose: (flags: readonly CommandFlag[]) => readonly CommandFlag[];
  readonly output: OutputConfiguration;
};

/** Deferred setup of nouns and verbs, run only for those on the command line: a hundred flags take 5 ms. */
const fillers = new WeakMap<Command, () => void>();

function rootCommand(tree: CommandTree, version: string, listener: Listener): Command {
  const root = new Command("bt")
    .description("Bugzilla-style bug trackers from the command line.")
    .usage("<noun> <verb> [flags]")
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(listener.output)
    .configureHelp(HELP)
    .version(`bt ${version}`, "--version", "print the version")
    .addHelpOption(helpOption())
    .helpCommand(false)
    .allowExcessArguments(false);
  for (const noun of tree.nouns) root.addCommand(nounCommand(noun, root, listener));
  for (const verb of tree.verbs) root.addCommand(verbCommand(verb, root, listener), { hidden: verb.hidden === true });
  for (const option of root.options) option.helpGroup(COMMON);
  addRootHelp(root);
  return root.hook("preSubcommand", (_, sub) => fill(sub));
}

/** Help without aliases, wrapped on narrow terminals, too. */
const HELP: HelpConfiguration = {
  minWidthToWrap: 20,
  subcommandTerm: (command) => command.name(),
  optionDescription: (option) => option.description,
  commandUsage: (command) =>
    [command.parent && "bt", command.parent?.parent && command.parent.name(), command.name(), command.usage()]
      .filter(Boolean)
      .join(" "),
};

function nounCommand(noun: Noun, root: Command, listener: Listener): Command {
  const command = new Command(noun.name).description(noun.about).addHelpOption(helpOption()).helpGroup("Commands:");
  command.copyInheritedSettings(root);
  for (const alias of noun.aliases ?? []) command.alias(alias);
  command.usage("<verb> [flags]").allowExcessArguments(false).helpCommand(false);
  fillers.set(command, () => {
    for (const verb of noun.verbs) command.addCommand(verbCommand(verb, root, listener));
  });
  return command.hook("preSubcommand", (_, sub) => fill(sub));
}

function verbCommand(verb: Verb, root: Command, listener: Listener): Command {
  const command = new Command(verb.name).description(verb.about).addHelpOption(helpOption());
  command.copyInheritedSettings(root);
  for (const alias of verb.aliases ?? []) command.alias(alias);
  for (const arg of verb.args ?? []) command.argument(argumentSyntax(arg));
  command.usage([...(verb.args ?? []).map(argumentSyntax), "[flags]"].join(" "));
  fillers.set(command, () => fillVerb(command, verb, { ...listener, root }));
  return command.allowExcessArguments(false);
}

function fillVerb(command: Command, verb: Verb, { root, found, choose }: Listener & { readonly root: Command }): void {
  const around = flagsAround(verb);
  const flags = choose([...verb.flags, ...around]);
  for (const flag of flags) for (const option of commanderOptions(flag)) command.addOption(option);
  addVerbHelp(command, verb);
  command.action(() => {
    const given = { ...readFlagValues(around, root.opts()), ...readFlagValues(flags, command.opts()) };
    found({ kind: "verb", verb, input: { args: command.args, flags: given } });
  });
}

function fill(command: Command): void {
  const filler = fillers.get(command);
  fillers.delete(command);
  filler?.();
}

const COMMON = "Common:";

function helpOption(): Option {
  return new Option("-h, --help", "show help").helpGroup(COMMON);
}

/** True for `-product:Harbor`, a negated search term rather than a cluster of short flags; same as `!`. */
function isNegatedTerm(word: string, before: string | undefined, tree: CommandTree): boolean {
  return /^-[a-z][\w.]+[:=~<>^$]/i.test(word) && !(before && takesValue(before, tree));
}

/** Rejects help on a word that is neither a command nor a topic. */
function checkSubject(word: string | undefined, tree: CommandTree): void {
  if (word !== undefined && Object.hasOwn(TOPICS, word))
    throw usage(`the help topic ${word} takes no flags or arguments`, `bt help ${word}`);
  const commands = [...tree.nouns, ...tree.verbs.filter(({ hidden }) => !hidden)];
  const isCommand = commands.some(({ name, aliases = [] }) => name === word || aliases.includes(word ?? ""));
  if (word === undefined || word.startsWith("-") || isCommand) return;
  const subjects = [...commands.map(({ name }) => name), ...Object.keys(TOPICS)];
  throw usage(
    `no help topic ${JSON.stringify(word)}`,
    suggestNames(word, subjects) ?? `valid values: ${subjects.join(", ")}`,
  );
}

/** Rewrites `bt help bug search` to `bt bug search --help`. */
function helpAsFlag(argv: readonly string[]): string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv];
}

/** True if commander's error only means that help or the version was printed. */
function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help");
}

/**
 * Rejects arguments that must not be processed: API keys, which other users can see, and invalid UTF-8.
 * @throws BtError of kind usage
 */
export function checkWords(argv: readonly string[]): void {
  for (const word of argv) {
    const [flag] = KEY_FLAG.exec(word) ?? [];
    if (flag !== undefined) throw keyInSight(flag);
    if (word.includes("\ufffd")) throw notText(word);
  }
}

const KEY_FLAG = /^--(?:bugzilla[-_])?(?:api[-_]?key|api[-_]?token|token|key)(?==|$)/i;

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
