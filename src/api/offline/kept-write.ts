import type { ErrorKind } from "../../errors.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import type { FieldConflict } from "../../wire/mirror.ts";
import type { Changes } from "../../wire/resources.ts";

/** Part of a job's head for a write that was made from a mirror: its place in the queue, and what it was based on. */
export type KeptWrite = {
  readonly place: number; // order in which the writes were made
  readonly mirror: string;
  readonly asOf: string | null; // start of the mirror's last sync (ISO 8601, UTC)
  readonly based?: readonly JsonObject[] | undefined; // per bug, the fields that the write sets, as in the mirror
  readonly name?: string | undefined; // temporary name of the bug that it creates
  readonly problem?: KeptProblem | undefined; // of the last attempt to send it
};

/** Reason why a kept write was not sent: fields that were changed since, or a rejection. */
export type KeptProblem = {
  readonly st: "COLLISION" | "FAILED";
  readonly kind: ErrorKind;
  readonly message: string;
  readonly conflicts?: readonly FieldConflict[] | undefined;
};

/** A job with a kept write, as far as the order of sending is concerned. */
export type KeptJob = {
  readonly job: string;
  readonly request: Request;
  readonly offline: KeptWrite;
  readonly open?: readonly string[] | undefined; // bugs that it has still to update; all of the request if absent
};

/** A kept write that was applied: when it was sent (ms, clock of this machine), and the changes of each bug. */
export type AppliedKept = {
  readonly place: number;
  readonly sentAt: number;
  readonly changes: ReadonlyMap<number, Changes>;
  readonly times: ReadonlyMap<number, ChangeTimes>;
};

/** `last_change_time` of a bug before and after an update. */
export type ChangeTimes = { readonly before: string; readonly after: string };
