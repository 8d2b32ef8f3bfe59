import { BtError, EXIT_CODES, withDetails, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import type { ErrorRecord } from "../view/messages.ts";
import { plain } from "../view/text.ts";
import type { Json, Request } from "../wire/exchange.ts";

/** Exit code of an error. */
export function exitCodeOf(error: BtError): number {
  return EXIT_CODES[error.kind].code;
}

/** An error as a record for JSON and for the text view. */
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

/** True if nothing can have changed: nothing was requested, or the command only reads. */
function goesWithoutSaying(asked: string | undefined, isWriting: boolean): boolean {
  return asked === undefined || (asked.startsWith("GET ") && !isWriting);
}

/** A confirmed write. */
export type AppliedWrite = { readonly request: Request; readonly answer: Json };

/** Session that records every delivered write. */
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

/**
 * Adds the request to an error about the shape of its response, and that nothing was changed if no write came before.
 */
export function withLastRequest(
  error: unknown,
  way: { readonly tracker: Session },
  done: readonly AppliedWrite[],
): unknown {
  if (!(error instanceof BtError) || error.kind !== "reply" || error.facts.asked !== undefined) return error;
  const asked = way.tracker.lastRequest();
  if (!asked?.startsWith("GET ")) return error;
  const changed = done.length === 0 ? ("nothing" as const) : undefined;
  return new BtError(error.kind, error.message, { changed, ...error.facts, asked });
}

/** Adds the writes already confirmed to an error, so the user does not repeat them. */
export async function withAppliedWrites(error: unknown, done: readonly AppliedWrite[]): Promise<unknown> {
  if (!(error instanceof BtError)) return error;
  const applied = done.filter(({ request }) => request !== error.facts.notApplied);
  if (applied.length === 0) return error;
  const told = (await namesOf(applied)).map((name) => `already applied: ${name}`);
  const { changed } = error.facts;
  return withFacts(withDetails(error, told), { changed: changed === "nothing" ? undefined : changed });
}

/** Reports confirmed writes on stderr after stdout was closed, with the ids of created objects. */
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
