import { getSystemErrorMap } from "node:util";

/** Hint of errors that a login mends, also in CI. */
export const LOG_IN = "bt auth login, or set BT_API_KEY";

/** Exit codes and their meaning. */
export const EXIT_CODES = {
  ok: { code: 0, about: "success, including a search without results" },
  no: { code: 1, about: "negative result (--fail-empty, --max, bt bug wait, unset setting, empty text)" },
  usage: { code: 2, about: "invalid flag, id, date or name, or no tracker configured; nothing was changed" },
  refused: { code: 3, about: "request rejected by the tracker" },
  auth: { code: 4, about: "not logged in, API key rejected, or permission denied" },
  missing: { code: 5, about: "bug, comment, field or group not found, or not visible to you" },
  network: { code: 6, about: "network failure (DNS, connection, TLS, timeout, truncated response)" },
  reply: { code: 7, about: "invalid response (not JSON, unexpected structure, too large)" },
  busy: { code: 8, about: "tracker overloaded or failing (429, 5xx); bt job send continues a bulk update" },
  unknown: { code: 9, about: "unknown outcome: a write may or may not have been applied" },
  partial: { code: 10, about: "partial success, or a comment not added to an unchanged bug; failed items are listed" },
  collision: { code: 11, about: "conflict: modified in the meantime" },
  local: { code: 12, about: "cannot read or write a settings file, journal or output" },
  guard: { code: 13, about: "refused for safety (redirect, key over http, bulk without --yes)" },
  internal: { code: 70, about: "internal error in bt" },
} as const satisfies Readonly<Record<string, { code: number; about: string }>>;

/** Kind of an error, which determines the exit code. */
export type ErrorKind = Exclude<keyof typeof EXIT_CODES, "ok">;

/** Optional details of an error. */
export type ErrorFacts = {
  readonly hint?: string | undefined; // what to type next
  readonly request?: string | undefined; // the redacted request: "GET https://bugs.example.org/rest/bug/7"
  readonly changed?: "nothing" | "unknown" | "some" | undefined; // effect on the tracker; absent: by the kind, else not known
  readonly bugzillaCode?: number | undefined;
  readonly bug?: string | undefined; // the number or alias that the tracker names
  readonly reason?: string | undefined; // the message without the bug, which a list of bugs names before it
  readonly httpStatus?: number | undefined;
  readonly tooBig?: boolean | undefined; // the response was too large; a smaller request may succeed
  readonly isTransient?: boolean | undefined; // the same request may succeed later, and cannot be applied twice
  readonly details?: readonly string[] | undefined; // further lines, such as one per failed item
  readonly notApplied?: unknown; // request that was accepted but not applied
  readonly cause?: unknown;
};

/** The one error thrown on purpose: kind, message and details. */
export class BtError extends Error {
  readonly kind: ErrorKind;
  readonly facts: ErrorFacts;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = "BtError";
    this.kind = kind;
    this.facts = UNCHANGING.includes(kind) ? { changed: "nothing", ...facts } : facts;
  }
}

/** Kinds of errors that change nothing: of checks, and of requests that were refused. */
const UNCHANGING: readonly ErrorKind[] = ["no", "usage", "refused", "auth", "missing", "collision", "guard"];

/** Hint for a tracker that cannot be reached. */
export const CHECK_ADDRESS = "check the address: bt config get base_url";

/** True for an error of bt of one of these kinds. */
export function isKind(error: unknown, ...kinds: ErrorKind[]): error is BtError {
  return error instanceof BtError && kinds.includes(error.kind);
}

/** True if a smaller request may succeed. */
export function isTooBig(error: unknown): boolean {
  return error instanceof BtError && error.facts.tooBig === true;
}

/** Copy of an error with added or replaced details. */
export function withFacts(error: BtError, facts: ErrorFacts): BtError {
  const copy = new BtError(error.kind, error.message, { ...error.facts, ...facts });
  if (error.stack) copy.stack = error.stack;
  return copy;
}

/** Copy of an error with further lines. */
export function withDetails(error: BtError, lines: string[]): BtError {
  return withFacts(error, { details: [...(error.facts.details ?? []), ...lines] });
}

/** Error of an invalid command line; nothing has been sent. */
export function usageError(message: string, hint?: string): BtError {
  return new BtError("usage", message, { hint });
}

/** Error of a command line that a bug does not allow: `bug 7 cannot have a resolution while open`. */
export function bugRefusal(bug: number | string, reason: string, hint?: string): BtError {
  return new BtError("usage", `bug ${bug} ${reason}`, { reason, hint });
}

/** Reason of a file system error, without its code and path. */
export function fileReason(cause: unknown): string {
  const { errno, message } = cause as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}

/** Error of kind local for a file that cannot be read or written. */
export function fileError(verb: "read" | "write", file: string, cause: unknown): BtError {
  return new BtError("local", `cannot ${verb} ${file}: ${fileReason(cause)}`, { cause });
}

/** Code of a system error, such as `ENOENT`; "" for any other error. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
