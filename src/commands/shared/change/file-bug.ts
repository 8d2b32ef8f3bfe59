import { readBug } from "../../../api/bugs.ts";
import { responseOf } from "../../../api/delivery/outcome.ts";
import type { Sent } from "../../../api/delivery/send-write.ts";
import { stateBefore, updateRequest } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import { type ChangeResult, failure, untried } from "./edit.ts";
import type { ChangeJob } from "./jobs.ts";
import type { New } from "./plan.ts";
import { readNotApplied } from "./read-back.ts";

/** The result of a new bug that was sent, completed by the updates that it gets then. */
export async function fileBug(
  item: New,
  { outcome, error }: Sent,
  job: ChangeJob,
  context: Context,
): Promise<ChangeResult> {
  const { ref, line, oldId, create: body } = item;
  const facts = { ref, line, oldId, body };
  if (outcome === undefined) return untried(facts, error);
  if (outcome.st !== "applied") return { ...facts, ...failure(outcome) };
  const id = Number(Object(outcome.response).id);
  return completeBug(item, id, { job, context, isNew: true });
}

type Completion = { readonly job: ChangeJob; readonly context: Context; readonly isNew?: boolean };

/** Sends the updates of a filed bug, all planned first, so that a continued job completes it. */
export async function completeBug(item: New, id: number, { job, context, isNew }: Completion): Promise<ChangeResult> {
  const { line, oldId, create: body, key, complete } = item;
  const facts = { ref: String(id), line, oldId, body };
  try {
    const updates = (complete?.(id) ?? []).map((sent) => ({
      sent,
      n: job.open.add({ request: updateRequest([id], sent), key }),
    }));
    const ignored = isNew && (await readNotApplied(id, body, context));
    for (const update of updates) await sendUpdate(id, update, job, context);
    return { ...facts, st: "created", ignored: ignored || undefined };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const message = `filed as bug ${id}, but not complete: ${error.message}`;
    const partial = new BtError(error.kind, message, { ...error.facts, changed: "some" });
    return { ...facts, st: error.kind === "unknown" ? "unknown" : "refused", error: partial };
  }
}

type Update = { readonly n: number; readonly sent: JsonObject };

async function sendUpdate(id: number, { n, sent }: Update, { open }: ChangeJob, { session }: Context): Promise<void> {
  const bug = await readBug(String(id), ["_default"], session.send);
  const { remaining_time, ...others } = sent;
  const isHidden = remaining_time !== undefined && bug.remaining_time === undefined; // who sees no hours may not set them
  const body = isHidden ? others : sent;
  if (Object.keys(body).length === 0) open.skip(n);
  else responseOf(await open.send(n, { request: updateRequest([id], body), before: stateBefore([bug], body) }));
}
