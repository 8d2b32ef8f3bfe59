import { Socket } from "node:net";
import v8 from "node:v8";
import type { buildConnector } from "undici";
import { expect, test } from "vitest";
import { withoutWasmTierUp } from "../../src/transport/connections.ts";

/** V8's tag changes with any of its flags, so it tells whether they are what they were. */
function flags() {
  return v8.cachedDataVersionTag();
}

const own = flags();
const target = { hostname: "127.0.0.1", protocol: "http:", port: "80" };
const connect: buildConnector.connector = (_options, callback) => callback(null, new Socket());

test("V8 flags are changed while a connection calls back, and restored afterwards", () => {
  const seen: number[] = [];
  withoutWasmTierUp(connect)(target, () => seen.push(flags()));
  expect(seen).toHaveLength(1);
  expect(seen).not.toContain(own);
  expect(flags()).toBe(own);
});

test("a callback that throws restores the V8 flags", () => {
  const fail = () => {
    throw new Error("cut");
  };
  expect(() => withoutWasmTierUp(connect)(target, fail)).toThrow("cut");
  expect(flags()).toBe(own);
});
