import { expect, test } from "vitest";
import { createServerFacts } from "../../src/api/facts.ts";

/** The facts of a server, on a machine with a monotonic clock of its own. */
function listening() {
  const state = { ticks: 500 };
  const facts = createServerFacts(() => state.ticks);
  const read = { method: "GET", path: "/rest/version", query: [] };
  const hear = (headers: Record<string, string>) =>
    facts.observing(async () => ({ status: 200, headers, body: "" }))(read);
  return { state, facts, hear };
}

test("without a response nothing is known", () => {
  const { facts } = listening();
  expect(facts.time()).toBeUndefined();
});

test("the Date header sets the time, which advances with the local clock", async () => {
  const { state, facts, hear } = listening();
  await hear({ date: "Fri, 20 Nov 2026 12:00:00 GMT" });
  state.ticks += 3000;
  await hear({ date: "noon" });
  expect(facts.time()).toBe(Date.parse("2026-11-20T12:00:03Z"));
});
