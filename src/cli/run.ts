import type { CommandTree, Context, Input, OutputOptions, Settings, Verb } from "../commands/verb.ts";
import { BtError, usage, withDetails } from "../errors.ts";
import { columnsFromEnv, type Io, READER_GONE, signalExitCode } from "../io.ts";
import type { Connection } from "../session/connect.ts";
import { flagValue, flagValues } from "../session/flags.ts";
import { pagedOutput, spooledOutput } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { Format, View } from "../view/view.ts";
import {
  type AppliedWrite,
  errorRecord,
  exitCodeOf,
  recordingWrites,
  reportAppliedWrites,
  withAppliedWrites,
  withLastRequest,
} from "./error-report.ts";
import { checkWords, type ParsedCommand, readCommandLine } from "./program.ts";

/** Everything a run needs: the process, the commands, the version, and a way to connect. */
export type RunEnvironment = {
  readonly io: Io;
  readonly tree: CommandTree;
  readonly version: string;
  readonly connect: (flags: Input["flags"], io: Io) => Promise<Connection>;
  /** Notice to show after a command; only used on a terminal. */
  readonly remind?: () => Promise<string | undefined>;
};

/** Runs one command line and returns its exit code. Any error is reported once, on stderr. */
export async function runCommandLine(argv: readonly string[], environment: RunEnvironment): Promise<number> {
  const { io } = environment;
  let isWriting = false;
  try {
    checkWords(argv);
    const asked = await readCommandLine(argv, environment.tree, {
      version: environment.version,
      width: () => (io.terminal.stdout ? io.size().columns : 80),
    });
    isWriting = asked.kind === "verb" && writes(asked);
    if (asked.kind === "text") await io.out(asked.text);
    else {
      await noteRenaming(asked.verb, io);
      await runVerb(asked.verb, asked.input, environment);
    }
    if (io.terminal.stderr && !isJobCommand(asked)) await remind(environment);
    return io.signal.aborted ? signalExitCode(String(io.signal.reason)) : 0;
  } catch (error) {
    return fail(error, { argv, io, isWriting });
  }
}

/** On a terminal, names the present name of a verb that was called by its old one. */
async function noteRenaming({ name, renamed }: Verb, io: Io): Promise<void> {
  if (renamed && io.terminal.stderr) await io.err(`bt: bt ${name} is now bt ${renamed}\n`);
}

/** True if a command may change something on the tracker. */
function writes({ verb, input }: Extract<ParsedCommand, { kind: "verb" }>): boolean {
  return verb.flags.some(({ name }) => name === "dry-run") && !input.flags["dry-run"];
}

function isJobCommand(asked: ParsedCommand): boolean {
  return asked.kind === "verb" && asked.verb.output === "jobs";
}

async function remind({ io, remind: reminder }: RunEnvironment): Promise<void> {
  const sentence = await reminder?.();
  if (sentence) await io.err(`bt: ${sentence}\n`);
}

async function runVerb(verb: Verb, input: Input, { io, tree, connect }: RunEnvironment): Promise<void> {
  const connection = await connectionFor(verb, async () => connect(await flagsFor(verb, input, tree), io));
  try {
    const act = await verb.run();
    const done: AppliedWrite[] = [];
    const context = contextOf(input, { io, tree, connection, done });
    await act(input, context).catch(async (error) => {
      if (error === READER_GONE) await reportAppliedWrites(done, io);
      throw withDrafts(await withAppliedWrites(withLastRequest(error, connection, done), done), context);
    });
    if (context.drafts.length > 0) await discard(context.drafts);
  } finally {
    await connection.close();
  }
}

async function flagsFor({ connects }: Verb, { args, flags }: Input, tree: CommandTree): Promise<Input["flags"]> {
  return connects ? { ...flags, ...(await connects())(args, tree) } : flags;
}

function withDrafts(error: unknown, { drafts }: Context): unknown {
  if (!(error instanceof BtError) || drafts.length === 0) return error;
  const told = drafts.map((file) => `your text is saved in ${file}`);
  return withDetails(error, told);
}

async function discard(drafts: readonly string[]): Promise<void> {
  const [{ rm }, { dirname }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  for (const file of drafts) await rm(dirname(file), { recursive: true, force: true });
}

async function connectionFor({ offline }: Verb, connect: () => Promise<Connection>): Promise<Connection> {
  if (offline === true) return NOWHERE;
  if (offline === undefined) return connect();
  return connect().catch(() => NOWHERE);
}

/** Connection of verbs that need no tracker. */
const NOWHERE: Connection = {
  get tracker(): Session {
    throw new BtError("internal", "this command was to need no tracker");
  },
  settings: {},
  close: async () => undefined,
};

type Surroundings = Pick<Context, "io" | "tree"> & { readonly connection: Connection; readonly done: AppliedWrite[] };

function contextOf(input: Input, { io, tree, connection, done }: Surroundings): Context {
  const { settings } = connection;
  const output = outputWish(input, io, settings);
  const pager = input.flags["no-pager"] || !io.terminal.stdout ? undefined : pagerCommand(io, settings);
  return {
    io,
    tree,
    get tracker() {
      return recordingWrites(connection.tracker, done);
    },
    settings,
    output,
    drafts: [],
    sheet: () => {
      const direct = pagedOutput(io, pager);
      return output.format === "json" ? spooledOutput(direct, io) : direct;
    },
  };
}

function outputWish({ flags }: Input, io: Io, settings: Settings): OutputOptions {
  const format = formatGiven(flags) ?? (settings.format as Format | undefined);
  const fields = flagValues(flags["fields"]);
  const terminal = io.terminal.stdout;
  return {
    format,
    fields: fields.length === 0 ? undefined : fields.flatMap(namesIn),
    view: {
      terminal: format === "table" ? true : terminal,
      color: wantsColor(flagValue(flags["color"]) ?? settings.color ?? "auto", terminal, io.env),
      width: terminal ? io.size().columns : (columnsFromEnv(io.env) ?? Number.POSITIVE_INFINITY),
      serverZone: settings.server_zone,
      get now() {
        return io.now();
      },
      get timeZone() {
        return flags["utc"] || settings.utc ? "UTC" : io.timeZone();
      },
    },
  };
}

function formatGiven(flags: Input["flags"]): Format | undefined {
  const named = flagValue(flags["format"]) as Format | undefined;
  if (!flags["json"]) return named;
  if (named === undefined || named === "json") return "json";
  throw usage(`--json and --format ${named} cannot be used together`);
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

/** NO_COLOR overrides FORCE_COLOR, and --color both. */
function wantsColor(when: string, terminal: boolean, env: Io["env"]): boolean {
  if (when !== "auto") return when === "always";
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  const forced = env["FORCE_COLOR"];
  return terminal || (forced !== undefined && forced !== "" && forced !== "0");
}

/** Pager command; none on a dumb terminal, where less would stop with a warning. */
function pagerCommand(io: Io, settings: Settings): string | undefined {
  if (io.env["TERM"] === "dumb") return undefined;
  const command = io.env["BT_PAGER"] ?? settings.pager ?? io.env["PAGER"] ?? "less";
  return command.trim() === "" || command.trim() === "cat" ? undefined : command;
}

type Failed = { readonly argv: readonly string[]; readonly io: Io; readonly isWriting: boolean };

async function fail(error: unknown, { argv, io, isWriting }: Failed): Promise<number> {
  if (error === READER_GONE) return 0;
  const known = error instanceof BtError ? error : internal(error);
  if (io.signal.aborted && !hasLeftTraces(known)) return signalExitCode(String(io.signal.reason));
  const [{ errorJson, errorText }, { plain }] = await Promise.all([
    import("../view/messages.ts"),
    import("../view/text.ts"),
  ]);
  const record = errorRecord(known, isWriting);
  await io.err(wantsJson(argv) ? errorJson(record) : errorText(record, stderrView(argv, io)));
  if (argv.includes("--debug") || io.env["BT_DEBUG"]) await io.err(plain(stackOf(error), { lines: true }));
  return io.signal.aborted ? signalExitCode(String(io.signal.reason)) : exitCodeOf(known);
}

/** True if an error reports a change on the tracker, which must be shown even after an interrupt. */
function hasLeftTraces({ facts }: BtError): boolean {
  return facts.changed === "unknown" || facts.changed === "some";
}

/** True if errors are printed as JSON; read from the raw arguments, which may be invalid. */
function wantsJson(argv: readonly string[]): boolean {
  const after = (name: string) => argv[argv.indexOf(name) + 1] ?? "";
  return (
    argv.some((word) => /^--json($|=)|^--format=(nd)?json$/.test(word)) ||
    /^(nd)?json$/.test(after("--format")) ||
    /^(nd)?json$/.test(after("-o"))
  );
}

function stderrView(argv: readonly string[], io: Io): View {
  const words = argv.flatMap((word) => (word.startsWith("--color=") ? word.split("=") : [word]));
  const when = words.includes("--color") ? (words[words.lastIndexOf("--color") + 1] ?? "auto") : "auto";
  const terminal = io.terminal.stderr;
  return {
    terminal,
    color: wantsColor(when, terminal, io.env),
    width: io.size().columns,
    now: io.now(),
    timeZone: "UTC",
  };
}

function internal(error: unknown): BtError {
  const message = error instanceof Error ? error.message : String(error);
  return new BtError("internal", `internal error: ${message}`, {
    cause: error,
    hint: "please report it with the command line; --debug shows the stack trace",
  });
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.stack ?? ""}\n${error.cause ? stackOf(error.cause) : ""}`;
}
