import type { BtError } from "../../errors.ts";
import type { Json, JsonObject, Reply, Request } from "../../wire/exchange.ts";
import type { SendRequest } from "../operations/operation.ts";
import { isObject } from "../response/response-objects.ts";

/** A write, and the things it changes as they stood before it, so that its outcome can be found out without an answer. */
export type Write = {
  readonly request: Request;
  readonly before?: readonly JsonObject[] | undefined;
  readonly ifMatch?: string | undefined; // update tokens that must still hold, for trackers that look at them
  readonly heard?: ((reply: Reply) => void) | undefined; // is told the tracker's reply as it came
};

/** A write that has left; `at` is the moment in milliseconds on the tracker's clock, never later than it really was. */
export type SentWrite = Write & {
  readonly at: number;
  readonly clock: ClockSource;
  readonly alike?: readonly number[] | undefined; // bugs or comments that were there before and say the same, where it was asked
};

/** Where the moment of a sending comes from: the tracker's database, the `Date` of a response, or this machine's clock. */
export type ClockSource = "database" | "date" | "local";

/** A write that is known to have been done, with its answer: what it made must not be taken for the work of another. */
export type ConfirmedWrite = SentWrite & { readonly answer: Json };

/** A write whose outcome is not known either: of equal things the older of two writes is given the first. */
export type UnresolvedWrite = SentWrite & { readonly isOlder: boolean };

/** What a look for the outcome of a write may use: questions, the requester's login as far as it is known, other writes. */
export type VerifyContext = {
  readonly ask: SendRequest;
  readonly me: string | undefined;
  readonly settled: () => readonly ConfirmedWrite[];
  readonly rivals: () => readonly UnresolvedWrite[];
};

/**
 * What a look showed: the write was done (with the answer that was lost), no trace of it, somebody else's change in its
 * place, signs that contradict each other, that the tracker refuses it, or nothing, since this kind of write leaves no
 * trace that can be read.
 */
export type Verification =
  | { readonly sight: "present"; readonly answer: Json }
  | { readonly sight: "absent" }
  | { readonly sight: "overwritten" | "contradiction"; readonly details: readonly string[] }
  | { readonly sight: "refused"; readonly error: BtError }
  | { readonly sight: "hidden" };

/** What is there before a write and looks like its work, by number; undefined where nothing can. */
export type FindMatchesBefore = (sent: SentWrite, ask: SendRequest) => Promise<readonly number[] | undefined>;

/** How one kind of write is looked for. */
export type VerifyWrite = (sent: SentWrite, eyes: VerifyContext) => Promise<Verification>;

/** The body of a write as an object; a text that is none counts as empty. */
export function requestBody({ body }: Pick<Request, "body">): JsonObject {
  if (typeof body !== "string") return body ?? {};
  try {
    const json = JSON.parse(body) as Json;
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
}

/**
 * The things that an update is about: the first `ids` of its query, else those of its body, one or a list, else the one in its
 * path.
 * @see Bugzilla/WebService/Server/REST.pm of Bugzilla
 */
export function writeTargets(request: Request): readonly string[] {
  const [, inQuery] = request.query.find(([name]) => name === "ids") ?? [];
  const ids = inQuery ?? requestBody(request)["ids"];
  if (ids !== undefined && ids !== null) return [ids].flat().map(String);
  return [decodeURIComponent(request.path.split("/")[3] ?? "")];
}

/** Of equal things, the oldest first, those that may be the work of a write: older rivals take theirs first, younger ones last. */
export function ownMatches<Thing>(alike: readonly Thing[], rivals: readonly UnresolvedWrite[]): readonly Thing[] {
  const older = rivals.filter(({ isOlder }) => isOlder).length;
  const left = alike.slice(older);
  return left.slice(0, Math.max(1, left.length - (rivals.length - older)));
}

/** The first of a write and its rivals, from which on all that they made is found. */
export function earliestWrite(sent: SentWrite, rivals: readonly UnresolvedWrite[]): SentWrite {
  return rivals.reduce<SentWrite>((first, rival) => (rival.at < first.at ? rival : first), sent);
}

/** From when on a trace of a write is looked for: the less its moment can be relied on, the earlier. */
export function since(sent: Pick<SentWrite, "at" | "clock">): string {
  return secondsBeforeWrite(sent, REACH_S[sent.clock]);
}

/**
 * Clocks differ by less than this, or nothing is concluded from them, and a `Date` by less than a day. A moment on this
 * machine's clock is all that old journals tell, which say nothing of what was there before.
 */
export const TOLERANCE_S = 60;
const DAY_S = 24 * 60 * 60;
const REACH_S: Readonly<Record<ClockSource, number>> = { database: 2 * TOLERANCE_S, date: DAY_S, local: 2 };

/** From when on what looks like the work of a write is taken down before it is sent. */
export function dayBeforeWrite(sent: Pick<SentWrite, "at">): string {
  return secondsBeforeWrite(sent, DAY_S);
}

/** So many seconds before a write. */
export function secondsBeforeWrite({ at }: Pick<SentWrite, "at">, seconds: number): string {
  return `${new Date(at - seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Whether something is older than a write, so that only a clock that was set back could have made it its work. */
export function isOlderThanWrite(
  { at, clock }: Pick<SentWrite, "at" | "clock">,
  time: string | null | undefined,
): boolean {
  return clock === "database" && Date.parse(time ?? "") < Math.floor(at / 1000) * 1000;
}

/** Whether a login is the requester's own; undefined when it is not known who that is. */
export function isRequester({ me }: VerifyContext, login: string): boolean | undefined {
  return me === undefined ? undefined : me.toLowerCase() === login.toLowerCase();
}
