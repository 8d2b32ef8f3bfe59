import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Chance, chance } from "../reliability/random.ts";
import { much } from "../sampling.ts";
import { aboutBugs, expectSame, syncedMirror, type TestMirror } from "./a-mirror.ts";
import { type Circumstances, randomWrite, type WrittenTracker, writtenTracker } from "./writers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

// `SEED=7` takes other chances, `PART=4` a fourth of all rounds.
const { SEED = "1", PART = "1" } = process.env;

/**
 * Writes and syncs in turn, at random, and then syncs until nothing is late any more: the mirror is what its login sees, and
 * a further sync costs no more than one without changes does.
 */
async function round(seed: number, start: string, { products = [], ...circumstances }: Round): Promise<void> {
  const luck = chance(seed);
  const tracker = writtenTracker(start, circumstances);
  const mirror = await syncedMirror(`${start} ${products}`, tracker, { products });
  for (let step = 0; step < 12; step += 1) await act(luck, tracker, mirror);
  for (const ms of [20 * MINUTE, 80 * MINUTE, ...SHARES]) await syncAfter(ms, tracker, mirror);
  const last = await syncAfter(30 * SECOND, tracker, mirror);
  await expectSame(mirror.exchange, tracker.exchange, { product: mirror.facts().products });
  expect(aboutBugs(last)).toEqual(["Search Bugs"]);
  for (const { close } of [mirror, tracker]) close();
  await setImmediate(); // when files of collected stores are closed
}

/** Time between syncs each of which checks a share of the ids, until all were checked. */
const SHARES = [30 * SECOND, 30 * SECOND, 30 * SECOND, 30 * SECOND];

async function syncAfter(ms: number, tracker: WrittenTracker, mirror: TestMirror) {
  await tracker.wait(ms);
  return mirror.sync();
}

/** Circumstances of a round, and the products of its mirror, by their first names. */
type Round = Circumstances & { readonly products?: readonly string[] };

async function act(luck: Chance, tracker: WrittenTracker, mirror: TestMirror): Promise<void> {
  for (let write = luck.below(4); write > 0; write -= 1) {
    await tracker.write(randomWrite(luck, tracker));
    await tracker.wait(luck.one([0, SECOND, 5 * SECOND, MINUTE]));
  }
  if (luck.below(2) === 0) await mirror.sync();
  await tracker.wait(luck.one([0, SECOND, 7 * SECOND, MINUTE, 10 * MINUTE]));
}

const NOON = "2026-11-20T12:00:00Z";

type Rounds = { readonly rounds: number; readonly start: string } & Round;

const ROUNDS: readonly (readonly [string, Rounds])[] = [
  ["a tracker", { rounds: 400, start: NOON }],
  ["a replica that is 5 minutes behind", { rounds: 200, start: NOON, replicaMs: 5 * MINUTE }],
  ["updates that appear 3 minutes late", { rounds: 200, start: NOON, lateMs: 3 * MINUTE }],
  [
    "a server in Berlin in autumn",
    { rounds: 100, start: "2026-10-25T00:10:00Z", zone: "Europe/Berlin", lateMs: 3 * MINUTE },
  ],
  ["a mirror of a product", { rounds: 200, start: NOON, products: ["Lantern"] }],
  ["a mirror of a product, of a replica", { rounds: 100, start: NOON, products: ["Lantern"], replicaMs: 5 * MINUTE }],
  ["a server in Berlin in spring", { rounds: 100, start: "2026-03-29T00:30:00Z", zone: "Europe/Berlin" }],
];

describe.each(ROUNDS)("%s", (_, { rounds, start, ...circumstances }) => {
  test.each(Array.from({ length: much(1, rounds / Number(PART)) }, (__, at) => Number(SEED) * 10_000 + at))(
    "a mirror is what its login sees, round %i",
    async (seed) => round(seed, start, circumstances),
    30 * SECOND,
  );
});
