import type { Bug } from "../wire/bug-fields.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { SEARCH_BUGS } from "./operations/bugs.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { readBugs } from "./response/response-objects.ts";
import { wallClockIn } from "./time-zone.ts";

/**
 * In which zone a tracker reads the times of search rows and of custom fields. `proven` is certain; `assumed` is what is
 * good enough for a time that is read back, undefined when the tracker's zone is not UTC; `possible` are the IANA names of
 * all zones that agree with the times of its bugs, none when it was not found out.
 */
export type ServerZone = {
  readonly proven: string | undefined;
  readonly assumed: string | undefined;
  readonly possible: readonly string[];
};

/** The zone of a tracker that is known to keep its clock in it. */
export function knownZone(name: string): ServerZone {
  return { proven: name, assumed: name, possible: [name] };
}

/** Where facts about a tracker are kept. */
type Store = {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** The zone as it was found out before, for a week when it was proven, else for a day; or found out now. */
export async function serverZone(ask: SendRequest, store: Store, now: Date): Promise<ServerZone> {
  const kept = await store.read("zone");
  const age = now.getTime() - Number(kept?.["seen"]);
  const finding = FINDINGS.find((one) => one === kept?.["finding"]);
  const isFresh = age >= 0 && age < (finding === "utc" ? 7 : 1) * DAY;
  const possible = kept?.["possible"];
  if (finding !== undefined && isFresh && Array.isArray(possible)) return zoneOf(finding, possible.map(String));
  const found = await find(ask);
  await store.write("zone", { ...found, seen: now.getTime() });
  return zoneOf(found.finding, found.possible);
}

function zoneOf(finding: Finding, possible: readonly string[]): ServerZone {
  if (finding === "utc") return knownZone("UTC");
  return { proven: undefined, assumed: finding === "another" ? undefined : "UTC", possible };
}

const FINDINGS = ["utc", "utc in one season", "another", "no bugs"] as const;

type Finding = (typeof FINDINGS)[number];

const DAY = 24 * 60 * 60 * 1000;

/**
 * Finds out whether the tracker's clock shows UTC. Servers answer "UTC" when they are asked for their zone, whatever it
 * is; so bugs whose times are known are searched for by their times on a clock of UTC. Two of them, half a year apart,
 * tell UTC from a zone that is like it in winter only.
 */
async function find(ask: SendRequest): Promise<{ readonly finding: Finding; readonly possible: readonly string[] }> {
  const newest = await someBugs(ask, [["order", "bug_id DESC"], ...EVERY_BUG]);
  const [first] = newest;
  if (first === undefined) return { finding: "no bugs", possible: ["UTC"] };
  const [from, to] = [195, 165].map((days) => wire(Date.parse(first.creation_time) - days * DAY));
  const half = await someBugs(ask, [
    ["order", "opendate"],
    ["creation_time", from ?? ""],
  ]);
  const older = half.filter(({ creation_time }) => creation_time <= (to ?? ""));
  const samples = [first, ...older.slice(0, 1)];
  const confirmed = await shown(
    ask,
    samples.map((bug) => [bug, [clock("UTC", bug)]] as const),
  );
  if (samples.every(({ id }) => confirmed.has(id))) {
    return { finding: samples.length === 2 ? "utc" : "utc in one season", possible: ["UTC"] };
  }
  const zones = await agreeing(Intl.supportedValuesOf("timeZone"), newest, ask);
  return { finding: "another", possible: older.length > 0 ? await agreeing(zones, older, ask) : zones };
}

/**
 * The zones of which the tracker's clock can show one, by the times of bugs: each bug is searched for by what its time would
 * be in about half of the zones, so that a few bugs in one request tell every offset from the others.
 */
async function agreeing(
  zones: readonly string[],
  bugs: readonly Sample[],
  ask: SendRequest,
): Promise<readonly string[]> {
  const [first] = bugs;
  if (first === undefined) return zones;
  const clocks = [...new Set(zones.map((zone) => clock(zone, first)))];
  const numberOf = new Map(clocks.map((text, at) => [text, 1 + (at % (2 ** bugs.length - 1))]));
  const isAsked = (zone: string, bit: number) => ((numberOf.get(clock(zone, first)) ?? 0) >> bit) % 2 === 1;
  const tests = bugs.map((bug, bit) => {
    const times = zones.filter((zone) => isAsked(zone, bit)).map((zone) => clock(zone, bug));
    return [bug, [...new Set(times)]] as const;
  });
  const found = await shown(
    ask,
    tests.filter(([, times]) => times.length > 0),
  );
  if (found.size === 0) return [];
  return zones.filter((zone) => tests.every(([bug, times]) => times.includes(clock(zone, bug)) === found.has(bug.id)));
}

/** What a clock in the zone showed when a bug was made. */
function clock(zone: string, { creation_time }: Sample): string {
  return wallClockIn(zone, Date.parse(creation_time));
}

/** Many servers refuse a search without criteria. */
const EVERY_BUG: Pairs = [
  ["f1", "bug_id"],
  ["o1", "greaterthan"],
  ["v1", "0"],
];

type Pairs = readonly (readonly [string, string])[];
type Sample = { readonly id: number; readonly creation_time: string };

const SAMPLES = 6; // tell apart 63 offsets; the earth has about 40

async function someBugs(ask: SendRequest, query: Pairs): Promise<readonly Sample[]> {
  const shape: Pairs = [
    ["include_fields", "id,creation_time"],
    ["limit", String(SAMPLES)],
  ];
  return readBugs(await ask(requestFor(SEARCH_BUGS, [...query, ...shape]))).filter(isSample);
}

function isSample(bug: Bug): bug is Bug & Sample {
  return typeof bug.id === "number" && Number.isFinite(Date.parse(bug.creation_time ?? ""));
}

type ClockTest = readonly [bug: Sample, times: readonly string[]];

/** The numbers of the bugs that were made when the tracker's clock showed one of their times. */
async function shown(ask: SendRequest, tests: readonly ClockTest[]): Promise<ReadonlySet<unknown>> {
  const shape: Pairs = [
    ["j_top", "OR"],
    ["include_fields", "id"],
    ["limit", String(tests.length)],
  ];
  const bugs = readBugs(await ask(requestFor(SEARCH_BUGS, [...tests.flatMap(rows), ...shape])));
  return new Set(bugs.map(({ id }) => id));
}

function rows([{ id }, times]: ClockTest, at: number): Pairs {
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

function wire(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
