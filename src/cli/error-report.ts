import type { DeliveredWrite } from "../api/delivery/outcome.ts";
import { withKeySource } from "../api/identity.ts";
import { asBtError, errorRecord } from "../commands/shared/output/error-record.ts";
import type { Context, SavedText } from "../commands/verb.ts";
import { BtError, withDetails, withFacts } from "../errors.ts";
import { type Io, READER_GONE, signalExitCode, writeOutputError } from "../io.ts";
import type { Session } from "../session/session.ts";
import { plain } from "../view/text.ts";
import type { View } from "../view/view.ts";
import type { Json } from "../wire/exchange.ts";
import { rawValue, wantsColor } from "./output.ts";

/**
 * An error of a command, with the source of a key that is refused, the writes that were applied before it, so the user
 * does not repeat them, and the files with what the user wrote, which are also named after an interrupt.
 */
export async function withRunDetails(
  thrown: unknown,
  session: Session | undefined,
  { io, savedTexts = [] }: { io: Io; savedTexts: Context["savedTexts"] | undefined },
): Promise<unknown> {
  const texts = savedTexts.flatMap(savedTextLines);
  if (io.signal.aborted) await io.err(texts.map((line) => `${plain(line)}\n`).join(""));
  const done = session?.delivered ?? [];
  const failure = done.length > 0 ? writeOutputError(thrown) : thrown;
  const error = withKeySource(failure, session?.network?.keySource());
  if (!(error instanceof BtError)) return error;
  const isTold = error.facts.changed === "some"; // by its message and details
  const applied = done.filter((write) => !isTold && write.request !== error.facts.notApplied);
  const lines = (await describeApplied(applied)).map((name) => `already applied: ${name}`);
  if (!io.signal.aborted) lines.push(...texts);
  const detailed = lines.length > 0 ? withDetails(error, lines) : error;
  const { changed } = error.facts;
  return withFacts(detailed, { changed: applied.length > 0 && changed === "nothing" ? undefined : changed });
}

function savedTextLines({ file, flag, sends }: SavedText): string[] {
  const saved = `your text is saved in ${file}${flag ? ` (for --${flag})` : ""}`;
  return sends === undefined ? [saved] : [`${saved}; to send it:`, sends];
}

async function describeApplied(done: readonly DeliveredWrite[]): Promise<string[]> {
  if (done.length === 0) return [];
  const { describeWrite } = await import("../api/delivery/write-rows.ts");
  return done.map(({ request, response }) => `${describeWrite(request)}${idSuffix(response)}`);
}

function idSuffix(response: Json): string {
  const id = response !== null && typeof response === "object" && "id" in response ? response["id"] : undefined;
  return typeof id === "number" ? `, ${id}` : "";
}

type Failed = { argv: readonly string[]; io: Io; isWriting: boolean };

/** Reports an error on stderr, as text or JSON, and returns the exit code. */
export async function reportError(error: unknown, { argv, io, isWriting }: Failed): Promise<number> {
  if (error === READER_GONE) return 0;
  const known = asBtError(error);
  if (io.signal.aborted && !hasLeftTraces(known)) return signalExitCode(String(io.signal.reason));
  const { errorJson, errorText } = await import("../view/messages.ts");
  const record = errorRecord(known, isWriting);
  await io.err(wantsJson(argv) ? errorJson(record) : errorText(record, stderrView(argv, io)));
  if (isVeryVerbose(argv) || io.env["BT_DEBUG"]) await io.err(plain(stackTrace(error), "lines"));
  return io.signal.aborted ? signalExitCode(String(io.signal.reason)) : record.exit_code;
}

/** True for `-vv`; read from the raw arguments, which may be invalid. */
function isVeryVerbose(argv: readonly string[]): boolean {
  return (
    argv.filter((word) => word === "--verbose" || word === "-v").length > 1 || argv.some((word) => /^-vv+$/.test(word))
  );
}

/** True if an error reports changes, or parts of a job: it is shown even after an interrupt. */
function hasLeftTraces({ kind, facts }: BtError): boolean {
  return kind === "partial" || facts.changed === "unknown" || facts.changed === "some";
}

/** True if errors are printed as JSON. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word) => /^--json($|=)/.test(word)) || /^(nd)?json$/.test(rawValue(argv, "--format"));
}

function stderrView(argv: readonly string[], io: Io): View {
  const terminal = io.terminal.stderr;
  return {
    terminal,
    color: wantsColor(rawValue(argv, "--color"), terminal, io.env),
    width: io.size().columns,
    now: io.now(),
    timeZone: "UTC",
  };
}

function stackTrace(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.stack ?? ""}\n${error.cause ? stackTrace(error.cause) : ""}`;
}
