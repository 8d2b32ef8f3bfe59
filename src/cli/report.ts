import { type BtError, EXIT_CODES } from "../errors.ts";
import type { ErrorRecord } from "../view/prose.ts";

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
