import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { FATES, faultyTracker, once } from "../../faults/faulty-tracker.ts";
import { jobIn } from "../../faults/ran.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("at 80 columns job, state and what it does are complete, and the tracker is left out; a card says the result once", async () => {
  const tracker = await faultyTracker({ write: once(FATES.badGatewayBefore) });
  const env = { ...tracker.env, HOME: freshFolder() };
  const job = jobIn((await btConnected("comment add 43 -m Hello", { env })).err);
  tracker.clock.step(2 * 3_600_000);
  const { out, err } = await btConnected("job list", { env, terminal: true, columns: 80 });
  const card = await btConnected(`job show ${job}`, { env, terminal: true, columns: 80 });
  expect(card.out).toMatch(/^Requests +2 hours ago · \S+ \S+ UTC +\S.*$/m);
  expect(card.out).not.toMatch(/unknown: unknown|^Left/m);
  expect(
    `${out}${err}`.replaceAll(job, "J".repeat(26)).replaceAll(/127\S+|http\S+/g, "ADDRESS"),
  ).toMatchInlineSnapshot(`
    "JOB                         STATE            WHAT               TIME
    JJJJJJJJJJJJJJJJJJJJJJJJJJ  unknown outcome  comment on bug 43  2h ago
    bt job send JOB sends or resumes one of them
    "
  `);
});
