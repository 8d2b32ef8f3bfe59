import { describe, expect, test } from "vitest";
import { RETRY_DELAYS_MS, reconcile, SINGLE_DELAY_MS } from "../../../src/api/delivery/reconcile.ts";
import type { Verification } from "../../../src/api/delivery/write.ts";
import { BtError } from "../../../src/errors.ts";

/** What looks show one after the other; "-" is a look that got no answer. */
async function ended(sights: string, times = RETRY_DELAYS_MS, isResendAllowed = true) {
  const shown = sights.split(" ");
  const look = async () => {
    const sight = shown.shift();
    if (sight === "-") throw new BtError("network", "no answer");
    return { sight } as Verification;
  };
  const { step, looks } = await reconcile(look, {
    times,
    repetition: isResendAllowed ? "allowed" : "only when asked for",
    sleep: async () => undefined,
    isStopped: () => false,
  });
  return `${step} after ${looks}`;
}

describe("a write is sent again when it was seen twice that it is absent", () => {
  test.each([
    ["- - - - absent", "unknown after 5"],
    ["absent - - - -", "unknown after 5"],
    ["- - - absent absent", "send again after 5"],
    ["absent - - - absent", "send again after 5"],
    ["absent absent - - -", "unknown after 5"],
    ["absent absent absent absent absent", "send again after 5"],
    ["absent absent absent absent present", "done after 5"],
    ["absent present", "done after 2"],
  ])("%s: %s", async (sights, end) => {
    expect(await ended(sights)).toBe(end);
  });

  test("and the request may not be at work any more, so a single look is enough after a complete response", async () => {
    expect(await ended("absent", SINGLE_DELAY_MS)).toBe("send again after 1");
  });

  test("and is called absent where it may only be sent again when asked for", async () => {
    expect(await ended("- - - absent absent", RETRY_DELAYS_MS, false)).toBe("absent after 5");
    expect(await ended("- - - - absent", RETRY_DELAYS_MS, false)).toBe("unknown after 5");
  });
});
