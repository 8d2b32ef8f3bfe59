import { expect, test } from "vitest";
import { spacedSend } from "../../../src/commands/mirror/run-sync.ts";

test("requests that wait at once keep their distance, too", async () => {
  let clock = 100;
  const sent: number[] = [];
  const asleep: { readonly end: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => asleep.push({ end: clock + ms, wake }));
  const send = spacedSend(50, async () => sent.push(clock), { ticks: () => clock, sleep });
  const all = ["/a", "/b", "/c"].map((path) => send({ method: "GET", path, query: [] }));
  for (const { end, wake } of asleep) {
    clock = end;
    wake();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(sent).toEqual([100, 150, 200]);
});
