import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("the plan of a group update is under groups, with its changes", async () => {
  const { code, out } = await demo()("group update editbugs --description x --dry-run --json");
  const plan = JSON.parse(out) as Record<string, unknown>;
  expect([code, Object.keys(plan)]).toEqual([0, ["dry_run", "requests", "groups"]]);
  expect(plan["groups"]).toEqual([
    {
      id: expect.any(Number),
      changes: { description: { removed: expect.any(String), added: "x" } },
      result: "would change",
    },
  ]);
});

test("on a terminal, the plan of a group update is headed by the group, as its result is", async () => {
  const run = demo();
  const line = "group update editbugs --description x";
  const plan = await run(`${line} --dry-run`, { terminal: true });
  expect(plan.err).toMatch(/^would send PUT \/rest\/group\/8\n/);
  expect(plan.out).toMatchInlineSnapshot(`
    "editbugs  May edit every field of a bug (would change)
      Description  May edit every field of a bug → x
    "
  `);
  expect((await run(line, { terminal: true })).out).toMatchInlineSnapshot(`
    "editbugs  May edit every field of a bug
      Description  May edit every field of a bug → x
    "
  `);
});
