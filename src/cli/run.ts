import { expandAlias, findAlias } from "../commands/alias/expand.ts";
import type { ParsedInput } from "../commands/input.ts";
import { checkWords, commandOn, HELP_FLAG } from "../commands/line.ts";
import { acceptedFlags } from "../commands/shared/flags.ts";
import type { CommandTree, Context, SavedText, Verb } from "../commands/verb.ts";
import { deleteSavedTexts } from "../commands/verb.ts";
import { type ErrorKind, isKind, usageError } from "../errors.ts";
import { type Io, signalExitCode } from "../io.ts";
import type { SessionNeeds } from "../session/connect.ts";
import type { SessionFlags } from "../session/flags.ts";
import type { Connection, Session } from "../session/session.ts";
import { type Block, type HelpPage, nounHelp, PLAIN_LAYOUT, pageText, rootHelp, verbHelp } from "./help.ts";
import { checkColumnsOfWrite, chooseOutput, rawValue, wantsColor } from "./output.ts";
import { parseVerb } from "./parse-verb.ts";
import { unknownCommandError } from "./usage-error.ts";

/** The commands, the version of bt, and its aliases. */
export type Commands = {
  readonly tree: CommandTree;
  readonly version: string;
  readonly aliases?: () => Promise<Readonly<Record<string, string>>>;
};

/** Context of a run: the process, the commands, and a way to connect. */
export type RunEnvironment = Commands & {
  readonly io: Io;
  readonly connect: (flags: SessionFlags, io: Io, needs?: SessionNeeds) => Promise<Connection>;
};

/** Runs one command line and returns its exit code. Any error is reported once, on stderr. */
export async function runCommandLine(argv: readonly string[], environment: RunEnvironment): Promise<number> {
  const { io } = environment;
  let ran: VerbCommand | undefined;
  try {
    checkWords(argv);
    const command = await readCommand(argv, environment);
    if (command.kind === "text") await showHelp(command.text, argv, io);
    else {
      const { missing } = command.input;
      if (missing && !(io.terminal.stdin && io.terminal.stdout)) throw missing;
      ran = command;
      await runVerb(command, environment);
    }
    return io.signal.aborted ? signalExitCode(String(io.signal.reason)) : 0;
  } catch (thrown) {
    const { reportError } = await import("./error-report.ts");
    return reportError(thrown, { argv, io, isWriting: ran !== undefined && mayWrite(ran) });
  }
}

export type ParsedCommand =
  | { readonly kind: "text"; readonly text: HelpPage }
  | { readonly kind: "verb"; readonly verb: Verb; readonly input: ParsedInput };

/**
 * Parses a command line. A first word that is no command may be an alias.
 * @throws BtError of kind usage, with the nearest valid word
 */
export async function readCommand(
  argv: readonly string[],
  { tree, version, aliases = async () => ({}) }: Commands,
): Promise<ParsedCommand> {
  const { noun, verb, unknown, ahead, rest } = commandOn(argv, tree);
  if (unknown !== undefined && !noun) {
    if (unknown === "--version") return { kind: "text", text: () => `bt ${version}\n` };
    if (unknown === "help") return readHelp(rest, { tree, version, aliases });
    const alias = findAlias(unknown, await aliases());
    if (alias) return readCommand([...ahead, ...expandAlias(alias, rest)], { tree, version });
  }
  if (unknown !== undefined) throw unknownCommandError(unknown, noun, tree);
  if (verb === undefined) {
    checkHelpLevel(ahead.find((word) => word.startsWith("--help="))?.slice("--help=".length));
    return helpText(noun ? nounHelp(noun) : rootHelp(tree));
  }
  const name = [noun?.name, verb.name].filter(Boolean).join(" ");
  const flags = acceptedFlags(verb);
  const { readWords } = await import("../commands/words.ts"); // commander takes 5 ms, which bt --help does without
  const words = readWords([...ahead, ...rest], [...flags, HELP_FLAG]);
  const help = words.findLast((word) => word.kind === "flag" && word.flag === HELP_FLAG);
  if (help?.kind === "flag") return helpText(verbHelp(name, verb, checkHelpLevel(help.value)));
  return { kind: "verb", verb, input: await parseVerb(name, verb, words, flags) };
}

/** `bt help query` is a page, `bt help bug search` is `bt bug search --help`. */
async function readHelp(words: readonly string[], commands: Commands): Promise<ParsedCommand> {
  const { noun, unknown = "" } = commandOn(words, commands.tree);
  const { TOPICS } = await import("./topics.ts");
  const topic = !noun && Object.hasOwn(TOPICS, unknown) ? TOPICS[unknown] : undefined;
  return topic ? helpText(await topic()) : readCommand(["--help", ...words], commands);
}

/** The level of `--help=all`, or of `--help` alone. @throws BtError of kind usage for another */
function checkHelpLevel(value = "main"): "main" | "all" {
  if (value === "main" || value === "all") return value;
  throw usageError(`invalid value ${JSON.stringify(value)} for --help`, "valid values: all");
}

function helpText(blocks: readonly Block[]): ParsedCommand {
  return { kind: "text", text: (layout) => pageText(blocks, layout) };
}

type VerbCommand = ParsedCommand & { kind: "verb" };

/** True if a verb has `--dry-run`, and it is not given; `dryRun` is undefined for other verbs. */
function mayWrite({ input }: VerbCommand): boolean {
  return input.dryRun === false;
}

/** Runs a verb on the session of its tracker, if it uses one. */
async function runVerb(command: VerbCommand, environment: RunEnvironment): Promise<void> {
  const { verb, input } = command;
  const { io, tree, version } = environment;
  const connection = await connectFor(command, environment);
  const session = connection?.session;
  const savedTexts: SavedText[] = [];
  let failure: unknown;
  try {
    const isByLine = input.format === "ndjson" && !input.json;
    const jq =
      input.jq === undefined ? undefined : await (await import("./jq.ts")).jqOutput(input.jq, io, { isByLine });
    const verbIo = jq ? { ...io, out: jq.write } : io; // other verbs and the connection print without jq
    const output = chooseOutput(input, verbIo, session);
    if (output.fields && mayWrite(command)) await checkColumnsOfWrite(verb, output.fields);
    const context = { io: verbIo, session: session as Session, output, savedTexts }; // verbs without a tracker use no session
    const verbFunction = await verb.run({
      tree,
      version,
      run: (other, given, otherIo) =>
        runVerb({ kind: "verb", verb: other, input: given }, { ...environment, io: otherIo }),
    });
    try {
      await verbFunction((await completeInput(command, context)) as never, context);
    } catch (error) {
      await jq?.end().catch(() => undefined); // of a document that is incomplete
      throw error;
    }
    await jq?.end();
    if (savedTexts.length > 0) deleteSavedTexts(context);
  } catch (error) {
    const { withRunDetails } = await import("./error-report.ts");
    failure = await withRunDetails(error, connection, { io, savedTexts });
    throw failure;
  } finally {
    await connection?.close(failure);
  }
}

/** The input with the bugs that the user picks, and the logins of people who were given by name. */
async function completeInput({ verb, input }: VerbCommand, context: Context): Promise<ParsedInput> {
  const { missing } = input;
  const picked = missing
    ? await (await import("../commands/shared/bug-picker.ts")).pickMissingBugs(verb, input, missing, context)
    : input;
  const { named = [], ...complete } = picked;
  if (named.length === 0) return complete;
  return (await import("../commands/shared/prompts.ts")).resolveLoginFlags(complete, named, context);
}

/** Connects a verb; undefined if it needs no tracker, or can do without a tracker that cannot be opened. */
async function connectFor(
  command: VerbCommand,
  { io, tree, connect }: RunEnvironment,
): Promise<Connection | undefined> {
  const { verb, input } = command;
  const { offline, connects, needs } = verb;
  if (offline === true) return undefined;
  try {
    const readFlags = await connects?.();
    const flags = readFlags ? await readFlags(input as never, { tree, io }) : input;
    const createsTracker = input.dryRun ? undefined : verb.createsTracker;
    return await connect(flags, io, { tracker: needs === "tracker", writes: mayWrite(command), createsTracker });
  } catch (error) {
    if (offline === "if need be" && isKind(error, ...UNCONNECTED)) return undefined;
    throw error;
  }
}

/** Kinds of errors of a tracker whose settings or files cannot be used. */
const UNCONNECTED: readonly ErrorKind[] = ["usage", "local", "auth", "guard"];

/** Prints a page of help, on a terminal with bold headings; no page of help is paged. */
async function showHelp(page: HelpPage, argv: readonly string[], io: Io): Promise<void> {
  if (!io.terminal.stdout) return io.out(page(PLAIN_LAYOUT));
  const heading = wantsColor(rawValue(argv, "--color"), io.terminal.stdout, io.env)
    ? (await import("../view/palette.ts")).palette({ color: true }).title
    : PLAIN_LAYOUT.heading;
  await io.out(page({ width: io.size().columns, heading }));
}
