import { checkWords } from "../commands/line.ts";
import type { Context, Output, Verb } from "../commands/verb.ts";
import { BtError, usage } from "../errors.ts";
import { columnsFromEnv, type Io, READER_GONE, signalExitCode } from "../io.ts";
import type { Connection, ConnectionNeeds } from "../session/connection.ts";
import { pagerCommand, spooledOutput } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import { printedZone, type SessionFlags } from "../session/session-flags.ts";
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
import type { ParsedInput } from "./input.ts";
import type { JqOutput } from "./jq.ts";
import { type Commands, type ParsedCommand, readCommand } from "./program.ts";
import { colorFlag, lookOf, outputVia, withForcedTerminal, withPromptLook } from "./terminal.ts";

/** Context of a run: the process, the commands, the version, and a way to connect. */
export type RunEnvironment = Commands & {
  readonly io: Io;
  readonly connect: (flags: SessionFlags, io: Io, needs?: ConnectionNeeds) => Promise<Connection>;
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
  return verb.flags.some(({ name }) => name === "dry-run") && !input.dryRun;
}

function needsOf({ needs, missingFile }: Verb, { dryRun }: ParsedInput): ConnectionNeeds {
  return { tracker: needs === "tracker", missingFile, isDryRun: dryRun === true };
}

function isJobCommand(asked: ParsedCommand): boolean {
  return asked.kind === "verb" && asked.verb.output === "jobs";
}

async function remind({ io, remind: reminder }: RunEnvironment): Promise<void> {
  const sentence = await reminder?.();
  if (sentence) await io.err(`bt: ${sentence}\n`);
}

async function runVerb(verb: Verb, input: ParsedInput, environment: RunEnvironment): Promise<void> {
  const { io, tree, connect } = environment;
  const connection = await connectionFor(verb, async () =>
    connect(await flagsFor(verb, input, { tree, io }), io, needsOf(verb, input)),
  );
  let failure: unknown;
  try {
    const own = connection?.session;
    if (own?.readOnly && writes({ verb, input })) throw own.readOnly();
    const seen =
      io.terminal.stdout && own?.access
        ? (await import("../session/memory/seen.ts")).watchSeen(own.send, own.facts.memory)
        : undefined;
    const session = own && seen ? { ...own, send: seen.send } : own;
    const jq = await jqFor(input, io, session?.settings);
    const context = contextOf(input, jq ? { ...io, out: jq.write } : io, {
      session,
      connect: (flags) => connect(flags, io),
    });
    const run = (await verb.run(tree))(input as never, context).finally(jq?.end);
    await run.catch(async (error) => {
      const done = (await session?.writes.applied()) ?? [];
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

async function jqFor(input: ParsedInput, io: Io, settings: Settings = {}): Promise<JqOutput | undefined> {
  if (input.jq === undefined) return undefined;
  return (await import("./jq.ts")).jqOutput(input.jq, io, formatGiven(input, settings) === "ndjson");
}

async function flagsFor(
  { connects }: Verb,
  input: ParsedInput,
  around: Pick<RunEnvironment, "tree" | "io">,
): Promise<SessionFlags> {
  if (connects === undefined) return input;
  const choose = await connects();
  return choose(input as never, around);
}

/** Connection of a verb; none if it needs no tracker. */
async function connectionFor({ offline }: Verb, connect: () => Promise<Connection>): Promise<Connection | undefined> {
  if (offline === true) return undefined;
  return offline === undefined ? connect() : connect().catch(() => undefined);
}

type Settings = Session["settings"];

type Connected = { session: Session | undefined; connect: Context["connect"] };

function contextOf(input: ParsedInput, io: Io, { session, connect }: Connected): Context {
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
function outputOf(input: ParsedInput, io: Io, session: Session | undefined): Output {
  const settings = session?.settings ?? {};
  const format = formatGiven(input, settings);
  const { fields = [] } = input;
  const printed = templateOf(input);
  const terminal = io.terminal.stdout;
  const hasPager = terminal && !input.noPager && input.jq === undefined;
  return {
    format,
    fields: printed?.names ?? (fields.length === 0 ? undefined : fields.flatMap(namesIn)),
    view: {
      terminal: format === "table" ? true : terminal,
      ...lookOf(input, io, settings),
      width: terminal ? io.size().columns : (columnsFromEnv(io.env) ?? Number.POSITIVE_INFINITY),
      get web() {
        return session?.facts.webAddress();
      },
      template: printed?.line,
      serverZone: settings.server_zone,
      get now() {
        return io.now();
      },
      get timeZone() {
        return printedZone(input, io, settings);
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
function formatGiven({ format, json, jq, print }: ParsedInput, settings: Settings): Format | undefined {
  if (print !== undefined) return "tsv";
  if (format === "ndjson" && jq !== undefined && !json) return format;
  if (json || jq !== undefined) {
    if (format === undefined || format === "json") return "json";
    throw usage(`--${json ? "json" : "jq"} and --format ${format} cannot be used together`);
  }
  return format ?? (settings.format as Format | undefined);
}

/** Fields and line of `--print '%{id} %{summary}'`; `\\n` and `\\t` are breaks. */
function templateOf({ print, json, format, fields = [], jq }: ParsedInput) {
  if (print === undefined) return undefined;
  const others = { json: json === true, format: format !== undefined, fields: fields.length > 0, jq: jq !== undefined };
  const other = Object.entries(others).find(([, isGiven]) => isGiven)?.[0];
  if (other !== undefined) throw usage(`--print and --${other} cannot be used together`);
  const [odd] = /%\{(?!\w+\})[^}]*\}?/.exec(print) ?? [];
  if (odd !== undefined)
    throw usage(`--print cannot print ${odd}`, "a field is %{name}; for members of objects: --json --jq");
  const parts = print.replace(/\\([nt])/g, (_, letter) => (letter === "n" ? "\n" : "\t")).split(/%\{(\w+)\}/);
  const names = [...new Set(parts.filter((_, at) => at % 2 === 1))];
  const isGroup = names.find((name) => name.startsWith("_"));
  if (isGroup !== undefined) throw usage(`--print cannot print the group of fields ${isGroup}`);
  if (names.length === 0) throw usage("--print has no %{field}", "for example: --print '%{id} %{summary}'");
  return { names, line: parts.map((part, at) => (at % 2 === 1 ? names.indexOf(part) : part)) };
}

function namesIn(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw usage(
      "empty name in --fields",
      "for example: --fields id,summary; _default, _custom and _all are groups of fields",
    );
  return names;
}
