import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import type { FactStore } from "../../../src/api/fact-store.ts";
import { addReadMarks, readMarks } from "../../../src/session/memory/read-marks.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { btConnected } from "../../bt.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("marks are readable by their owner only, and removed by a logout", async () => {
  const tracker = await faultyTracker();
  const env = { ...tracker.env, HOME: freshFolder() };
  const marks = () =>
    readdirSync(env.HOME, { recursive: true, encoding: "utf8" })
      .map((file) => `${env.HOME}/${file}`)
      .filter((file) => file.endsWith("/read-marks.json"));
  await btConnected("bug get 12 --keep-unread", { env });
  expect(marks()).toEqual([]);
  await btConnected("bug get 12 --json", { env });
  expect(marks().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  await btConnected("auth logout", { env });
  expect(marks()).toEqual([]);
});

test("a newer mark stays, and of too many the oldest are dropped", async () => {
  const kept = new Map<string, JsonObject>();
  const memory: FactStore = {
    read: async (name) => kept.get(name),
    write: async (name, value) => void kept.set(name, value),
  };
  await addReadMarks(new Map([[12, "2026-11-02T00:00:00Z"]]), memory);
  await addReadMarks(new Map([[12, "2026-11-01T00:00:00Z"]]), memory);
  expect(await readMarks(memory)).toEqual(new Map([[12, "2026-11-02T00:00:00Z"]]));
  const many = [...Array(50_000).keys()].map((at) => [100 + at, `2026-12-01T00:00:${at}Z`] as const);
  await addReadMarks(new Map(many), memory);
  const all = await readMarks(memory);
  expect([all.size, all.has(12)]).toEqual([50_000, false]);
});
