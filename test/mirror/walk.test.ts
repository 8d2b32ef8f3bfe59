import { describe, expect, test } from "vitest";
import type { Exchange, Request } from "../../src/wire/exchange.ts";
import { sampled } from "../sampling.ts";
import { crowd } from "../servers/demo-server.ts";
import { aMirror, expectSame } from "./a-mirror.ts";
import { writtenTracker } from "./writers.ts";

/** A tracker with so many bugs that takes a time for each request: as many at once as come, or one after the other. */
function slowTracker(bugs: number, { atOnce }: { readonly atOnce: boolean }) {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  crowd({ store: tracker.demo.store }, bugs);
  const flights: { readonly due: number; readonly land: () => void }[] = [];
  const state = { now: 0, busyUntil: 0, requests: [] as Request[], most: 0 };
  const next = () => {
    const [first] = flights.toSorted((one, other) => one.due - other.due);
    if (!first) return;
    flights.splice(flights.indexOf(first), 1);
    state.now = Math.max(state.now, first.due);
    first.land();
  };
  const exchange: Exchange = async (request) => {
    state.requests.push(request);
    const begin = atOnce ? state.now : Math.max(state.now, state.busyUntil);
    state.busyUntil = begin + 10;
    const landed = new Promise<void>((land) => flights.push({ due: begin + 10, land }));
    state.most = Math.max(state.most, flights.length);
    setImmediate(() => setImmediate(next));
    await landed;
    return tracker.exchange(request);
  };
  return { ...tracker, slow: exchange, state, ticks: () => state.now };
}

describe("a first sync", () => {
  test.each([
    ["has two requests in flight where that is faster", { atOnce: true, most: 2 }],
    ["has one where they are processed in turn, after the first two", { atOnce: false, most: 1 }],
  ])("%s", async (_, { atOnce, most }) => {
    const { slow, state, ticks, ...tracker } = slowTracker(450, { atOnce });
    const mirror = aMirror({ ...tracker, exchange: slow });
    const sizes: number[] = [];
    await mirror.sync({
      ticks,
      onProgress: async () => {
        sizes.push(state.most);
        state.most = 0;
      },
    });
    expect(Math.max(...sizes)).toBe(2);
    expect(Math.max(...sizes.slice(1))).toBe(most);
    await expectSame(mirror.exchange, tracker.exchange);
  });

  test("requests no part of a bug before the bug, and nothing twice", async () => {
    const { slow, state, ticks, ...tracker } = slowTracker(450, { atOnce: true });
    await aMirror({ ...tracker, exchange: slow }).sync({ ticks });
    const urls = state.requests.map(({ path, query }) => `${path} ${JSON.stringify(query)}`);
    expect(new Set(urls).size).toBe(urls.length);
    const parts = state.requests.filter(({ operation }) => operation === "Get Comments");
    const pages = state.requests.filter(({ operation }) => operation === "Search Bugs");
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.length).toBeLessThan(pages.length + 2);
  });

  test.each(sampled([5, 18, 20, 21], 2))(
    "that fails at request %i continues, and stored bugs are not requested again",
    async (last) => {
      const { slow, state, ticks, ...tracker } = slowTracker(450, { atOnce: true });
      const breaking: Exchange = async (request) => {
        if (state.requests.length >= last) throw new Error("the network is down");
        return slow(request);
      };
      const once = aMirror({ ...tracker, exchange: slow });
      await once.sync({ ticks });
      const whole = state.requests.length;
      state.requests.length = 0;
      const way = { exchange: breaking };
      const mirror = aMirror({ ...tracker, exchange: (request) => way.exchange(request) });
      await expect(mirror.sync({ ticks })).rejects.toThrow("the network is down");
      way.exchange = slow;
      await mirror.sync({ ticks });
      const again = 8 + 6; // requests of two pages that were not stored, and of the setup
      expect(state.requests.length).toBeLessThanOrEqual(whole + again);
      await expectSame(mirror.exchange, tracker.exchange);
    },
  );
});
