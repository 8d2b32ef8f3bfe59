import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("the plan of a group update is under groups, with its changes", async () => {
  const { code, out } = await demo()("group update editbugs --description x --dry-run --json");
  const plan = JSON.parse(out) as Record<string, unknown>;
  expect([code, Object.keys(plan)]).toEqual([0, ["dry_run", "method", "path", "body", "groups"]]);
  expect(plan["groups"]).toEqual([
    { id: expect.any(Number), changes: { description: { removed: expect.any(String), added: "x" } } },
  ]);
});
