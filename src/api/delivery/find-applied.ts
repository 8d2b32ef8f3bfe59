import { BtError } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { itemsIn } from "../../wire/json.ts";
import { once } from "../../wire/once.ts";
import { timestamp } from "../../wire/time.ts";
import { requestFor } from "../operations/operation.ts";
import { VERSION } from "../operations/tracker.ts";
import { isSameLogin } from "../people.ts";
import { readResponse } from "../response/response.ts";
import { resultsOf, traceOf } from "./find-stored.ts";
import type { DeliveryTools, KnownWrite, OpenJob, Outcome, SentWrite } from "./outcome.ts";
import { describeWrite, splitWrite, writeRow } from "./write-rows.ts";

/** Looks once for a write whose response is `lost`; that is absent for a write of an earlier command. */
export async function findApplied(sent: SentWrite, job: OpenJob, lost?: BtError): Promise<Outcome> {
  try {
    const singles = splitWrite(sent);
    const responses: Json[] = [];
    for (const single of singles.length > 0 ? singles : [sent]) {
      const look = await lookForOne({ ...sent, ...single }, job);
      if ("candidates" in look) return unknownOutcome(sent, job, lost, look.candidates);
      responses.push(look.response);
    }
    const bugs = responses.flatMap((one) => itemsIn(Object(one).bugs));
    return { st: "applied", response: singles.length > 0 ? { bugs } : (responses[0] ?? null) };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { ...unknownOutcome(sent, job, lost, [`the look for it failed: ${error.message}`]), isUnseen: true };
  }
}

/** The outcome of a write that was not found, or not looked for, with `details` about the look. */
export function unknownOutcome(
  { request }: SentWrite,
  job: OpenJob,
  lost: BtError | undefined,
  details: readonly string[],
): Outcome & { readonly st: "unknown" } {
  const isLookedFor = writeRow(request) !== undefined;
  const reason = lost ? `: ${lost.message}` : "";
  const error = new BtError("unknown", `unknown outcome of ${describeWrite(request)}${reason}`, {
    request: `${request.method} ${request.path}`,
    details,
    hint: isLookedFor ? `bt job send ${job.name} looks for it again` : "check the tracker before you retry",
    changed: "unknown",
    cause: lost,
  });
  return { st: "unknown", error };
}

type Look = { readonly response: Json } | { readonly candidates: readonly string[] };

/**
 * The response of a write, if it is certain what it made; else what it may have made. Other writes
 * of this machine are read after the tracker, so that they include all whose results it has.
 */
async function lookForOne(sent: SentWrite, { otherWrites, tools }: OpenJob): Promise<Look> {
  const { request } = sent;
  const { clock } = tools;
  const read = async (one: Request) => readResponse(await tools.exchange(one), one);
  if (sent.left === undefined && sent.ticks !== undefined) await read(requestFor(VERSION)); // for its Date
  const me = await tools.login();
  const left = departureTime(sent, clock);
  const near = once(() => otherWrites(sent.n).filter((other) => isNear(other, left)));
  const resultsOfOthers = once(() => near().flatMap(resultsOf));
  const isSince = (when: string) => isWithin(when, sent, clock);
  const isOurs = (who: string, when: string) => me !== undefined && isSameLogin(who, me) && isSince(when);
  const isKnown = (name: string) => resultsOfOthers().includes(name);
  const since = left === undefined ? undefined : timestamp(left - 2 * CLOCKS_MS); // a bound that may be exclusive
  const found = await writeRow(request)?.find({ request, before: sent.before ?? [], read, me, since, isOurs, isKnown });
  if (found === undefined) return { candidates: ["it cannot be found"] };
  if ("response" in found) return found;
  const own = found.filter(({ who, when }) => (me === undefined ? isSince(when) : isOurs(who, when)));
  const equal = own.filter(({ isEqual, names }) => isEqual && !names.some(isKnown));
  const [only] = equal;
  const isCertain = equal.length === 1 && me !== undefined && !near().some((other) => isOpenTwin(other, request));
  if (only && isCertain) return only;
  const possible = equal.length > 0 ? equal : own;
  if (possible.length === 0) return { candidates: ["it was not found on the tracker"] };
  return { candidates: possible.slice(0, MAX_CANDIDATES).map(({ names, when }) => `${names[0]} of ${when}`) };
}

const MAX_CANDIDATES = 5;

/** Allowance for the steps of both clocks, each of a second. */
const CLOCKS_MS = 2000;

/** When a write left, by the server's clock (ms): the later of what journal and responses say. */
export function departureTime({ left, ticks }: SentWrite, clock: DeliveryTools["clock"]): number | undefined {
  const now = clock.now();
  const shown = now === undefined || ticks === undefined ? undefined : now - (clock.ticks() - ticks);
  return left === undefined || shown === undefined ? (left ?? shown) : Math.max(left, shown);
}

/** True for a time between the departure of a write and now, by the server's clock. */
function isWithin(when: string, sent: SentWrite, clock: DeliveryTools["clock"]): boolean {
  const [left, now, time] = [departureTime(sent, clock), clock.now(), Date.parse(when)];
  return left !== undefined && now !== undefined && time >= left - CLOCKS_MS && time <= now + CLOCKS_MS;
}

/** True for a write that left late enough that what it made may be stamped after this one left. */
function isNear({ left }: KnownWrite, since: number | undefined): boolean {
  return left === undefined || since === undefined || left > since - LOCK_MS;
}

/** True for a write of the same content that may still be applied, or was without our knowledge. */
function isOpenTwin(other: KnownWrite, sent: Request): boolean {
  if (other.st !== "sent" && other.st !== "unknown") return false;
  return [other, ...splitWrite(other)].some(({ request }) => traceOf(request) === traceOf(sent));
}

/** How long a request may wait for a lock of the tracker's database before it is applied. */
export const LOCK_MS = 60_000;
