import { BtError, EXIT_CODES, withDetails, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import type { ErrorRecord } from "../view/messages.ts";
import { plain } from "../view/text.ts";
import type { Json, Request } from "../wire/exchange.ts";

/** The exit code that an error's kind stands for. */
export function exitCodeOf(error: BtError): number {
  return EXIT_CODES[error.kind].code;
}

/** An error under the names that programs read; a view makes the text or the JSON of it. */
export function errorRecord(error: BtError, isWriting = false): ErrorRecord {
  const { hint, asked, changed, bugzillaCode, httpStatus, details } = error.facts;
  return {
    kind: error.kind,
    exit_code: exitCodeOf(error),
    message: error.message,
    hint,
    details,
    asked,
    changed: changed === "nothing" && goesWithoutSaying(asked, isWriting) ? undefined : changed,
    bugzilla_code: bugzillaCode,
    http_status: httpStatus,
  };
}

/** Where nothing was asked, or a command that only reads has asked, nobody wonders whether something was changed. */
function goesWithoutSaying(asked: string | undefined, isWriting: boolean): boolean {
  return asked === undefined || (asked.startsWith("GET ") && !isWriting);
}

/** A write that the tracker has confirmed. */
export type AppliedWrite = { readonly request: Request; readonly answer: Json };

/** The same tracker, which notes every write that it has delivered. */
export function recordingWrites(tracker: Session, done: AppliedWrite[]): Session {
  return {
    ...tracker,
    deliver: async (write) => {
      const answer = await tracker.deliver(write);
      done.push({ request: write.request, answer });
      return answer;
    },
  };
}

/** An error about the shape of an answer names the request, and says so when no write has come before it. */
export function withLastRequest(
  error: unknown,
  way: { readonly tracker: Session },
  done: readonly AppliedWrite[],
): unknown {
  if (!(error instanceof BtError) || error.kind !== "reply" || error.facts.asked !== undefined) return error;
  const asked = way.tracker.lastAsked();
  if (!asked?.startsWith("GET ")) return error;
  const changed = done.length === 0 ? ("nothing" as const) : undefined;
  return new BtError(error.kind, error.message, { changed, ...error.facts, asked });
}

/** An error that came after writes names them: who reads only of a full disk would do them again. */
export async function withAppliedWrites(error: unknown, done: readonly AppliedWrite[]): Promise<unknown> {
  if (!(error instanceof BtError)) return error;
  const applied = done.filter(({ request }) => request !== error.facts.notApplied);
  if (applied.length === 0) return error;
  const told = (await namesOf(applied)).map((name) => `already done: ${name}`);
  const { changed } = error.facts;
  return withFacts(withDetails(error, told), { changed: changed === "nothing" ? undefined : changed });
}

/** Where nobody reads stdout any more, the applied writes are named on stderr, with the ids of what was created. */
export async function reportAppliedWrites(done: readonly AppliedWrite[], { err }: Pick<Io, "err">): Promise<void> {
  for (const name of await namesOf(done)) await err(`bt: applied, but stdout is closed: ${plain(name)}\n`);
}

async function namesOf(done: readonly AppliedWrite[]): Promise<readonly string[]> {
  if (done.length === 0) return [];
  const { writeKind } = await import("../api/delivery/write-kinds.ts");
  return done.map(({ request, answer }) => `${writeKind(request).describe(request)}${numberIn(answer)}`);
}

function numberIn(answer: Json): string {
  const id = answer !== null && typeof answer === "object" && "id" in answer ? answer["id"] : undefined;
  return typeof id === "number" ? `, ${id}` : "";
}
