import v8 from "node:v8";
import { expect, test } from "vitest";
import { tierUpGuard } from "../../src/transport/tier-up.ts";

/** V8's tag changes with any of its flags, so it tells whether they are what they were. */
const flags = () => v8.cachedDataVersionTag();

test("the first request runs with other flags, and the engine's own are back when it answers", async () => {
  const own = flags();
  const guard = tierUpGuard(process.versions.v8);
  expect(await guard(async () => flags())).not.toBe(own);
  expect(flags()).toBe(own);
  expect(await guard(async () => flags())).toBe(own);
});

test("a request that fails puts the flags back too, and its error comes through", async () => {
  const own = flags();
  await expect(tierUpGuard(process.versions.v8)(() => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
  expect(flags()).toBe(own);
});

test.each(["", "99.1.2"])("an engine called %o is left alone", async (engine) => {
  expect(await tierUpGuard(engine)(async () => flags())).toBe(flags());
});
