import { BtError } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { itemsIn } from "../../wire/json.ts";
import { once } from "../../wire/once.ts";
import { timestamp } from "../../wire/time.ts";
import { requestFor } from "../operations/operation.ts";
import { VERSION } from "../operations/tracker.ts";
import { isSameLogin } from "../people.ts";
import { readResponse } from "../response/response.ts";
import { type Candidate, resultsOf, traceOf } from "./find-stored.ts";
import type { DeliveryTools, KnownWrite, SentWrite } from "./outcome.ts";
import { splitWrite, writeRow } from "./write-rows.ts";

/** Result of one look. Candidates name objects that may be the write's. */
export type Look =
  | { readonly st: "found"; readonly response: Json }
  | { readonly st: "missing"; readonly candidates: readonly string[] }
  | { readonly st: "failed"; readonly error: BtError };

/**
 * Looks once for a write whose response is lost. `others` reads the other writes of this machine; it
 * is called after the tracker was read, so that it has every write that made what is there.
 */
export async function findApplied(sent: SentWrite, others: Others, tools: DeliveryTools): Promise<Look> {
  try {
    const singles = splitWrite(sent);
    if (singles.length === 0) return await lookForOne(sent, others, tools);
    const bugs: Json[] = [];
    for (const single of singles) {
      const look = await lookForOne({ ...sent, ...single }, others, tools);
      if (look.st !== "found") return look;
      bugs.push(...itemsIn(Object(look.response).bugs));
    }
    return { st: "found", response: { bugs } };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "failed", error };
  }
}

type Others = () => readonly KnownWrite[];

async function lookForOne(sent: SentWrite, others: Others, tools: DeliveryTools): Promise<Look> {
  const { request } = sent;
  const { clock } = tools;
  const read = async (one: Request) => readResponse(await tools.exchange(one), one);
  if (sent.left === undefined && sent.ticks !== undefined) await read(requestFor(VERSION)); // for its Date
  const me = await tools.login();
  const left = timeLeft(sent, clock);
  const near = once(() => others().filter((other) => isNear(other, left)));
  const known = once(() => near().flatMap(resultsOf));
  const isOurs = (who: string, when: string) => isSameLogin(who, me ?? who) && isWithin(when, sent, clock);
  const found = await writeRow(request)?.find({
    request,
    before: sent.before ?? [],
    read,
    me,
    since: left === undefined ? undefined : timestamp(left - 2 * CLOCKS_MS), // a bound that may be exclusive
    isOurs: (who, when) => me !== undefined && isOurs(who, when),
    isKnown: (name) => known().includes(name),
  });
  if (found === undefined) return { st: "missing", candidates: [] };
  if ("response" in found) return { st: "found", response: found.response };
  const own = found.filter(({ who, when }) => isOurs(who, when));
  const equal = withoutKnown(known(), own).filter(({ isEqual }) => isEqual);
  const [only] = equal;
  if (only && equal.length === 1 && me !== undefined && !near().some((other) => isOpenTwin(other, request)))
    return { st: "found", response: only.response };
  const candidates = (equal.length > 0 ? equal : own)
    .slice(0, MAX_CANDIDATES)
    .map(({ names, when }) => `${names[0]} of ${when}`);
  return { st: "missing", candidates };
}

const MAX_CANDIDATES = 5;

/** Allowance for the steps of both clocks, each of a second. */
const CLOCKS_MS = 2000;

/** When a write left by the server's clock: the later of the journal's and of what a response shows. */
export function timeLeft({ left, ticks }: SentWrite, clock: DeliveryTools["clock"]): number | undefined {
  const now = clock.now();
  const shown = now === undefined || ticks === undefined ? undefined : now - (clock.ticks() - ticks);
  return left === undefined || shown === undefined ? (left ?? shown) : Math.max(left, shown);
}

function isWithin(when: string, sent: SentWrite, clock: DeliveryTools["clock"]): boolean {
  const [left, now, time] = [timeLeft(sent, clock), clock.now(), Date.parse(when)];
  return left !== undefined && now !== undefined && time >= left - CLOCKS_MS && time <= now + CLOCKS_MS;
}

/** The candidates, without one for each known result of another write. */
function withoutKnown(known: readonly string[], candidates: readonly Candidate[]): Candidate[] {
  const left = [...candidates];
  for (const name of known) {
    const at = left.findIndex(({ names }) => names.includes(name));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
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
