import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { FATES, faultyTracker, once } from "../../faults/faulty-tracker.ts";
import { jobIn } from "../../faults/ran.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("at 80 columns job and state are complete, and the tracker is shortened", async () => {
  const tracker = await faultyTracker({ write: once(FATES.badGatewayBefore) });
  const env = { ...tracker.env, HOME: freshFolder() };
  const job = jobIn((await btConnected("comment add 43 -m Hello", { env })).err);
  tracker.clock.step(2 * 3_600_000);
  const { out, err } = await btConnected("job list", { env, terminal: true, columns: 80 });
  expect(
    `${out}${err}`.replaceAll(job, "J".repeat(26)).replaceAll(/127\S+|http\S+/g, "ADDRESS"),
  ).toMatchInlineSnapshot(`
    "JOB                         STATE        WHAT              STARTED  TRACKER
    JJJJJJJJJJJJJJJJJJJJJJJJJJ  not applied  the comment on …  2h ago   ADDRESS
    bt job send JOB sends or resumes one of them
    "
  `);
});
