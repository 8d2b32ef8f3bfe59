import type { Bug } from "../wire/bug.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { type Ask, get } from "./operation.ts";
import { wallClockIn } from "./query/zone.ts";
import { readBugs } from "./read.ts";

/**
 * In which zone a tracker reads the times of search rows and of custom fields. `proven` is certain; `assumed` is what is
 * good enough for a time that is read back, undefined when the tracker's zone is another that has no name here.
 */
export type ServerZone = { readonly proven: string | undefined; readonly assumed: string | undefined };

/** The zone of a tracker that is known to keep UTC. */
export const UTC: ServerZone = { proven: "UTC", assumed: "UTC" };

/** Where facts about a tracker are kept. */
type Store = {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** The zone as it was found out before, for a week when it was proven, else for a day; or found out now. */
export async function serverZone(ask: Ask, store: Store, now: Date): Promise<ServerZone> {
  const kept = await store.read("zone");
  const age = now.getTime() - Number(kept?.["seen"]);
  const finding = FINDINGS.find((one) => one === kept?.["finding"]);
  if (finding !== undefined && age >= 0 && age < (finding === "utc" ? 7 : 1) * DAY) return ZONES[finding];
  const found = await find(ask);
  await store.write("zone", { finding: found, seen: now.getTime() });
  return ZONES[found];
}

const FINDINGS = ["utc", "utc in one season", "another", "no bugs"] as const;

type Finding = (typeof FINDINGS)[number];

const ZONES: Readonly<Record<Finding, ServerZone>> = {
  utc: UTC,
  "utc in one season": { proven: undefined, assumed: "UTC" },
  another: { proven: undefined, assumed: undefined },
  "no bugs": { proven: undefined, assumed: "UTC" },
};

const DAY = 24 * 60 * 60 * 1000;

/**
 * Finds out whether the tracker's clock shows UTC. Servers answer "UTC" when they are asked for their zone, whatever it
 * is; so bugs whose times are known are searched for by their times on a clock of UTC. Two of them, half a year apart,
 * tell UTC from a zone that is like it in winter only.
 */
async function find(ask: Ask): Promise<Finding> {
  const newest = await oneBug(ask, [["order", "bug_id DESC"], ...EVERY_BUG]);
  if (newest === undefined) return "no bugs";
  const [from, to] = [195, 165].map((days) => wire(Date.parse(newest.creation_time) - days * DAY));
  const older = await oneBug(ask, [
    ["order", "opendate"],
    ["creation_time", from ?? ""],
  ]);
  const samples = older && older.creation_time <= (to ?? "") ? [newest, older] : [newest];
  const answer = await ask(
    get("/rest/bug", [...samples.flatMap(rows), ["j_top", "OR"], ["include_fields", "id"], ["limit", "2"]]),
  );
  const confirmed = new Set(readBugs(answer).map(({ id }) => id));
  if (!samples.every(({ id }) => confirmed.has(id))) return "another";
  return samples.length === 2 ? "utc" : "utc in one season";
}

/** Many servers refuse a search without criteria. */
const EVERY_BUG: Pairs = [
  ["f1", "bug_id"],
  ["o1", "greaterthan"],
  ["v1", "0"],
];

type Pairs = readonly (readonly [string, string])[];
type Sample = { readonly id: number; readonly creation_time: string };

async function oneBug(ask: Ask, query: Pairs): Promise<Sample | undefined> {
  const shown: Pairs = [
    ["include_fields", "id,creation_time"],
    ["limit", "1"],
  ];
  const [bug] = readBugs(await ask(get("/rest/bug", [...query, ...shown])));
  return bug && isSample(bug) ? bug : undefined;
}

function isSample(bug: Bug): bug is Bug & Sample {
  return typeof bug.id === "number" && Number.isFinite(Date.parse(bug.creation_time ?? ""));
}

/** The rows for one bug, if it was made at the second that a clock of UTC showed. */
function rows({ id, creation_time }: Sample, at: number): Pairs {
  const shown = wallClockIn("UTC", Date.parse(creation_time));
  const tests = [
    ["bug_id", "equals", String(id)],
    ["creation_ts", "greaterthaneq", shown],
    ["creation_ts", "lessthaneq", shown],
  ] as const;
  const first = 5 * at + 1;
  return [
    [`f${first}`, "OP"],
    ...tests.flatMap(
      ([field, operator, value], index): Pairs => [
        [`f${first + index + 1}`, field],
        [`o${first + index + 1}`, operator],
        [`v${first + index + 1}`, value],
      ],
    ),
    [`f${first + 4}`, "CP"],
  ];
}

function wire(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
