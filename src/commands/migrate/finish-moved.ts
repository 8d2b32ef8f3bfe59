import { stateBefore } from "../../api/delivery/write-state.ts";
import { differingFields, finishBodies, missingLinks } from "../../api/migrate/finish.ts";
import type { SourceBug } from "../../api/migrate/moved-bug.ts";
import { mappedBug } from "../../api/migrate/name-map.ts";
import { updateRequest } from "../../api/write/update-request.ts";
import { stepKey } from "../../session/results/move-log.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { bugNow, finishContext, type Mover, tolerantly } from "./mover.ts";
import { isOpenStep } from "./steps.ts";

/** Updates of one bug after which something is wrong with the target. */
const MAX_FINISHES = 12;

/** Sends the updates that a bug needs; returns the bug after them. */
async function updateUntilEqual(bug: SourceBug["bug"], id: number, mover: Mover): Promise<Bug> {
  const { steps, moving } = mover;
  const context = finishContext(bug.id, mover);
  let last = "";
  let now = await bugNow(id, moving.target);
  for (const step of Array.from({ length: MAX_FINISHES }, (_, at) => ({ bug: bug.id, step: `finish ${at + 1}` }))) {
    const known = steps.entries.get(stepKey(step));
    if (known?.result === "done") continue;
    const [body] = finishBodies(bug, now, context);
    if (!isOpenStep(known) && (body === undefined || JSON.stringify(body) === last)) break;
    last = JSON.stringify(body);
    await steps.run(step, async () => updateOf(id, body ?? {}, now));
    now = await bugNow(id, moving.target);
  }
  return now;
}

function updateOf(id: number, body: JsonObject, now: Bug) {
  return { request: updateRequest([id], body), before: stateBefore([now], body) };
}

/** Gives a bug its flags, links and status, and compares it with the source. */
export async function finishMoved({ bug: source }: SourceBug, mover: Mover): Promise<void> {
  const { steps, moving } = mover;
  const id = steps.numbers.bugs.get(source.id);
  if (id === undefined) return;
  const bug = mappedBug(source, moving.map);
  const context = finishContext(source.id, mover);
  const now = await updateUntilEqual(bug, id, mover);
  const links = missingLinks(bug, now);
  if (links.length > 0) {
    await tolerantly({ bug: source.id, field: "see_also" }, mover, () =>
      steps.run({ bug: source.id, step: "links" }, async () => updateOf(id, { see_also: { add: links } }, now)),
    );
  }
  const left = finishBodies(bug, now, context).flatMap((body) => Object.keys(body));
  const differing = [...differingFields(bug, now, context), ...left.filter((name) => name !== "comment")];
  if (differing.length > 0)
    mover.notes.set(source.id, [...new Set([...(mover.notes.get(source.id) ?? []), ...differing])]);
  steps.end(source.id);
}
