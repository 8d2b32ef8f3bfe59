import { responseOf } from "../../../api/delivery/outcome.ts";
import type { RoleWrite, Writer } from "../../../api/delivery/writer.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { STATUS_FIELDS, stateBefore } from "../../../api/write/write-state.ts";
import { BtError, withDetails, withFacts } from "../../../errors.ts";
import type { ChangedBug } from "../../../wire/resources.ts";

/**
 * Sends both updates of a part, each as a job; both are journaled before the first is sent. Returns the changes of both.
 * @throws BtError of the first that is not applied
 */
export async function sendBoth(part: UpdatePart, first: RoleWrite, writer: Writer): Promise<ChangedBug[]> {
  const { finish = {} } = part;
  const request = updateRequest(idsOf(part), finish);
  const second: RoleWrite = { ...first, request, before: undefined };
  return writer.begin(first, (job) =>
    writer.begin(second, async (next) => {
      const changed = readChangedItems<ChangedBug>(responseOf(await job.attempt(first)), "bugs");
      const before = stateBefore(secondPart(part, changed).bugs, finish);
      const outcome = await next.attempt({ ...second, before });
      if (outcome.st !== "applied") throw secondError(outcome.error, part);
      const later = readChangedItems<ChangedBug>(outcome.response, "bugs");
      return changed.map((item) => withSecond(item, later));
    }),
  );
}

function idsOf({ bugs }: UpdatePart): number[] {
  return bugs.map(({ id }) => id);
}

/** The second update of the bugs that have the first, as that left their status. */
export function secondPart({ bugs, finish = {} }: UpdatePart, changed: ChangedBug[]): UpdatePart {
  const left = bugs.flatMap((bug) => {
    const first = changed.find(({ id }) => id === bug.id);
    if (first === undefined) return [];
    const moved = Object.entries(first.changes).filter(([name]) => STATUS_FIELDS.includes(name));
    const status = Object.fromEntries(moved.map(([name, { added }]) => [name, added]));
    return { ...bug, ...status, last_change_time: first.last_change_time };
  });
  return { bugs: left, body: finish };
}

/** The changes of a bug by two updates: of a value, from what it was before both. */
export function withSecond(first: ChangedBug, later: ChangedBug[]): ChangedBug {
  const second = later.find(({ id }) => id === first.id);
  if (second === undefined) return first;
  const changes = { ...first.changes };
  for (const [name, { removed, added }] of Object.entries(second.changes))
    changes[name] = { removed: changes[name]?.removed ?? removed, added };
  return { ...first, last_change_time: second.last_change_time, changes };
}

/** The error of a second update of bugs that have the first, with the command that repeats it. */
export function secondError(error: BtError, { body, finish, ...part }: UpdatePart): BtError {
  if (error.facts.changed === "unknown") return error;
  const explained = withDetails(error, [`the first of two updates was applied: the status is ${body["status"]}`]);
  const hint = `bt bug update ${idsOf({ body, ...part }).join(" ")} --status ${finish?.["status"]}`;
  return withFacts(new BtError(error.kind, explained.message, explained.facts), { changed: "some", hint });
}
