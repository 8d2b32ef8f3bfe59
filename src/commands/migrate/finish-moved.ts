import { historyPlan } from "../../api/bug-numbers.ts";
import { stateBefore } from "../../api/delivery/write-state.ts";
import { defaultPeopleBody, differingFields, finishBodies, missingLinks } from "../../api/migrate/finish.ts";
import type { SourceBug } from "../../api/migrate/moved-bug.ts";
import { mappedBug } from "../../api/migrate/name-map.ts";
import { updateRequest } from "../../api/write/update-request.ts";
import { stepKey } from "../../session/results/move-log.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { readAll } from "../bug/thread.ts";
import { bugNow, finishContext, type Mover, noteFields, tolerantly } from "./mover.ts";
import { isOpenStep } from "./steps.ts";

/** Updates of one bug after which something is wrong with the target. */
const MAX_FINISHES = 12;

/** Sends the updates that a bug needs; returns the bug after them. */
async function updateUntilEqual(bug: SourceBug["bug"], start: Bug, mover: Mover): Promise<Bug> {
  const { steps, moving } = mover;
  const context = finishContext(bug.id, mover);
  const id = start.id ?? 0;
  let last = "";
  let now = start;
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

/** A new bug of the target, and the fields with people who could not be taken off it. */
type Freed = { readonly now: Bug; readonly left: readonly string[] };

/** Takes the people off a bug whom the target gave it by default. */
async function withoutDefaultPeople(bug: SourceBug["bug"], id: number, mover: Mover): Promise<Freed> {
  const { steps, moving, survey } = mover;
  const { target } = survey;
  const step = { bug: bug.id, step: "people" };
  const now = await bugNow(id, moving.target);
  const isOpen = isOpenStep(steps.entries.get(stepKey(step)));
  if (!isOpen && isEmpty(defaultPeopleBody(bug, now, { target, history: [] }))) return { now, left: [] };
  const read = await readAll([String(id)], historyPlan(undefined), moving.target);
  const history = read.get(String(id))?.history ?? [];
  const body = defaultPeopleBody(bug, now, { target, history });
  if (!isOpen && isEmpty(body)) return { now, left: [] };
  await tolerantly({ bug: bug.id, fields: Object.keys(body) }, mover, () =>
    steps.run(step, async () => updateOf(id, body, now)),
  );
  const after = await bugNow(id, moving.target);
  return { now: after, left: Object.keys(defaultPeopleBody(bug, after, { target, history })) };
}

function isEmpty(body: JsonObject): boolean {
  return Object.keys(body).length === 0;
}

/** Gives a bug its flags, links and status, and compares it with the source. */
export async function finishMoved({ bug: source }: SourceBug, mover: Mover): Promise<void> {
  const { steps, moving } = mover;
  const id = steps.numbers.bugs.get(source.id);
  if (id === undefined) return;
  const bug = mappedBug(source, moving.map);
  const context = finishContext(source.id, mover);
  const freed = await withoutDefaultPeople(bug, id, mover);
  const now = await updateUntilEqual(bug, freed.now, mover);
  const links = missingLinks(bug, now);
  if (links.length > 0) {
    await tolerantly({ bug: source.id, fields: ["see_also"] }, mover, () =>
      steps.run({ bug: source.id, step: "links" }, async () => updateOf(id, { see_also: { add: links } }, now)),
    );
  }
  const left = finishBodies(bug, now, context).flatMap((body) => Object.keys(body));
  const differing = [
    ...differingFields(bug, now, context),
    ...freed.left,
    ...left.filter((name) => name !== "comment"),
  ];
  noteFields(source.id, differing, mover);
  steps.end(source.id);
}
