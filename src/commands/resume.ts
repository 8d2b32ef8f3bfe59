import { MOST_AT_ONCE } from "../api/delivery/at-once.ts";
import { type Attempt, bugsOf, type Job, uncertain } from "../api/delivery/job.ts";
import { kindOf } from "../api/delivery/kinds.ts";
import { answerOf, type RunningJob, writeOf } from "../api/delivery/writing.ts";
import { isObject, readChanged } from "../api/read.ts";
import { BtError } from "../errors.ts";
import { inOrder, stable } from "../view/stable.ts";
import { escapeJson, plain } from "../view/text.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { ChangedBug } from "../wire/history.ts";
import { showChanges } from "./bug/show-changes.ts";
import type { Context } from "./context.ts";
import { formatOf } from "./show.ts";
import { checkTaken } from "./tag/taken.ts";
import type { Input } from "./verb.ts";

/** `bt resume`: settles what a job has left open; prints what the command that began it would have printed. */
export async function resume(input: Input, context: Context): Promise<void> {
  const writing = await context.tracker.writing();
  const name = input.args[0] ?? "";
  const past = writing.finished(name);
  if (past) return showPast(past, context);
  await writing.resume(name, async (job, kept) => {
    if (bugsOf(kept.head).length > MOST_AT_ONCE) {
      return (await import("./bug/resume-many.ts")).resumeMany(job, kept, context);
    }
    await show(await settled(job, kept), kept, context);
  });
}

/** What became of a job that is over; nothing is asked or sent any more. */
async function showPast(past: Job, context: Context): Promise<void> {
  const { head, attempts } = past;
  const end = attempts.at(-1)?.end;
  await context.io.err(`job ${head.job} is over; nothing was left to do\n`);
  if (bugsOf(head).length > MOST_AT_ONCE || end === undefined) return;
  await show(answerIn(end), past, context);
}

/** A write that was stopped before it left is sent now; one that had its end when bt was stopped only tells of it. */
async function settled(job: RunningJob, kept: Job): Promise<Json> {
  const [open] = uncertain(kept);
  if (open) return answerOf(await job.takeUp(open, writeOf(kept, open), "send again"));
  const end = kept.attempts.at(-1)?.end;
  if (end === undefined) return answerOf(await job.attempt({ request: kept.head.request }));
  return answerIn(end);
}

function answerIn(end: NonNullable<Attempt["end"]>): Json {
  if (end.st === "DONE") return end.answer;
  const changed = end.st === "FAILED" ? "nothing" : "unknown";
  throw new BtError(end.kind, end.message, { changed, bugzillaCode: end.code });
}

async function show(answer: Json, { head }: Job, context: Context): Promise<void> {
  if (isObject(answer) && Array.isArray(answer["bugs"])) {
    return showChanges(
      readChanged<ChangedBug>(answer, "bugs"),
      [{ bugs: [], body: head.request.body as JsonObject }],
      context,
    );
  }
  if (Array.isArray(answer)) checkTaken(head.request, answer);
  const isJson = ["json", "ndjson"].includes(formatOf(context));
  if (isJson || !isObject(answer)) return context.io.out(`${escapeJson(JSON.stringify(ordered(answer)))}\n`);
  if (context.io.terminal.stdout)
    await context.io.err(`${plain(kindOf(head.request).what(head.request))} is on the tracker\n`);
  await context.io.out(`${escapeJson(JSON.stringify(answer["id"] ?? answer))}\n`);
}

function ordered(answer: Json): Json {
  if (!isObject(answer)) return stable(answer);
  return stable(Object.fromEntries(inOrder(Object.keys(answer), ["id"]).map((key) => [key, answer[key] ?? null])));
}
