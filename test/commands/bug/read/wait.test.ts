import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/** A demo whose time is that of the pauses; `events` happen after so many searches. */
function following(events: Readonly<Record<number, () => Promise<unknown> | Exchange>> = {}) {
  const tracker = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count) });
  const waits: number[] = [];
  let searches = 0;
  const exchange: Exchange = async (request) => {
    if (request.path === "/rest/bug" && request.operation === "Search Bugs") searches += 1;
    const broken = events[searches]?.();
    if (typeof broken === "function") return broken(request);
    await broken;
    return tracker.exchange(request);
  };
  const ticks = () => waits.reduce((sum, one) => sum + one, 0);
  const run = (line: string, signal = new AbortController().signal) =>
    bt(line, { exchange, login: tracker.login, now: NOW, ticks, waits, signal });
  return { run, waits, tracker };
}

function close(id: number) {
  return {
    method: "PUT" as const,
    path: `/rest/bug/${id}`,
    query: [],
    body: { status: "RESOLVED", resolution: "FIXED" },
  };
}

describe("bt bug wait", () => {
  test("asks until a bug matches, with growing pauses", async () => {
    const { run, waits, tracker } = following({ 4: () => tracker.exchange(close(44)) });
    expect(await run("bug wait 44 is:closed --format ids")).toMatchObject({ code: 0, out: "44\n" });
    expect(waits).toEqual([5000, 7500, 11_250]);
  });

  test("fails after --within, and names the bugs that do not match", async () => {
    const { run, waits } = following();
    expect(await run("bug wait 12,44 48 --within 12s --format ids")).toMatchObject({
      code: 1,
      out: "12\n",
      err: "bt: no match within 12 s: bugs 44, 48\n",
    });
    expect(waits).toEqual([5000, 7000]);
  });

  test("asks again while the tracker cannot be reached", async () => {
    const down: Exchange = async () => ({ status: 502, headers: {}, body: "<html>Bad gateway</html>" });
    const { run, tracker } = following({ 2: () => down, 4: () => tracker.exchange(close(44)) });
    const ran = await run("bug wait 44 --format ids");
    expect(ran).toMatchObject({ code: 0, out: "44\n" });
    expect(ran.err).toContain("; checking again\n");
  });

  test("ends at a signal, without a word", async () => {
    const stop = new AbortController();
    const { run } = following({ 2: async () => stop.abort("SIGINT") });
    expect(await run("bug wait 44", stop.signal)).toMatchObject({ code: 130, out: "", err: "" });
  });

  test.each([
    ["bug wait is:closed", 2],
    ["bug wait 44 is:clsed", 2],
    ["bug wait 44 --within soon", 2],
    ["bug wait 999 44 --within 1h", 5],
  ])("%s ends with %i before it waits", async (line, code) => {
    const { run, waits } = following();
    expect(await run(line)).toMatchObject({ code, out: "" });
    expect(waits).toEqual([]);
  });
});
