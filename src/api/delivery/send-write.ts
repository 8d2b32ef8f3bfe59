import { BtError, withFacts } from "../../errors.ts";
import type { Request } from "../../wire/exchange.ts";
import { requestFor } from "../operations/operation.ts";
import { VERSION } from "../operations/tracker.ts";
import { invalidResponseError } from "../response/response-errors.ts";
import { requestBody } from "../write/update-request.ts";
import { findApplied, type Look, timeLeft } from "./find-applied.ts";
import type { Around, Outcome, SentWrite, Write, WriteLog } from "./outcome.ts";
import { describeWrite, isResponseTo, writeRow } from "./write-rows.ts";

/** Journals a write, sends it once, and looks for it if the response does not say what became of it. */
export async function sendWrite(write: Write, log: WriteLog, around: Around): Promise<Outcome> {
  const { clock } = around;
  if (!around.isInProcess) await warnOfLostCharacters(write.request, around);
  const sent = { ...write, left: clock.now(), ticks: clock.ticks() };
  try {
    log.sent(sent);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "refused", error: withFacts(error, { changed: "nothing" }) };
  }
  const answer = withJob(await sendOnce(write.request, around), log.job);
  const isLost = answer.st === "unknown" && answer.error.kind !== "guard"; // a redirect would mislead the looks, too
  const outcome = isLost ? await lookUntilFound(sent, answer.error, { log, around }) : answer;
  try {
    log.ended(outcome, timeLeft(sent, clock));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    around.note(`the journal is incomplete: ${error.message}`);
  }
  return outcome;
}

/** Unknown: nothing arrived, or what arrived does not say what became of the write. */
async function sendOnce(request: Request, around: Around): Promise<Outcome> {
  let raw: Outcome["raw"];
  try {
    const response = await around.exchange(request);
    raw = response;
    const mayBeOwn = response.status >= 400 && response.status < 500 && response.body.trimStart().startsWith("{");
    const json = await around.read(response, request, mayBeOwn && (await around.dialect()) === "plain");
    if (isResponseTo(request, json)) return { st: "applied", response: json, raw };
    throw invalidResponseError(request, "does not match the request");
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: error.facts.changed === "unknown" && !around.isInProcess ? "unknown" : "refused", error, raw };
  }
}

/** A write that did not reach the tracker stays in its job. */
function withJob(outcome: Outcome, job: string): Outcome {
  if (outcome.st !== "refused" || outcome.error.kind !== "network") return outcome;
  const hint = `nothing was sent; once the tracker can be reached: bt job send ${job}`;
  return { ...outcome, error: withFacts(outcome.error, { hint }) };
}

async function lookUntilFound(
  sent: SentWrite,
  lost: BtError,
  { log, around }: { readonly log: WriteLog; readonly around: Around },
): Promise<Outcome> {
  const { sleep, isStopped, note } = around;
  let look: Look = { st: "failed", error: lost };
  for (const pause of lookPauses(sent, lost)) {
    await sleep(pause);
    if (isStopped()) break;
    look = await findApplied(sent, log.others, around);
    if (look.st === "found") {
      note(`${describeWrite(sent.request)} was verified as applied after a lost response (${lost.message})`);
      return { st: "applied", response: look.response };
    }
  }
  return { st: "unknown", error: unknownError(sent, lost, look, log.job) };
}

/** Pauses before the looks (ms): the request may still run, unless the tracker reported an error. */
function lookPauses({ request }: SentWrite, { facts: { bugzillaCode } }: BtError): readonly number[] {
  if (writeRow(request) === undefined) return [];
  return bugzillaCode === undefined ? [1000, 2000, 4000, 8000, 15_000] : [1000, 2000];
}

/** Error of a write that was looked for; `lost` is why, absent for a write of an earlier command. */
export function unknownError({ request }: SentWrite, lost: BtError | undefined, look: Look, job: string): BtError {
  const reason = lost ? `: ${lost.message}` : "";
  const missed = look.st === "missing" && look.candidates.length === 0 ? ["it was not found on the tracker"] : [];
  const failed = look.st === "failed" && look.error !== lost ? [`the look for it failed: ${look.error.message}`] : [];
  const isSought = writeRow(request) !== undefined;
  return new BtError("unknown", `unknown outcome of ${describeWrite(request)}${reason}`, {
    request: `${request.method} ${request.path}`,
    details: [...missed, ...failed, ...(look.st === "missing" ? look.candidates : [])],
    hint: isSought ? `bt job send ${job} looks for it again` : "check the tracker before you retry",
    changed: "unknown",
    cause: lost,
  });
}

/**
 * Warns of characters, such as emoji, that Bugzilla 5.0 stores as question marks: the `utf8` of MySQL has three bytes for a
 * character. Comments are stored as they are.
 * @see Bugzilla/Comment.pm of Bugzilla 5.0
 */
async function warnOfLostCharacters(request: Request, { exchange, read, note }: Around): Promise<void> {
  const { comment: _, data: __, description, ...values } = requestBody(request);
  const texts = request.method === "POST" ? values : { ...values, description: description ?? null };
  const [lost] = /[\u{10000}-\u{10FFFF}]/u.exec(JSON.stringify(texts)) ?? [];
  if (lost === undefined) return;
  const version = requestFor(VERSION);
  const response = exchange(version).then((one) => read(one, version));
  const { version: name = "" } = Object(await response.catch(() => undefined));
  if (/^5\.0\b/.test(name)) note(`this tracker stores characters such as ${lost} as ????`);
}
