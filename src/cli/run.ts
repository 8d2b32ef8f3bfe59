import { checkWords } from "../commands/line.ts";
import type { Context, Input, Output, Verb } from "../commands/verb.ts";
import { BtError, usage } from "../errors.ts";
import { columnsFromEnv, type Io, READER_GONE, signalExitCode } from "../io.ts";
import type { Connection, ConnectionNeeds } from "../session/connection.ts";
import { flagValue, flagValues, printedZone } from "../session/flags.ts";
import { pagerCommand, spooledOutput } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { Format } from "../view/view.ts";
import {
  discardDrafts,
  reportAppliedWrites,
  reportError,
  withAppliedWrites,
  withDrafts,
  withLastRequest,
} from "./error-report.ts";
import { showHelp } from "./help-output.ts";
import type { JqOutput } from "./jq.ts";
import { type Commands, type ParsedCommand, readCommand } from "./program.ts";
import { colorFlag, lookOf, outputVia, withForcedTerminal, withPromptLook } from "./terminal.ts";

/** Context of a run: the process, the commands, the version, and a way to connect. */
export type RunEnvironment = Commands & {
  readonly io: Io;
  readonly connect: (flags: Input["flags"], io: Io, needs?: ConnectionNeeds) => Promise<Connection>;
  /** Settings that help uses; defaults where they cannot be read. */
  readonly preferences?: () => Promise<Settings>;
  /** Notice to show after a command; only used on a terminal. */
  readonly remind?: () => Promise<string | undefined>;
};

/** Runs one command line and returns its exit code. Any error is reported once, on stderr. */
export async function runCommandLine(argv: readonly string[], given: RunEnvironment): Promise<number> {
  const io = withPromptLook(withForcedTerminal(given.io), colorFlag(argv) ?? "auto");
  const environment = { ...given, io };
  let isWriting = false;
  try {
    checkWords(argv);
    const asked = await readCommand(argv, environment);
    isWriting = asked.kind === "verb" && writes(asked);
    if (asked.kind === "text") await showHelp(asked.text, argv, environment);
    else await runVerb(asked.verb, asked.input, environment);
    if (io.terminal.stderr && !isJobCommand(asked)) await remind(environment);
    return io.signal.aborted ? signalExitCode(String(io.signal.reason)) : 0;
  } catch (error) {
    return reportError(error, { argv, io, isWriting });
  }
}

/** True if a command may change something on the tracker. */
function writes({ verb, input }: Pick<Extract<ParsedCommand, { kind: "verb" }>, "verb" | "input">): boolean {
  return verb.flags.some(({ name }) => name === "dry-run") && !input.flags["dry-run"];
}

function needsOf({ needs, missingFile }: Verb, { flags }: Input): ConnectionNeeds {
  return { tracker: needs === "tracker", missingFile, isDryRun: Boolean(flags["dry-run"]) };
}

function isJobCommand(asked: ParsedCommand): boolean {
  return asked.kind === "verb" && asked.verb.output === "jobs";
}

async function remind({ io, remind: reminder }: RunEnvironment): Promise<void> {
  const sentence = await reminder?.();
  if (sentence) await io.err(`bt: ${sentence}\n`);
}

async function runVerb(verb: Verb, input: Input, environment: RunEnvironment): Promise<void> {
  const { io, tree, connect } = environment;
  const connection = await connectionFor(verb, async () =>
    connect(await flagsFor(verb, input, { tree, io }), io, needsOf(verb, input)),
  );
  let failure: unknown;
  try {
    const own = connection?.session;
    if (own?.mirror && writes({ verb, input })) throw own.mirror.readOnly();
    const seen =
      io.terminal.stdout && own?.access ? (await import("../session/memory/seen.ts")).watchSeen(own) : undefined;
    const session = seen?.session ?? own;
    const jq = await jqFor(input, io, session?.settings);
    const context = contextOf(input, jq ? { ...io, out: jq.write } : io, {
      session,
      connect: (flags) => connect(flags, io),
    });
    const run = (await verb.run(tree))(input, context).finally(jq?.end);
    await run.catch(async (error) => {
      const done = (await session?.applied()) ?? [];
      if (error === READER_GONE) await reportAppliedWrites(done, io);
      throw withDrafts(await withAppliedWrites(withLastRequest(error, session, done), done), context.drafts);
    });
    if (context.drafts.length > 0) await discardDrafts(context.drafts);
    await seen?.save();
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await connection?.close(failure);
  }
}

async function jqFor({ flags }: Input, io: Io, settings: Settings = {}): Promise<JqOutput | undefined> {
  const expression = flagValue(flags["jq"]);
  if (expression === undefined) return undefined;
  return (await import("./jq.ts")).jqOutput(expression, io, formatGiven(flags, settings) === "ndjson");
}

async function flagsFor(
  { connects }: Verb,
  input: Input,
  around: Pick<RunEnvironment, "tree" | "io">,
): Promise<Input["flags"]> {
  if (connects === undefined) return input.flags;
  const choose = await connects();
  return choose(input, around);
}

/** Connection of a verb; none if it needs no tracker. */
async function connectionFor({ offline }: Verb, connect: () => Promise<Connection>): Promise<Connection | undefined> {
  if (offline === true) return undefined;
  return offline === undefined ? connect() : connect().catch(() => undefined);
}

type Settings = Session["settings"];

type Connected = { readonly session: Session | undefined; readonly connect: Context["connect"] };

function contextOf(input: Input, io: Io, { session, connect }: Connected): Context {
  return {
    io,
    connect,
    get session() {
      if (session) return session;
      throw new BtError("internal", "this command is declared to need no tracker");
    },
    output: outputOf(input, io, session),
    drafts: [],
  };
}

/** Output of a command line: its flags, then settings, then the terminal. */
function outputOf({ flags }: Input, io: Io, session: Session | undefined): Output {
  const settings = session?.settings ?? {};
  const format = formatGiven(flags, settings);
  const fields = flagValues(flags["fields"]);
  const printed = templateOf(flags);
  const terminal = io.terminal.stdout;
  const hasPager = terminal && !flags["no-pager"] && flags["jq"] === undefined;
  return {
    format,
    fields: printed?.names ?? (fields.length === 0 ? undefined : fields.flatMap(namesIn)),
    view: {
      terminal: format === "table" ? true : terminal,
      ...lookOf(flags, io, settings),
      width: terminal ? io.size().columns : (columnsFromEnv(io.env) ?? Number.POSITIVE_INFINITY),
      get web() {
        return session?.webAddress();
      },
      template: printed?.line,
      serverZone: settings.server_zone,
      get now() {
        return io.now();
      },
      get timeZone() {
        return printedZone(flags, io, settings);
      },
    },
    open: () => {
      const direct = outputVia(hasPager ? pagerCommand(io, settings.pager) : undefined, io);
      return format === "json" ? spooledOutput(direct, io) : direct;
    },
  };
}

/**
 * The format that is given, or configured. `--jq` is about JSON.
 * @throws BtError of kind usage for two of them
 */
function formatGiven(flags: Input["flags"], settings: Settings): Format | undefined {
  const { format, json, jq, print } = flags;
  if (print !== undefined) return "tsv";
  const named = flagValue(format) as Format | undefined;
  if (named === "ndjson" && jq !== undefined && !json) return named;
  for (const [name, given] of Object.entries({ json, jq })) {
    if (given === undefined) continue;
    if (named === undefined || named === "json") return "json";
    throw usage(`--${name} and --format ${named} cannot be used together`);
  }
  return named ?? (settings.format as Format | undefined);
}

/** Fields and line of `--print '%{id} %{summary}'`; `\\n` and `\\t` are breaks. */
function templateOf({ print, ...flags }: Input["flags"]) {
  const template = flagValue(print);
  if (template === undefined) return undefined;
  const other = ["json", "format", "fields", "jq"].find((name) => flags[name] !== undefined);
  if (other !== undefined) throw usage(`--print and --${other} cannot be used together`);
  const parts = template.replace(/\\([nt])/g, (_, letter) => (letter === "n" ? "\n" : "\t")).split(/%\{(\w+)\}/);
  const names = [...new Set(parts.filter((_, at) => at % 2 === 1))];
  const isGroup = names.find((name) => name.startsWith("_"));
  if (isGroup !== undefined) throw usage(`--print cannot print the group of fields ${isGroup}`);
  if (names.length === 0) throw usage("--print has no %{field}", "for example: --print '%{id} %{summary}'");
  return { names, line: parts.map((part, at) => (at % 2 === 1 ? names.indexOf(part) : part)) };
}

function namesIn(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw usage(
      "empty name in --fields",
      "for example: --fields id,summary; _default, _custom and _all are groups of fields",
    );
  return names;
}
