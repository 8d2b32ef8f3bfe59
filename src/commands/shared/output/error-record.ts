import { BtError, EXIT_CODES } from "../../../errors.ts";
import type { ErrorRecord } from "../../../view/messages.ts";

/** An error as a record for JSON and for the text view. */
export function errorRecord(error: BtError, isWriting = false): ErrorRecord {
  const { hint, request, changed, bugzillaCode, httpStatus, details } = error.facts;
  return {
    kind: error.kind,
    exit_code: EXIT_CODES[error.kind].code,
    message: error.message,
    hint,
    details,
    request,
    changed: changed === "nothing" && isObviouslyUnchanged(request, isWriting) ? undefined : changed,
    bugzilla_code: bugzillaCode,
    http_status: httpStatus,
  };
}

/** True if nothing can have changed: nothing was requested, or the command only reads. */
function isObviouslyUnchanged(request: string | undefined, isWriting: boolean): boolean {
  return request === undefined || (request.startsWith("GET ") && !isWriting);
}

/** The error, or one of kind internal for any that is not thrown on purpose. */
export function asBtError(error: unknown): BtError {
  if (error instanceof BtError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new BtError("internal", `internal error: ${message}`, {
    cause: error,
    hint: "please report it with the command line; -vv shows the stack trace",
  });
}
