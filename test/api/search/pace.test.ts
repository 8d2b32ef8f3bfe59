import { describe, expect, test } from "vitest";
import { createPairingPace } from "../../../src/api/search/pace.ts";
import { btConnected } from "../../bt.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { manyServer } from "../../servers/many-server.ts";

/** A pace by a clock that is set, and requests that are answered at a time, in any order. */
function setPace() {
  let ms = 0;
  const pace = createPairingPace(() => ms, 100);
  const answers: (() => void)[] = [];
  const send = () => void pace.send(() => new Promise<void>((resolve) => answers.push(resolve)));
  const answer = async (at: number, which = 0) => {
    ms = at;
    answers.splice(which, 1)[0]?.();
    await new Promise(setImmediate);
  };
  return { pace, send, answer, inFlight: () => answers.length };
}

describe("two requests at once", () => {
  test.each([
    { name: "each with a processor", first: 200, second: 210, gains: true },
    { name: "a little slower than one", first: 230, second: 245, gains: true },
    { name: "answered one after the other", first: 200, second: 300, gains: false },
    { name: "sharing a processor", first: 300, second: 300, gains: false },
  ])("$name: $gains", async ({ first, second, gains }) => {
    const { pace, send, answer, inFlight } = setPace();
    send();
    await answer(100);
    expect(pace.isUndecided()).toBe(true);
    send();
    send();
    expect([inFlight(), pace.mayStart()]).toEqual([2, false]);
    await answer(first);
    expect(pace.mayStart()).toBe(false);
    await answer(second);
    expect([pace.isUndecided(), pace.mayPair()]).toEqual([false, gains]);
    send();
    expect(pace.mayStart()).toBe(gains);
  });

  test("a request that may not go out yet is sent when the others are answered", async () => {
    const { send, answer, inFlight } = setPace();
    for (let sent = 0; sent < 4; sent += 1) send();
    expect(inFlight()).toBe(2);
    await answer(100);
    expect(inFlight()).toBe(1);
    await answer(200);
    expect(inFlight()).toBe(1);
    await answer(300);
    expect(inFlight()).toBe(1);
  });

  test("after one of the first two has failed, no two are sent", async () => {
    const pace = createPairingPace(() => 0, 0);
    const failing = [pace.send(() => Promise.reject(new Error("lost"))), pace.send(async () => 1)];
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(pace.mayPair()).toBe(false);
  });
});

/** Requests that a server of 20,000 bugs heard, and how many it had in flight at most: at the first two at once, and else. */
type Seen = { requests: number; atFirst: number; later: number };

type Manner = "gains" | "serializes" | "shares";

/** An event that others wait for. */
function event() {
  const waiting: (() => void)[] = [];
  let isOver = false;
  const happened = () => new Promise<void>((resolve) => (isOver ? resolve() : waiting.push(resolve)));
  const happen = () => {
    isOver = true;
    for (const resolve of waiting) resolve();
  };
  return { happened, happen };
}

/**
 * Delays of a server's responses by request, on the client's clock: a request takes 100 ms, two at once as long (`gains`),
 * or twice as long, one after the other (`serializes`) or both (`shares`). The second and third are the first two at once.
 */
function delaysOf(manner: Manner) {
  let ms = 0;
  let onRead = () => undefined as unknown;
  const [third, fifth] = [event(), event()];
  const pass = (by: number) => {
    ms += by;
  };
  const clientReadsClock = () =>
    new Promise<void>((resolve) => {
      onRead = () => setImmediate(resolve);
    });
  const second = () => third.happened().then(() => pass(manner === "shares" ? 200 : 100));
  const inTurn = () => clientReadsClock().then(() => pass(100));
  const delays: Readonly<Record<number, () => Promise<void> | void>> = {
    1: () => pass(100),
    2: second,
    3: () => {
      third.happen();
      return manner === "serializes" ? inTurn() : third.happened();
    },
    4: () => (manner === "gains" ? fifth.happened() : undefined),
    5: fifth.happen,
  };
  const ticks = () => {
    onRead();
    return ms;
  };
  return { delays, ticks };
}

/** A search over HTTP on such a server. */
async function searchOn(manner: Manner, line: string) {
  const { delays, ticks } = delaysOf(manner);
  const seen: Seen = { requests: 0, atFirst: 0, later: 0 };
  let now = 0;
  const server = await manyServer(20_000, async (request) => {
    now += 1;
    seen.requests = request;
    const when = request === 2 || request === 3 ? "atFirst" : "later";
    seen[when] = Math.max(seen[when], now);
    await delays[request]?.();
    await new Promise(setImmediate);
    now -= 1;
  });
  const folder = freshFolder();
  const env = { HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder, BT_BASE_URL: server.url };
  return { ran: await btConnected(line, { env, ticks }), seen };
}

describe("all bugs of a server over HTTP", () => {
  const all = Array.from({ length: 20_000 }, (_, at) => `${20_000 - at}\n`).join("");

  test.each([
    { manner: "gains", later: 2 },
    { manner: "serializes", later: 1 },
    { manner: "shares", later: 1 },
  ] as const)("one that $manner has $later in flight after the first two", async ({ manner, later }) => {
    const { ran, seen } = await searchOn(manner, "bug search --all --format ids");
    expect({ ...ran, out: ran.out === all }).toEqual({ code: 0, out: true, err: "" });
    expect(seen).toEqual({ requests: 7, atFirst: 2, later });
  });

  test("a limit is kept, and the last page asks for no more than is missing", async () => {
    const { ran, seen } = await searchOn("gains", "bug search --limit 12000 --format ids");
    expect(ran.out === all.split("\n").slice(0, 12_000).join("\n").concat("\n")).toBe(true);
    expect(seen.requests).toBe(6);
  });
});
