import { type BtError, isKind, withFacts } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { type BatchOutcome, type BatchPlan, requestAll, requestEach } from "../batch.ts";
import { type BugRef, bugNames, isBugId } from "../bug-ref.ts";
import { partition } from "../lists.ts";
import { GET_BUG } from "../operations/bugs.ts";
import { commandFlagName, fitsInPath, type Parameter, requestFor, type SendRequest } from "../operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../operations/write-bugs.ts";
import { readBugs, unexpectedShapeError } from "../response/response-objects.ts";

/** Plan for reading bugs by id or alias with these fields, and those that identify a bug. */
export function bugPlan(include: readonly string[]): BatchPlan<Bug> {
  return {
    request: (refs) => {
      const names = refs.every(isBugId) ? ["id"] : ["id", "alias"];
      const flags = include.includes("_default") ? ["flags"] : []; // which not every tracker's default fields have
      const include_fields = [...new Set([...include, ...flags, ...names])].join(",");
      return requestFor(GET_BUG, { ids: refs, include_fields });
    },
    read: (response) => readBugs(response).map((thing) => ({ thing, names: bugNames(thing) })),
  };
}

/** Like `requestEach` for bugs in the path: an alias that no path can hold is resolved first. */
export async function* requestByNumber<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): AsyncGenerator<readonly BatchOutcome<Thing>[]> {
  const [aliases, others] = partition(refs, (ref) => !isBugId(ref) && !fitsInPath(ref));
  const refOf = new Map(others.map((ref) => [ref, ref]));
  for (const outcome of await requestAll(aliases, bugPlan([]), send)) {
    if ("error" in outcome) yield [outcome];
    else refOf.set(String(outcome.thing.id), outcome.ref);
  }
  for await (const batch of requestEach([...refOf.keys()], plan, send))
    yield batch.map((outcome) => ({ ...outcome, ref: refOf.get(outcome.ref) ?? outcome.ref }));
}

/**
 * Id of a bug; an alias is looked up, so that the write does not follow the alias to another bug.
 * @throws BtError of kind missing if the alias does not exist
 */
export async function readBugNumber(ref: BugRef, send: SendRequest): Promise<number> {
  return isBugId(ref) ? Number(ref) : (await readBug(ref, [], send)).id;
}

/**
 * One bug by id or alias with these fields.
 * @throws BtError of kind missing if it does not exist or is hidden
 */
export async function readBug(ref: BugRef, include: string[], send: SendRequest): Promise<Bug> {
  const [outcome] = await requestAll([ref], bugPlan(include), send);
  if (outcome === undefined) throw unexpectedShapeError(`bug ${ref}`);
  if ("error" in outcome) throw outcome.error;
  return outcome.thing;
}

/**
 * Body of a write with all bugs it refers to (dependencies, duplicates) by id. This is what is journaled: an alias may
 * name another bug by the time the write is resumed.
 */
export async function resolveBugNumbers(body: JsonObject, send: SendRequest): Promise<JsonObject> {
  const entries: [string, Json][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (!BUG_PARAMETERS.has(name)) entries.push([name, value]);
    else entries.push([name, await resolveNumbers(value, (ref) => readReferredNumber(ref, body, send))]);
  }
  return Object.fromEntries(entries);
}

/** The error of each body that refers by id to a missing bug; each bug is requested once. */
export async function findMissingBugs(bodies: JsonObject[], send: SendRequest): Promise<(BtError | undefined)[]> {
  const refs = bodies.map(referredBugs);
  const outcomes = await requestAll([...new Set(refs.flat())], bugPlan([]), send);
  const errors = new Map(outcomes.flatMap((outcome) => ("error" in outcome ? [[outcome.ref, outcome.error]] : [])));
  return bodies.map((body, at) => {
    const ref = refs[at]?.find((one) => errors.has(one)) ?? "";
    const error = errors.get(ref);
    return error && withFacts(error, { hint: `check the value of ${flagNamingBug(ref, body)}`, changed: "nothing" });
  });
}

/** Bugs that a body of a write adds or sets by id. */
function referredBugs(body: JsonObject): BugRef[] {
  const named = Object.entries(body).filter(([name]) => BUG_PARAMETERS.has(name));
  const ids = named.flatMap(([, value]) => (isObject(value) ? [value["add"], value["set"]] : [value])).flat();
  return ids.filter((id) => typeof id === "number").map(String);
}

/** Parameters of writes whose values name bugs. */
const BUG_PARAMETERS: ReadonlySet<string> = new Set(
  [...UPDATE_BUG.parameters, ...CREATE_BUG.parameters].filter(takesBugs).map(({ name }) => name),
);

function takesBugs({ kind, of }: Parameter): boolean {
  return kind === "bug" || kind === "bugs" || of === "bugs";
}

/** Id of a bug that a body refers to; an error names the flag. */
async function readReferredNumber(ref: BugRef, body: JsonObject, send: SendRequest): Promise<number> {
  return readBugNumber(ref, send).catch((error: unknown) => {
    const flag = flagNamingBug(ref, body);
    if (!isKind(error, "missing") || flag === undefined) throw error;
    throw withFacts(error, { hint: `check the value of ${flag}` });
  });
}

async function resolveNumbers(value: Json, read: (ref: BugRef) => Promise<number>): Promise<Json> {
  if (typeof value === "string") return read(value);
  if (Array.isArray(value)) return Promise.all((value as Json[]).map((item) => resolveNumbers(item, read)));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await resolveNumbers(part, read)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

/** The flag whose value is a bug (a number or an alias), in the body of a write. */
function flagNamingBug(bug: string, body: JsonObject): string | undefined {
  for (const name of ["blocks", "depends_on", "dupe_of"]) {
    const value = body[name] ?? [];
    for (const [edit, ids] of isObject(value) ? Object.entries(value) : [["", value] as const])
      if ([ids].flat().map(String).includes(bug)) return `--${edit && `${edit}-`}${commandFlagName(name)}`;
  }
  return undefined;
}
