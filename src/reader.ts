/** The process that answers the long reads of a served tracker: tracker/serve/aside.ts has it started, asks it, ends it. */
import { randomBytes } from "node:crypto";
import { answerParent } from "./io.ts";
import type { Question } from "./tracker/serve/aside.ts";
import type { Tracker } from "./tracker/tracker.ts";

let opened: Promise<Tracker> | undefined;

answerParent<Question>(async (question) => {
  opened ??= openAt(question);
  return (await opened)(question.request, question.origin);
});

async function openAt({ file, isStrict }: Question): Promise<Tracker> {
  const [{ openTracker }, { bounded }] = await Promise.all([
    import("./tracker/open.ts"),
    import("./tracker/serve/aside.ts"),
  ]);
  const random = (count: number) => randomBytes(count);
  const place = { now: () => new Date(), random, isStrict, dataDirectory: "" };
  return bounded(openTracker(`local:${file}`, place).tracker);
}
