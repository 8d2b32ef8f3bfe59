import { BtError } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { itemsIn } from "../../wire/json.ts";
import { once } from "../../wire/once.ts";
import { timestamp } from "../../wire/time.ts";
import { requestFor } from "../operations/operation.ts";
import { VERSION } from "../operations/tracker.ts";
import { isSameLogin } from "../people.ts";
import { readResponse } from "../response/response.ts";
import { writeTargets } from "../write/update-request.ts";
import type { Around, KnownWrite, SentWrite, WriteLog } from "./outcome.ts";
import { resultsOf, singleRequests, type Thing, traceOf } from "./stored.ts";
import { writeRow } from "./write-rows.ts";

/** Result of one look; `left` as far as it is known now. Candidates are lines on objects that may be the write's. */
export type Look =
  | { readonly st: "found"; readonly response: Json; readonly left?: number | undefined }
  | { readonly st: "missing"; readonly candidates: readonly string[]; readonly left?: number | undefined }
  | { readonly st: "failed"; readonly error: BtError; readonly left?: undefined };

/**
 * Looks once for a write whose answer is lost. `others` reads the other writes of this machine to the tracker; it is called
 * once the tracker was read, so that no write that made what is there is missing.
 */
export async function findApplied(sent: SentWrite, others: WriteLog["others"], around: Around): Promise<Look> {
  try {
    return await look(sent, others, around);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "failed", error };
  }
}

async function look(sent: SentWrite, others: WriteLog["others"], around: Around): Promise<Look> {
  const singles = singleRequests(sent.request);
  const found: Json[] = [];
  let left: number | undefined;
  for (const request of singles) {
    const one = await lookForOne({ ...sent, request }, others, around);
    if (one.st !== "found") return one;
    found.push(one.response);
    left = one.left;
  }
  const [only = null] = found;
  return { st: "found", response: singles.length > 1 ? { bugs: found.flatMap(bugsIn) } : only, left };
}

function bugsIn(response: Json): readonly Json[] {
  return itemsIn(Object(response).bugs);
}

async function lookForOne(sent: SentWrite, others: WriteLog["others"], around: Around): Promise<Look> {
  const { request } = sent;
  const read = async (one: Request) => readResponse(await around.exchange(one), one);
  if (sent.left === undefined && sent.ticks !== undefined) await read(requestFor(VERSION)); // for its Date
  const me = await around.me();
  const since = timeLeft(sent, around);
  const from = since === undefined ? undefined : since - CLOCKS_MS;
  const near = once(() => others().filter((other) => isNear(other, since)));
  const known = once(() => near().flatMap(resultsOf));
  const [target = ""] = writeTargets(request);
  const found = await writeRow(request)?.find({
    request,
    before: sent.before?.find(({ id }, _, all) => all.length === 1 || String(id) === target),
    read,
    me,
    since: from === undefined ? undefined : timestamp(from - CLOCKS_MS), // a bound that may be exclusive
    isOurs: (who, when) => isSameLogin(who, me) && isWithin(when, timeLeft(sent, around), around),
    isKnown: (name) => known().includes(name),
  });
  const left = timeLeft(sent, around);
  if (found === undefined) return { st: "missing", candidates: [], left };
  if ("response" in found) return { st: "found", response: found.response, left };
  const own = found.things.filter(({ who, when }) => isSameLogin(who, me ?? who) && isWithin(when, left, around));
  const equal = withoutKnown(known(), own).filter(({ isEqual }) => isEqual);
  const [only] = equal;
  if (only && equal.length === 1 && me !== undefined && !near().some((other) => isOpenTwin(other, request)))
    return { st: "found", response: only.response, left };
  const candidates = (equal.length > 0 ? equal : own).slice(0, MAX_CANDIDATES).map(({ text }) => text);
  return { st: "missing", candidates, left };
}

const MAX_CANDIDATES = 5;

/** Allowance for the steps of both clocks, each of a second. */
const CLOCKS_MS = 2000;

/** When a write left by the server's clock: the later of what the journal has and what a response to this process shows. */
function timeLeft({ left, ticks }: SentWrite, { clock }: Around): number | undefined {
  const now = clock.now();
  const shown = now === undefined || ticks === undefined ? undefined : now - (clock.ticks() - ticks);
  return left === undefined || shown === undefined ? (left ?? shown) : Math.max(left, shown);
}

function isWithin(when: string, left: number | undefined, { clock }: Around): boolean {
  const now = clock.now();
  const time = Date.parse(when);
  return left !== undefined && now !== undefined && time >= left - CLOCKS_MS && time <= now + CLOCKS_MS;
}

/** The things less one for each known result of another write. */
function withoutKnown(known: readonly string[], things: readonly Thing[]): Thing[] {
  const left = [...things];
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
function isOpenTwin({ request, outcome }: KnownWrite, sent: Request): boolean {
  const isOpen = outcome === undefined || outcome.st === "unknown";
  return isOpen && singleRequests(request).some((single) => traceOf(single) === traceOf(sent));
}

/** How long a request may wait for a lock of the tracker's database before it is applied. */
export const LOCK_MS = 60_000;
