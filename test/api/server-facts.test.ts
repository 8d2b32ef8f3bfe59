import { expect, test } from "vitest";
import { createServerFacts } from "../../src/api/facts.ts";

/** The facts of a server, on a machine with a monotonic clock of its own. */
function listening() {
  const state = { ticks: 500 };
  const facts = createServerFacts(() => state.ticks);
  const hear = (headers: Record<string, string>) => facts.learn({ status: 200, headers, body: "" });
  return { state, facts, hear };
}

test("without a response nothing is known", () => {
  const { facts } = listening();
  expect(facts.time()).toBeUndefined();
});

test("the Date header sets the time, which advances with the local clock", () => {
  const { state, facts, hear } = listening();
  hear({ date: "Fri, 20 Nov 2026 12:00:00 GMT" });
  state.ticks += 3000;
  hear({ date: "noon" });
  expect(facts.time()).toBe(Date.parse("2026-11-20T12:00:03Z"));
});
