import type { BtError } from "../../errors.ts";
import type { Json, JsonObject, Reply, Request } from "../../wire/exchange.ts";
import type { SendRequest } from "../operations/operation.ts";

/** A write, with the state of its objects before it, so that its outcome can be verified without a response. */
export type Write = {
  readonly request: Request;
  readonly before?: readonly JsonObject[] | undefined;
  readonly ifMatch?: string | undefined; // update tokens, for trackers that check them
  readonly onReply?: ((reply: Reply) => void) | undefined; // receives the unparsed reply
};

/** A sent write; `at` is its send time (ms) on the tracker's clock, never later than the true one. */
export type SentWrite = Write & {
  readonly at: number;
  readonly clock: ClockSource;
  readonly alike?: readonly number[] | undefined; // ids of bugs or comments that matched before it was sent
};

/** Source of a send time: the tracker's database, the `Date` header of a response, or this machine's clock. */
export type ClockSource = "database" | "date" | "local";

/** A confirmed write with its response; its results belong to no other write. */
export type ConfirmedWrite = SentWrite & { readonly answer: Json };

/** Another write with unknown outcome that could have produced the same object. */
export type UnresolvedWrite = SentWrite & { readonly isOlder: boolean };

/** Context of a verification: a way to send requests, the requester's login if known, and other writes. */
export type VerifyContext = {
  readonly ask: SendRequest;
  readonly me: string | undefined;
  readonly confirmed: () => readonly ConfirmedWrite[];
  readonly unresolved: () => readonly UnresolvedWrite[];
};

/**
 * Result of one verification: applied (with the reconstructed response), no trace of it, overwritten by someone else,
 * contradictory evidence, refused by the tracker, or unverifiable because this kind of write leaves no readable trace.
 */
export type Verification =
  | { readonly status: "applied"; readonly answer: Json }
  | { readonly status: "not-applied" }
  | { readonly status: "overwritten" | "contradiction"; readonly details: readonly string[] }
  | { readonly status: "refused"; readonly error: BtError }
  | { readonly status: "unverifiable" };

/**
 * Finds objects that already look like the result of a write; returns their ids, or undefined if there cannot be any.
 */
export type FindMatchesBefore = (sent: SentWrite, ask: SendRequest) => Promise<readonly number[] | undefined>;

/** Verifies one kind of write. */
export type VerifyWrite = (sent: SentWrite, context: VerifyContext) => Promise<Verification>;

/**
 * Candidates left for this write after assigning the oldest matches to earlier concurrent writes. The newest are left
 * to later ones.
 */
export function ownMatches<Thing>(alike: readonly Thing[], unresolved: readonly UnresolvedWrite[]): readonly Thing[] {
  const older = unresolved.filter(({ isOlder }) => isOlder).length;
  const left = alike.slice(older);
  return left.slice(0, Math.max(1, left.length - (unresolved.length - older)));
}

/** Properties of one kind of object for its verification: its time, the equivalent response, and its description. */
type Judging<Thing> = {
  readonly time: (thing: Thing) => string | null | undefined;
  readonly answer: (thing: Thing) => Json;
  readonly describe: (thing: Thing) => string;
};

/**
 * Verification by the objects that look like the result of a write: applied if exactly one of them is not older than it.
 * An older one proves nothing, so it is a contradiction, as several are.
 */
export function judgeMatches<Thing>(
  found: readonly Thing[],
  sent: SentWrite,
  { time, answer, describe }: Judging<Thing>,
): Verification {
  const plausible = found.filter((thing) => !isOlderThanWrite(sent, time(thing)));
  const [only, ...more] = plausible.length > 0 ? plausible : found;
  if (!only) return { status: "not-applied" };
  if (more.length === 0 && plausible.length > 0) return { status: "applied", answer: answer(only) };
  return { status: "contradiction", details: [only, ...more].map(describe) };
}

/** The earliest of a write and the unresolved ones; the search starts at its send time. */
export function earliestWrite(sent: SentWrite, unresolved: readonly UnresolvedWrite[]): SentWrite {
  return unresolved.reduce<SentWrite>((first, other) => (other.at < first.at ? other : first), sent);
}

/** Start of the search for traces of a write (ISO 8601, UTC): earlier if its send time is less reliable. */
export function lookbackStart(sent: Pick<SentWrite, "at" | "clock">): string {
  return secondsBeforeWrite(sent, LOOKBACK_S[sent.clock]);
}

/**
 * Maximum difference of clocks; beyond it, nothing is concluded. A `Date` header is trusted to a day. Old journals hold
 * only this machine's clock and no matches before the write.
 */
export const TOLERANCE_S = 60;
const DAY_S = 24 * 60 * 60;
const LOOKBACK_S: Readonly<Record<ClockSource, number>> = { database: 2 * TOLERANCE_S, date: DAY_S, local: 2 };

/** Start of the search for matches before a write (ISO 8601, UTC). */
export function dayBeforeWrite(sent: Pick<SentWrite, "at">): string {
  return secondsBeforeWrite(sent, DAY_S);
}

/** A moment before the write (ISO 8601, UTC). */
export function secondsBeforeWrite({ at }: Pick<SentWrite, "at">, seconds: number): string {
  return `${new Date(at - seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** True if a timestamp precedes the write according to the database clock. */
export function isOlderThanWrite(
  { at, clock }: Pick<SentWrite, "at" | "clock">,
  time: string | null | undefined,
): boolean {
  return clock === "database" && Date.parse(time ?? "") < Math.floor(at / 1000) * 1000;
}

/** True if the login is the requester's; undefined if that is unknown. */
export function isRequester({ me }: VerifyContext, login: string): boolean | undefined {
  return me === undefined ? undefined : me.toLowerCase() === login.toLowerCase();
}
