import { randomBytes } from "node:crypto";
import { answerParent } from "./io.ts";
import type { LongRead } from "./tracker/server/read-worker-pool.ts";
import type { Tracker } from "./tracker/tracker.ts";

/** Process that answers the long reads of a served tracker; started and stopped by tracker/server/read-worker-pool.ts. */

let opened: Promise<Tracker> | undefined;

answerParent<LongRead>(async (question) => {
  opened ??= openTrackerFile(question);
  return (await opened)(question.request, question.origin);
});

async function openTrackerFile({ file, isStrict }: LongRead): Promise<Tracker> {
  const [{ openTracker }, { limitResponseSize }] = await Promise.all([
    import("./tracker/open.ts"),
    import("./tracker/server/read-worker-pool.ts"),
  ]);
  const random = (count: number) => randomBytes(count);
  const place = { now: () => new Date(), random, isStrict, dataDirectory: "" };
  return limitResponseSize(openTracker(`local:${file}`, place).tracker);
}
