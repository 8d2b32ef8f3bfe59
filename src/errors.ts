/** Exit codes and their meaning, for help, documentation and the entry point. */
export const EXIT_CODES = {
  ok: { code: 0, about: "done, the answer checked, all output written; an empty search is ok too" },
  no: { code: 1, about: 'the answer to the question is "no" (--fail-empty)' },
  usage: { code: 2, about: "bad flag, id, date or name, or no tracker configured; refused before anything was sent" },
  refused: { code: 3, about: "the tracker understood and said no" },
  auth: { code: 4, about: "not logged in, key not accepted, or not permitted" },
  missing: { code: 5, about: "no such bug, comment, field or group, or not visible to you" },
  network: { code: 6, about: "could not get through: name, connection, TLS, time-out, cut answer" },
  reply: { code: 7, about: "an answer, but not of this interface: not JSON, wrong shape, too big" },
  busy: { code: 8, about: "the tracker is overloaded or broken (429, 5xx) and stayed so" },
  unknown: { code: 9, about: "a write may have been applied, and it could not be found out" },
  partial: { code: 10, about: "some items done, some not; each is named" },
  collision: { code: 11, about: "somebody else changed it since" },
  local: { code: 12, about: "a configuration file, journal or output could not be read or written" },
  guard: { code: 13, about: "refused for safety: foreign redirect, key over plain http, bulk change without --yes" },
  internal: { code: 70, about: "a fault in bt itself" },
} as const;

/** Kind of an error, which determines the exit code. */
export type ErrorKind = Exclude<keyof typeof EXIT_CODES, "ok">;

/** Optional details of an error. */
export type ErrorFacts = {
  readonly hint?: string | undefined; // what to type next
  readonly asked?: string | undefined; // the redacted request: "GET https://bugs.example.org/rest/bug/7"
  readonly changed?: "nothing" | "unknown" | "some" | undefined; // effect on the tracker
  readonly bugzillaCode?: number | undefined;
  readonly httpStatus?: number | undefined;
  readonly tooBig?: boolean | undefined; // the response was too large; a smaller request may succeed
  readonly isRolledBack?: boolean | undefined; // the tracker rolled back the write, which may be resent
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
    this.facts = facts;
  }
}

/** True if a smaller request may succeed. */
export function isTooBig(error: unknown): boolean {
  return error instanceof BtError && error.facts.tooBig === true;
}

/** Copy of an error with added or replaced details. */
export function withFacts(error: BtError, facts: ErrorFacts): BtError {
  return new BtError(error.kind, error.message, { ...error.facts, ...facts });
}

/** Copy of an error with further lines. */
export function withDetails(error: BtError, lines: readonly string[]): BtError {
  return withFacts(error, { details: [...(error.facts.details ?? []), ...lines] });
}

/** Error of an invalid command line; nothing has been sent. */
export function usage(message: string, hint?: string): BtError {
  return new BtError("usage", message, { hint, changed: "nothing" });
}

/** Reason of a file system error in plain words. */
export function fileReason(cause: unknown): string {
  return REASONS.get(systemErrorCode(cause)) ?? (cause instanceof Error ? cause.message : String(cause));
}

/** Code of a system error, such as `ENOENT`. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space left on the device"],
  ["EFBIG", "it would be larger than the system allows"],
  ["EDQUOT", "the disk quota is used up"],
  ["EISDIR", "it is a directory"],
  ["ELOOP", "it is a symbolic link"],
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a file is in the place of a folder"],
  ["EEXIST", "a file is in the place of a folder"],
  ["ENXIO", "it is not a file"],
]);
