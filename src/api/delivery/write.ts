import type { BtError } from "../../errors.ts";
import type { Json, JsonObject, Request, Response } from "../../wire/exchange.ts";
import type { SendRequest } from "../operations/operation.ts";

/** A write, with the state of its objects before it, so that its outcome can be verified without a response. */
export type Write = {
  readonly request: Request;
  readonly before?: readonly JsonObject[] | undefined;
  readonly ifMatch?: string | undefined; // update tokens, for trackers that check them
  readonly onResponse?: ((response: Response) => void) | undefined; // receives it unparsed
};

/** A write, with what a search for its result found before it was sent. */
export type SentWrite = Write & {
  readonly at: number; // ms since the epoch, this machine's clock
  readonly since: string; // start of that search (ISO 8601, UTC)
  readonly alike?: readonly number[] | undefined; // ids that matched before; undefined if nobody looked
};

/** A confirmed write with its response; its results belong to no other write. */
export type ConfirmedWrite = SentWrite & { readonly response: Json };

/** Context of a verification: a way to send requests, the requester's login if known, and other writes. */
export type VerifyContext = {
  readonly send: SendRequest;
  readonly me: string | undefined;
  /** Other writes of the last day, as far as they were confirmed. */
  readonly confirmed: () => readonly ConfirmedWrite[];
};

/**
 * Result of one look at the tracker: applied (with the reconstructed response), no trace of it, several objects that
 * may be its result, refused by the tracker, or unverifiable because this kind of write leaves no readable trace.
 */
export type Verification =
  | { readonly status: "applied"; readonly response: Json }
  | { readonly status: "not-found"; readonly details?: readonly string[] }
  | { readonly status: "ambiguous"; readonly details: readonly string[] }
  | { readonly status: "refused"; readonly error: BtError }
  | { readonly status: "unverifiable" };

/** Finds objects that already look like the result of a write that is about to be sent; returns their ids. */
export type FindMatchesBefore = (sent: SentWrite, send: SendRequest) => Promise<readonly number[]>;

/** Verifies one kind of write. */
export type VerifyWrite = (sent: SentWrite, context: VerifyContext) => Promise<Verification>;

/** Properties of one kind of object for its verification: the equivalent response, and its description. */
type Judging<Thing> = {
  toResponse: (thing: Thing) => Json;
  describe: (thing: Thing) => string;
};

/**
 * Verification by the objects that look like the result of a write. They prove it only if there is one, and if nothing
 * before the write can be mistaken for it.
 */
export function judgeMatches<Thing>(
  found: readonly Thing[],
  { alike }: SentWrite,
  { toResponse, describe }: Judging<Thing>,
): Verification {
  const [only, ...more] = found;
  if (!only) return { status: "not-found" };
  if (more.length === 0 && alike) return { status: "applied", response: toResponse(only) };
  return { status: "ambiguous", details: found.map(describe) };
}

/** True if the login is the requester's; undefined if that is unknown. */
export function isRequester({ me }: VerifyContext, login: string): boolean | undefined {
  return me === undefined ? undefined : me.toLowerCase() === login.toLowerCase();
}
