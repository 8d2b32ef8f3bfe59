import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { FATES, faultyTracker, once } from "../../faults/faulty-tracker.ts";
import { jobIn } from "../../faults/ran.ts";
import { freshFolder } from "../../process/real.ts";

test("at 80 columns the job and its state are whole, and the tracker gives way", async () => {
  const tracker = await faultyTracker({ write: once(FATES.badGatewayBefore) });
  const env = { ...tracker.env, HOME: freshFolder() };
  const job = jobIn((await btConnected("comment add 43 -m Hello", { env, now: "2026-11-20T12:00:00Z" })).err);
  const later = { env, terminal: true, columns: 80, now: "2026-11-20T14:00:00Z" };
  const { out, err } = await btConnected("jobs", later);
  expect(
    `${out}${err}`.replaceAll(job, "J".repeat(26)).replaceAll(/127\S+|http\S+/g, "ADDRESS"),
  ).toMatchInlineSnapshot(`
    "JOB                         STATE               WHAT        STARTED  TRACKER
    JJJJJJJJJJJJJJJJJJJJJJJJJJ  not on the tracker  the comme…  2h ago   ADDRESS
    bt resume JOB settles one of them
    "
  `);
});
