import type { Bug } from "../../wire/bug-fields.ts";
import { DAY_MS, timestamp } from "../../wire/time.ts";
import type { FactStore } from "../fact-store.ts";
import { EVERY_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugs } from "../response/response-objects.ts";
import type { RowSupport } from "./row-support.ts";
import { wallClockIn } from "./time-zone.ts";

/**
 * Time zone in which a tracker reads the times of search rows and custom fields. `proven` is certain; `possible` lists all
 * IANA zones consistent with the times of its bugs, empty if not determined.
 */
export type ServerZone = {
  readonly proven: string | undefined;
  readonly possible: readonly string[];
};

/** The zone of a tracker whose clock is known. */
export function knownZone(name: string): ServerZone {
  return { proven: name, possible: [name] };
}

/** Zone of a tracker that searches by times only as parameters, which have a zone of their own. */
const UNKNOWN_ZONE: ServerZone = { proven: undefined, possible: [] };

/** The zone, cached for a week if proven and for a day otherwise, or determined now. */
export async function findServerZone(
  send: SendRequest,
  rows: RowSupport,
  store: FactStore,
  now: Date,
): Promise<ServerZone> {
  if (((await rows.known()) ?? (await rows.settleUnlessEmpty())) === false) return UNKNOWN_ZONE;
  const stored = await store.read("zone");
  const age = now.getTime() - Number(stored?.["seen"]);
  const finding = FINDINGS.find((one) => one === stored?.["finding"]);
  const isFresh = age >= 0 && age < (finding === "utc" ? 7 : 1) * DAY_MS;
  const possible = stored?.["possible"];
  if (finding !== undefined && isFresh && Array.isArray(possible)) return zoneOfFinding(finding, possible.map(String));
  const found = await determineZone(send);
  await store.write("zone", { ...found, seen: now.getTime() });
  return zoneOfFinding(found.finding, found.possible);
}

function zoneOfFinding(finding: Finding, possible: readonly string[]): ServerZone {
  return finding === "utc" ? knownZone("UTC") : { proven: undefined, possible };
}

const FINDINGS = ["utc", "utc in one season", "another", "no bugs"] as const;

type Finding = (typeof FINDINGS)[number];

/**
 * Determines whether the tracker's clock is in UTC. Servers report "UTC" whatever their zone, so bugs with known times
 * are searched for by their time in UTC. Two bugs half a year apart tell UTC from a zone that equals it in winter only.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html#time
 */
async function determineZone(
  send: SendRequest,
): Promise<{ readonly finding: Finding; readonly possible: readonly string[] }> {
  const newest = await readSampleBugs(send, [["order", "bug_id DESC"], ...EVERY_BUG]);
  const [first] = newest;
  if (first === undefined) return { finding: "no bugs", possible: ["UTC"] };
  const [from, to] = [195, 165].map((days) => timestamp(Date.parse(first.creation_time) - days * DAY_MS));
  const half = await readSampleBugs(send, [
    ["order", "opendate"],
    ["creation_time", from ?? ""],
  ]);
  const older = half.filter(({ creation_time }) => creation_time <= (to ?? ""));
  const samples = [first, ...older.slice(0, 1)];
  const confirmed = await findBugsAtTimes(
    send,
    samples.map((bug) => [bug, [localCreationTime("UTC", bug)]] as const),
  );
  if (samples.every(({ id }) => confirmed.has(id))) {
    return { finding: samples.length === 2 ? "utc" : "utc in one season", possible: ["UTC"] };
  }
  const zones = await findConsistentZones(Intl.supportedValuesOf("timeZone"), newest, send);
  return { finding: "another", possible: older.length > 0 ? await findConsistentZones(zones, older, send) : zones };
}

/**
 * Zones consistent with the times of these bugs. Each bug is searched for by its time in about half of the zones, so
 * that a few bugs in one request tell all offsets apart.
 */
async function findConsistentZones(
  zones: readonly string[],
  bugs: Sample[],
  send: SendRequest,
): Promise<readonly string[]> {
  const [first] = bugs;
  if (first === undefined) return zones;
  const clocks = [...new Set(zones.map((zone) => localCreationTime(zone, first)))];
  const numberOf = new Map(clocks.map((text, at) => [text, 1 + (at % (2 ** bugs.length - 1))]));
  const isAsked = (zone: string, bit: number) => ((numberOf.get(localCreationTime(zone, first)) ?? 0) >> bit) % 2 === 1;
  const tests = bugs.map((bug, bit) => {
    const times = zones.filter((zone) => isAsked(zone, bit)).map((zone) => localCreationTime(zone, bug));
    return [bug, [...new Set(times)]] as const;
  });
  const found = await findBugsAtTimes(
    send,
    tests.filter(([, times]) => times.length > 0),
  );
  if (found.size === 0) return [];
  return zones.filter((zone) =>
    tests.every(([bug, times]) => times.includes(localCreationTime(zone, bug)) === found.has(bug.id)),
  );
}

/** Local time in the zone when the bug was created. */
function localCreationTime(zone: string, { creation_time }: Sample): string {
  return wallClockIn(zone, Date.parse(creation_time));
}

type Pairs = readonly (readonly [string, string])[];
type Sample = { id: number; creation_time: string };

const SAMPLES = 6; // distinguishes 63 offsets; about 40 are in use

async function readSampleBugs(send: SendRequest, query: Pairs): Promise<Sample[]> {
  const shape: Pairs = [
    ["include_fields", "id,creation_time"],
    ["limit", String(SAMPLES)],
  ];
  return readBugs(await send(requestFor(SEARCH_BUGS, [...query, ...shape]))).filter(isSample);
}

function isSample(bug: Bug): bug is Bug & Sample {
  return typeof bug.id === "number" && Number.isFinite(Date.parse(bug.creation_time ?? ""));
}

type ClockTest = readonly [bug: Sample, times: readonly string[]];

/** Ids of the bugs created when the tracker's clock showed one of the given times. */
async function findBugsAtTimes(send: SendRequest, tests: readonly ClockTest[]): Promise<ReadonlySet<unknown>> {
  const shape: Pairs = [
    ["j_top", "OR"],
    ["include_fields", "id"],
    ["limit", String(tests.length)],
  ];
  const bugs = readBugs(await send(requestFor(SEARCH_BUGS, [...tests.flatMap(clockTestRows), ...shape])));
  return new Set(bugs.map(({ id }) => id));
}

function clockTestRows([{ id }, times]: ClockTest, at: number): Pairs {
  const first = 4 * at + 1;
  return [
    [`f${first}`, "OP"],
    [`f${first + 1}`, "bug_id"],
    [`o${first + 1}`, "equals"],
    [`v${first + 1}`, String(id)],
    [`f${first + 2}`, "creation_ts"],
    [`o${first + 2}`, "anyexact"],
    [`v${first + 2}`, times.join(",")],
    [`f${first + 3}`, "CP"],
  ];
}
