import type { DeliveredWrite } from "../api/delivery/outcome.ts";
import { withKeySource } from "../api/identity.ts";
import { asBtError, errorRecord } from "../commands/shared/output/error-record.ts";
import type { Context, SavedText } from "../commands/verb.ts";
import { BtError, withDetails, withFacts } from "../errors.ts";
import { errorAfterWrite, type Io, READER_GONE, signalExitCode } from "../io.ts";
import type { Connection } from "../session/session.ts";
import { plain } from "../view/text.ts";
import type { Json } from "../wire/exchange.ts";
import { rawValue, wantsColor } from "./output.ts";

/**
 * The error of a command with the source of a refused key, with the writes that were applied before it, so that the user
 * does not repeat them, and with the files of saved texts. After an interrupt, which has no message, it prints the files.
 */
export async function withRunDetails(
  thrown: unknown,
  connection: Connection | undefined,
  { io, savedTexts = [] }: { io: Io; savedTexts: Context["savedTexts"] | undefined },
): Promise<unknown> {
  const texts = savedTexts.flatMap(savedTextLines);
  if (io.signal.aborted) await io.err(texts.map((line) => `${plain(line)}\n`).join(""));
  const delivered = connection?.delivered ?? [];
  const failure = delivered.length > 0 ? errorAfterWrite(thrown) : thrown;
  const error = withKeySource(failure, await connection?.keySource().catch(() => undefined));
  if (!(error instanceof BtError)) return error;
  const { changed, notApplied } = error.facts;
  const isReported = changed === "some"; // the message and details name the applied writes
  const applied = isReported ? [] : delivered.filter(({ request }) => request !== notApplied);
  const lines = (await describeWrites(applied)).map((name) => `already applied: ${name}`);
  if (!io.signal.aborted) lines.push(...texts);
  const detailed = lines.length > 0 ? withDetails(error, lines) : error;
  return applied.length > 0 && changed === "nothing" ? withFacts(detailed, { changed: undefined }) : detailed;
}

function savedTextLines({ file, flag, sends }: SavedText): string[] {
  const saved = `your text is saved in ${file}${flag ? ` (for --${flag})` : ""}`;
  return sends === undefined ? [saved] : [`${saved}; to send it:`, sends];
}

async function describeWrites(writes: readonly DeliveredWrite[]): Promise<string[]> {
  if (writes.length === 0) return [];
  const { describeWrite } = await import("../api/delivery/write-rows.ts");
  return writes.map(({ request, response }) => `${describeWrite(request)}${idSuffix(response)}`);
}

/** `, 12` for a response with the id of a new object, else "". */
function idSuffix(response: Json): string {
  const id = response !== null && typeof response === "object" && "id" in response ? response["id"] : undefined;
  return typeof id === "number" ? `, ${id}` : "";
}

type Failed = { argv: readonly string[]; io: Io; isWriting: boolean };

/** Reports an error on stderr, as text or JSON, and returns the exit code. */
export async function reportError(error: unknown, { argv, io, isWriting }: Failed): Promise<number> {
  if (error === READER_GONE) return 0;
  const failure = asBtError(error);
  if (io.signal.aborted && !mayHaveChanged(failure)) return signalExitCode(String(io.signal.reason));
  const { errorJson, errorText } = await import("../view/messages.ts");
  const record = errorRecord(failure, isWriting);
  const color = wantsColor(rawValue(argv, "--color"), io.terminal.stderr, io.env);
  await io.err(wantsJson(argv) ? errorJson(record) : errorText(record, { color }));
  if (isVeryVerbose(argv) || io.env["BT_DEBUG"]) await io.err(plain(stackTrace(error), "lines"));
  return io.signal.aborted ? signalExitCode(String(io.signal.reason)) : record.exit_code;
}

/** True for `-vv`; read from the raw arguments, which may be invalid. */
function isVeryVerbose(argv: readonly string[]): boolean {
  return (
    argv.filter((word) => word === "--verbose" || word === "-v").length > 1 || argv.some((word) => /^-vv+$/.test(word))
  );
}

/** True if the tracker may have been changed: the error is shown even after an interrupt. */
function mayHaveChanged({ kind, facts }: BtError): boolean {
  return kind === "partial" || facts.changed === "unknown" || facts.changed === "some";
}

/** True if errors are printed as JSON. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word) => /^--json($|=)/.test(word)) || /^(nd)?json$/.test(rawValue(argv, "--format"));
}

function stackTrace(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.stack ?? ""}\n${error.cause ? stackTrace(error.cause) : ""}`;
}
