import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import type { FactStore } from "../../../src/api/facts.ts";
import { addReadMarks, readMarks } from "../../../src/session/memory.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { timestamp } from "../../../src/wire/time.ts";
import { btConnected } from "../../bt.ts";
import { NOON } from "../../clock.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("marks are readable by their owner only, and removed by a logout", async () => {
  const tracker = await faultyTracker();
  const env = { ...tracker.env, HOME: freshFolder() };
  const marks = () =>
    readdirSync(env.HOME, { recursive: true, encoding: "utf8" })
      .map((file) => `${env.HOME}/${file}`)
      .filter((file) => file.endsWith("/read-marks.json"));
  await btConnected("bug get 12", { env });
  expect(marks()).toEqual([]);
  await btConnected("bug get 12", { env, terminal: true });
  expect(marks().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  await btConnected("auth logout", { env });
  expect(marks()).toEqual([]);
});

function emptyMemory(): FactStore {
  const facts = new Map<string, JsonObject>();
  return { read: async (name) => facts.get(name), write: async (name, value) => void facts.set(name, value) };
}

test("of too many marks, that of the bug which changed longest ago is dropped", async () => {
  const memory = emptyMemory();
  const marks = new Map<number, string>();
  for (let id = 1; id <= 50_000; id += 1) marks.set(id, timestamp(new Date(Date.parse(NOON) + id * 1000)));
  await addReadMarks(marks.set(25_000, "2026-11-01T00:00:00Z"), memory);
  await addReadMarks(new Map([[60_000, "2026-12-01T00:00:00Z"]]), memory);
  const kept = await readMarks(memory);
  expect([kept.size, kept.has(1), kept.has(25_000), kept.has(60_000)]).toEqual([50_000, true, false, true]);
});
