import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { responseOf } from "../../../api/delivery/outcome.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { Context } from "../../verb.ts";
import { readNotApplied } from "../changes/ignored-fields.ts";
import type { ChangeResult } from "./edit.ts";
import { type Jobs, resultOf } from "./jobs.ts";
import type { New } from "./plan.ts";

/** Files a new bug, unless an earlier run did, and completes it by the updates that it gets then. */
export async function fileBug(item: New, jobs: Jobs, context: Context): Promise<ChangeResult> {
  const { ref, line, oldId, create: body } = item;
  const facts = { line, oldId, body };
  const outcome = item.id === undefined ? await jobs.file(item) : undefined;
  if (outcome && outcome.st !== "applied") return { ref, ...facts, ...resultOf(outcome) };
  const id = item.id ?? Number(Object(outcome?.response).id);
  try {
    const updates = queueUpdates(id, item, jobs);
    const ignored = outcome && (await readNotApplied(id, body, context));
    await sendUpdates(id, updates, context);
    return { ref: String(id), ...facts, st: "created", ignored };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const message = `filed as bug ${id}, but not complete: ${error.message}`;
    const partial = new BtError(error.kind, message, { ...error.facts, changed: "some" });
    return { ref: String(id), ...facts, st: error.kind === "unknown" ? "unknown" : "refused", error: partial };
  }
}

/** Plans all updates of a new bug before the first is sent, so that a job that is continued completes it. */
function queueUpdates(id: number, { complete, key }: New, jobs: Jobs) {
  const bodies = complete?.(id) ?? [];
  return bodies.map((body) => ({ body, ...jobs.queue({ request: updateRequest([id], body), key }) }));
}

async function sendUpdates(id: number, updates: ReturnType<typeof queueUpdates>, { session }: Context): Promise<void> {
  for (const { body, send, skip } of updates) {
    const bug = await readBug(String(id), ["_default"], session.send);
    const { remaining_time, ...others } = body;
    const isHidden = remaining_time !== undefined && bug.remaining_time === undefined; // who sees no hours may not set them
    const sent = isHidden ? others : body;
    if (Object.keys(sent).length === 0) skip();
    else responseOf(await send({ request: updateRequest([id], sent), before: stateBefore([bug], sent) }));
  }
}
