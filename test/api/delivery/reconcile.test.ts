import { describe, expect, test } from "vitest";
import { RETRY_DELAYS_MS, reconcile, SINGLE_DELAY_MS } from "../../../src/api/delivery/reconcile.ts";
import type { Verification } from "../../../src/api/delivery/write.ts";
import { BtError } from "../../../src/errors.ts";

/** End of a schedule of checks, by what they show one after the other; "-" is a check without a response. */
async function ended(statuses: string, timesMs = RETRY_DELAYS_MS, isResendAllowed = true) {
  const shown = statuses.split(" ");
  const check = async () => {
    const status = shown.shift();
    if (status === "-") throw new BtError("network", "no response");
    return { status } as unknown as Verification;
  };
  const { step, checks } = await reconcile(check, {
    timesMs,
    resend: isResendAllowed ? "allowed" : "on request",
    sleep: async () => undefined,
    isStopped: () => false,
  });
  return `${step} after ${checks}`;
}

describe("a write is resent only after two checks found it not applied", () => {
  test.each([
    ["- - - - not-applied", "unknown after 5"],
    ["not-applied - - - -", "unknown after 5"],
    ["- - - not-applied not-applied", "resend after 5"],
    ["not-applied - - - not-applied", "resend after 5"],
    ["not-applied not-applied - - -", "unknown after 5"],
    ["not-applied not-applied not-applied not-applied not-applied", "resend after 5"],
    ["not-applied not-applied not-applied not-applied applied", "done after 5"],
    ["not-applied applied", "done after 2"],
  ])("%s: %s", async (statuses, end) => {
    expect(await ended(statuses)).toBe(end);
  });

  test("one check is enough after a complete response if the request cannot still be running", async () => {
    expect(await ended("not-applied", SINGLE_DELAY_MS)).toBe("resend after 1");
  });

  test("not resent without --resend-if-absent where that is required", async () => {
    expect(await ended("- - - not-applied not-applied", RETRY_DELAYS_MS, false)).toBe("not applied after 5");
    expect(await ended("- - - - not-applied", RETRY_DELAYS_MS, false)).toBe("unknown after 5");
  });
});

test.each([
  ["applied", "done after 1"],
  ["- applied", "done after 2"],
  ["overwritten", "collision after 1"],
  ["contradiction", "unknown after 1"],
  ["unverifiable", "unknown after 1"],
  ["not-applied refused", "refused after 2"],
])("a conclusive check ends the verification: %s: %s", async (statuses, end) => {
  expect(await ended(statuses)).toBe(end);
});

test("checks run at their intervals from the start, and not after a stop", async () => {
  const waits: number[] = [];
  const { step, checks } = await reconcile(async () => ({ status: "not-applied" }), {
    timesMs: [1000, 3000, 7000],
    resend: "allowed",
    sleep: async (ms) => void waits.push(ms),
    isStopped: () => waits.length === 3,
  });
  expect({ waits, step, checks }).toEqual({ waits: [1000, 2000, 4000], step: "unknown", checks: 2 });
});
