import type { JsonObject } from "../../wire/exchange.ts";
import type { Chart } from "../query/chart.ts";
import { allOf, anyOf, notOf } from "../query/tree.ts";
import { listAll } from "./changes.ts";
import { mirrorCriteria } from "./compare-ids.ts";
import { chunks, dropBugs, fetchBugs, keepRead, type SyncContext, type SyncCount, wantedBugs } from "./keep.ts";
import { BUGS_PER_REQUEST } from "./read-full.ts";
import { bugsById, chartRow, idOf, oneOf, searchTolerantly, withChart } from "./search.ts";
import type { Share } from "./share.ts";
import { readTolerantly, type TolerantResult } from "./tolerant.ts";

/**
 * Options for reading changed bugs: the start of the changes, and the share of the sync. `longest` is the known length
 * of pages.
 */
export type WithinReading = {
  readonly since: string;
  readonly share: Share | undefined;
  readonly longest: number;
  readonly count: SyncCount;
};

/**
 * Reads changed bugs for a mirror with criteria: bugs that match are stored as `held`, others as `outside`. Bugs of the
 * share that match and are not held yet are read too.
 */
export async function readWithin(ids: readonly number[], reading: WithinReading, context: SyncContext): Promise<void> {
  const { share, count, longest } = reading;
  const meeting = ids.length > MANY ? await changedWithin(reading.since, ids, context) : new Set(ids);
  const stubs: number[] = [];
  const missing: number[] = [];
  for (const [at, some] of (ids.length === 0 ? [[]] : chunks(ids)).entries()) {
    const charts = chartsOf(
      some.filter((id) => meeting.has(id)),
      at === 0 ? share : undefined,
    );
    const within = await searchWithin(charts, longest, context);
    const known = context.mirror.bugs({ ids: some.filter((id) => !within.ids.has(id)) });
    stubs.push(...known.filter(({ state }) => state === "stub").map(({ id }) => id));
    const left = known.filter(({ state }) => state !== "stub").map(({ id }) => id);
    const byIds = { include: "_all", longest: context.facts.longestPage };
    const others = await readTolerantly(left, (part) => bugsById(part, byIds, context.ask));
    const outside = wantedBugs(others.things, context.facts);
    await keepRead(
      [
        { bugs: within.things, state: "held" },
        { bugs: outside, state: "outside" },
      ],
      { count, failed: [...within.failed, ...others.failed] },
      context,
    );
    const found = new Set([...outside.map(idOf), ...others.failed.map(({ id }) => id)]);
    missing.push(...left.filter((id) => !found.has(id)));
  }
  missing.push(...(await fetchBugs(stubs, { state: "stub", count }, context)));
  await dropBugs(missing, count, context);
}

/** More changed bugs than this are narrowed to those within the criteria before they are read. */
const MANY = 200;

async function changedWithin(
  since: string,
  ids: readonly number[],
  context: SyncContext,
): Promise<ReadonlySet<number>> {
  const criteria = mirrorCriteria(context.facts);
  const { times, failed } = await listAll({ since, criteria }, { longest: 0 }, context.ask);
  return new Set(ids.filter((id) => times.has(id) || failed.has(id)));
}

/** Conditions one of which has to hold: to have one of the ids, or to be in the share and not held. */
function chartsOf(ids: readonly number[], share: Share | undefined): readonly Chart[] {
  const listed: readonly Chart[] = ids.length === 0 ? [] : [chartRow(oneOf(ids))];
  if (share === undefined) return listed;
  const held = share.known.filter(({ state }) => state === "held" || state === "failed").map(({ id }) => id);
  const inShare: readonly Chart[] = [
    chartRow(["bug_id", "greaterthaneq", String(share.from)]),
    chartRow(["bug_id", "lessthan", String(share.below)]),
    ...(held.length === 0 ? [] : [notOf(chartRow(oneOf(held)))]),
  ];
  return [...listed, allOf(inShare)];
}

/** Bugs that meet the criteria, and the ids of all that were found. */
type Within = TolerantResult<JsonObject> & { readonly ids: ReadonlySet<number> };

async function searchWithin(charts: readonly Chart[], longest: number, { ask, facts }: SyncContext): Promise<Within> {
  const [things, failed]: [JsonObject[], Within["failed"][number][]] = [[], []];
  for (let below: readonly Chart[] = []; charts.length > 0; ) {
    const query = withChart(mirrorCriteria(facts), allOf([anyOf(charts), ...below]));
    const page = await searchTolerantly({ query, order: "bug_id DESC", include: "_all", limit: LIMIT }, ask);
    things.push(...wantedBugs(page.things, facts));
    failed.push(...page.failed);
    if (page.ids.length === 0 || page.ids.length < Math.min(LIMIT, longest)) break;
    below = [chartRow(["bug_id", "lessthan", String(Math.min(...page.ids))])];
  }
  return { things, failed, ids: new Set([...things, ...failed].map(({ id }) => Number(id))) };
}

/** More than the changed bugs of a request, so that some new ones have room. */
const LIMIT = 2 * BUGS_PER_REQUEST;
