import type { BtError } from "../../errors.ts";
import type { Exchange, Json, JsonObject, Request, Response } from "../../wire/exchange.ts";

import type { ResponseReader } from "../response/response.ts";

/** What became of a write, from the journal to the exit code. A write of which no byte left is refused, too. */
export type Outcome =
  | (Raw & { readonly st: "applied"; readonly response: Json })
  | (Raw & { readonly st: "refused" | "unknown"; readonly error: BtError });

export type FailedOutcome = Extract<Outcome, { error: BtError }>;

/** The response as it arrived; absent if none did, or if the write was found by a look. */
type Raw = { readonly raw?: Response | undefined };

/**
 * A write; `before` has its objects as they were read right before: the fields that it changes, and their `id`. By `key` its
 * command finds it again, as by the row of a file.
 */
export type Write = {
  readonly request: Request;
  readonly before?: readonly JsonObject[] | undefined;
  readonly key?: string | undefined;
};

/** A write that was sent: when it left by the server's clock (ms since the epoch), and by `ticks` if this process sent it. */
export type SentWrite = Write & { readonly left?: number | undefined; readonly ticks?: number | undefined };

/** A write in the journal of this machine; without `outcome` it is under way, or its process was killed. */
export type KnownWrite = SentWrite & {
  readonly outcome?: { readonly st: string; readonly response?: Json } | undefined;
};

/** Journal of one write. */
export type WriteLog = {
  readonly job: string;
  /** On disk when it returns. @throws BtError of kind local */
  readonly sent: (write: SentWrite) => void;
  readonly ended: (outcome: Outcome, left: number | undefined) => void;
  /** The other writes to this tracker that were sent from this machine. */
  readonly others: () => readonly KnownWrite[];
};

/** The server's time (ms since the epoch), never later than it is there, if it is known; and a monotonic clock (ms). */
type Clock = { readonly now: () => number | undefined; readonly ticks: () => number };

/** What the delivery of a write needs from around it. */
export type Around = {
  readonly exchange: Exchange;
  readonly read: ResponseReader;
  readonly isInProcess: boolean; // the tracker runs in this process, so that no response is lost
  readonly clock: Clock;
  readonly dialect: () => Promise<"bugzilla" | "plain">;
  readonly me: () => Promise<string | undefined>; // login
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly note: (sentence: string) => void;
};

/**
 * The response of a write that was applied.
 * @throws BtError of any other outcome
 */
export function responseOf(outcome: Outcome): Json {
  if (outcome.st === "applied") return outcome.response;
  throw outcome.error;
}
