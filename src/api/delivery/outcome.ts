import type { BtError } from "../../errors.ts";
import type { Exchange, Json, JsonObject, Request, Response } from "../../wire/exchange.ts";
import { isRefusedLogin } from "../response/response.ts";
import type { Dialect } from "../search/dialect.ts";

/**
 * A write; `before` has its objects as read right before: `id` and the fields that it changes. By `key`
 * its command finds it again, as by the row of a file.
 */
export type Write = {
  readonly request: Request;
  readonly before?: readonly JsonObject[] | undefined;
  readonly key?: string | undefined;
};

/** When a write left: by the server's clock (ms), and by `ticks` of this process. */
type Departure = { readonly left?: number | undefined; readonly ticks?: number | undefined };

export type SentWrite = Write & Departure & { readonly n: number }; // its number in its job

/** A write in the journal of this machine; `sent`: it is under way, or its process was killed. */
export type KnownWrite = SentWrite & {
  readonly st: "planned" | "sent" | Outcome["st"];
  readonly response?: Json; // applied
};

/**
 * What became of a write, from the journal to the exit code; refused, too, if no byte left; `isUnseen` if
 * a look failed. `raw` is the response as it arrived; absent if none did, or if a look found the write.
 */
export type Outcome = { readonly raw?: Response | undefined } & (
  | { readonly st: "applied"; readonly response: Json }
  | { readonly st: "refused" | "unknown"; readonly error: BtError; readonly isUnseen?: true }
);

/** The response of a write that was applied. @throws BtError of any other outcome */
export function responseOf(outcome: Outcome): Json {
  if (outcome.st === "applied") return outcome.response;
  throw outcome.error;
}

/** True for a refusal for a reason that may pass, with which other writes would end, too. */
export function mayPass({ kind, facts }: Pick<BtError, "kind" | "facts">): boolean {
  return ["busy", "network", "local"].includes(kind) || isRefusedLogin(kind, facts.bugzillaCode);
}

/** The way of all writes: each command is a job, whose lines are on disk before the first request. */
export type Journal = {
  readonly tools: DeliveryTools;
  readonly begin: <Result>(plan: Plan, use: (job: OpenJob) => Promise<Result>) => Promise<Result>;
  /** Sends one write as a job of its own; returns its response. @throws BtError unless it is applied */
  readonly deliver: (command: string, write: Write) => Promise<Json>;
};

export type DeliveredWrite = Write & { readonly response: Json };

/** A command with its writes, and what a later command has to know of them. */
export type Plan = {
  readonly command: string; // `bug update`
  readonly writes: readonly Write[];
  readonly key?: string | undefined; // by which the command finds it again, such as a checksum
  readonly draft?: true; // to be finished by `bt job send`
  readonly exposes?: boolean; // the user agreed that bugs may lose their last group
  readonly guarded?: boolean; // a bug that was modified since it was read stays as it is
};

/** What is noted of a write: that it leaves, what became of it, or that it need not be sent any more. */
export type WriteNote =
  | (Departure & { readonly st: "sent"; readonly write: Write })
  | (Outcome & Departure)
  | { readonly st: "skipped" };

/** A job while its file is locked; its writes have numbers. */
export type OpenJob = {
  readonly name: string;
  readonly isStored: boolean; // false: it cannot be resumed or undone
  readonly tools: DeliveryTools;
  /** Adds writes at once that were not planned, or replaces them from `first` on; returns the first number. */
  readonly add: (writes: readonly Write[], first?: number) => number;
  /** On disk when it returns. @throws BtError of kind local */
  readonly record: (n: number, note: WriteNote) => void;
  /** The other writes to this tracker that were sent from this machine. */
  readonly otherWrites: (n: number) => readonly KnownWrite[];
};

export type DeliveryTools = {
  readonly exchange: Exchange;
  readonly isInProcess: boolean; // the tracker runs in this process, so that no response is lost
  /** The server's time (ms since the epoch), if known, and never later; and a monotonic clock (ms). */
  readonly clock: { readonly now: () => number | undefined; readonly ticks: () => number };
  readonly dialect: () => Promise<Dialect>;
  readonly login: () => Promise<string | undefined>; // of the user
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal; // ends the looks
  readonly note: (sentence: string) => void;
  readonly progress: (sentence: string) => void; // on a terminal
};
