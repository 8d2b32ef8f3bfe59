import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import { attemptRequest, type Job } from "../delivery/journal.ts";
import { readChangedItems } from "../response/response-objects.ts";
import { requestBody } from "../write/update-request.ts";

/** A change of one bug by a job. */
export type PastChange = {
  readonly bug: number;
  readonly when: string; // ISO 8601, UTC
  readonly who: string | undefined; // undefined if the job does not record its user
  readonly job: string;
  readonly fields: readonly PastField[];
  readonly hasComment: boolean;
};

/** A changed field, by the name in bug JSON; lists are joined by commas. */
export type PastField = {
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly before?: Json | undefined; // value as the job read it
  readonly sent?: Json | undefined; // value or edit as the job sent it
};

/** The changes that a job made to bugs, oldest first. */
export function jobChanges({ head, attempts }: Job): PastChange[] {
  if (head.request.operation !== "Update Bug") return [];
  const found: PastChange[] = [];
  for (const { sent, end } of attempts) {
    if (end?.st !== "DONE") continue;
    const body = requestBody(attemptRequest(head, sent));
    const hasComment = COMMENTED.some((field) => body[field] !== undefined);
    for (const changed of readChangedItems<ChangedBug>(end.answer, "bugs")) {
      const { id: bug, last_change_time: when } = changed;
      const fields = jobFields(changed, sent.before?.find(({ id }) => Number(id) === bug) ?? {}, body);
      if (fields.length > 0) found.push({ bug, when, who: head.user, job: head.job, fields, hasComment });
    }
  }
  return found;
}

/** Parts of an update with which a comment is added: its own, or the tracker's about a duplicate. */
const COMMENTED = ["comment", "dupe_of"];

function jobFields({ changes }: ChangedBug, before: JsonObject, body: JsonObject): PastField[] {
  const fields: PastField[] = Object.entries(changes).map(([field, { removed, added }]) => {
    const name = field === "flagtypes.name" ? "flags" : field;
    return { field, removed: removed ?? "", added: added ?? "", before: before[name], sent: body[name] };
  });
  for (const field of UNREPORTED) {
    if (body[field] !== undefined && changes[field] === undefined) fields.push({ field, removed: "", added: "" });
  }
  return fields;
}

/** Parts of an update that are not among the changes of its response. */
const UNREPORTED = ["work_time", "comment_is_private"];
