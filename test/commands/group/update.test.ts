import { expect, test } from "vitest";
import { demo } from "../demo.ts";

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
