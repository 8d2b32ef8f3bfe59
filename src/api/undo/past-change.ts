import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug, FieldChange, HistoryEntry } from "../../wire/resources.ts";
import { attemptRequest, type Job } from "../delivery/journal.ts";
import { grouped } from "../lists.ts";
import { readChangedItems, receivedMs } from "../response/response-objects.ts";
import { isSameLogin } from "../write/flag-requests.ts";
import { requestBody } from "../write/update-request.ts";

/** A change of one bug by one user at one time, from the job that made it or from the bug's history. */
export type PastChange = {
  readonly bug: number;
  readonly when: string; // ISO 8601, UTC
  readonly who: string;
  readonly job?: string | undefined;
  readonly fields: readonly PastField[];
  readonly hasComment?: boolean; // unknown without a job
};

/** A changed field, by the name in bug JSON; lists are joined by commas. */
export type PastField = {
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly before?: Json | undefined; // value as the job read it
  readonly sent?: Json | undefined; // value or edit as the job sent it
  readonly attachment?: number | undefined;
  readonly doubt?: string | undefined; // reason why the texts may not be the values
};

/** The changes of a bug by a user, in the order of its history; `isAuthor` tests the login of an entry. */
export function historyChanges(
  bug: number,
  history: readonly HistoryEntry[],
  isAuthor: (who: string) => boolean,
): readonly PastChange[] {
  return history
    .filter(({ who, changes }) => isAuthor(who) && changes.length > 0)
    .map(({ when, who, changes }) => ({ bug, when, who, fields: historyFields(changes) }));
}

function historyFields(changes: readonly FieldChange[]): readonly PastField[] {
  const rows = grouped(changes, ({ attachment_id, field_name }) => `${attachment_id ?? ""} ${field_name}`);
  return [...rows.values()].map((parts) => {
    const [removed, added] = (["removed", "added"] as const).map((side) => parts.map((part) => part[side]).join(""));
    const [{ field_name = "", attachment_id } = {}] = parts;
    return {
      ...{ field: field_name, removed: removed ?? "", added: added ?? "", attachment: attachment_id },
      doubt: parts.length > 1 ? "the history merges several changes" : lengthDoubt(removed, added),
    };
  });
}

/**
 * Values up to this length are whole in a history. Longer ones are split there, and whitespace at the splits is lost.
 * @see Bugzilla/Bug.pm, LogActivityEntry: at most 254 characters
 */
const MAX_EXACT_LENGTH = 250;

function lengthDoubt(...texts: readonly (string | undefined)[]): string | undefined {
  const isLong = texts.some((text = "") => [...text].length > MAX_EXACT_LENGTH);
  return isLong ? "too long for the history to be exact" : undefined;
}

/** Histories of bugs, by id. */
export type Histories = ReadonlyMap<number, readonly HistoryEntry[]>;

/**
 * The changes that a job made, a change for each bug. Their author is the job's user, else the one whom the history names,
 * else `me`.
 */
export function jobChanges(
  { head, attempts }: Job,
  me: string,
  histories: Histories = new Map(),
): readonly PastChange[] {
  if (head.request.operation !== "Update Bug") return [];
  return attempts.flatMap(({ sent, end }) => {
    if (end?.st !== "DONE") return [];
    const body = requestBody(attemptRequest(head, sent));
    return readChangedItems<ChangedBug>(end.answer, "bugs").flatMap((changed) => {
      const { id, last_change_time } = changed;
      const fields = jobFields(changed, sent.before?.find((bug) => Number(bug["id"]) === id) ?? {}, body);
      const told = { bug: id, when: last_change_time, fields };
      const who = head.user ?? authorInHistory(told, histories.get(id) ?? [], me);
      const hasComment = COMMENTED.some((field) => body[field] !== undefined);
      return fields.length === 0 ? [] : [{ ...told, who, job: head.job, hasComment }];
    });
  });
}

/** Parts of an update with which a comment is added: its own, or the tracker's about a duplicate. */
const COMMENTED = ["comment", "dupe_of"];

/** Author of a change of these fields in that second; `me` if several did, or if the history does not have it. */
function authorInHistory(
  { when, fields }: Pick<PastChange, "when" | "fields">,
  history: readonly HistoryEntry[],
  me: string,
): string {
  const isTold = ({ field_name }: FieldChange) => fields.some(({ field }) => field === field_name);
  const entries = history.filter((entry) => secondOf(entry.when) === secondOf(when) && entry.changes.some(isTold));
  return entries.some(({ who }) => isSameLogin(who, me)) ? me : (entries[0]?.who ?? me);
}

function jobFields({ changes }: ChangedBug, before: JsonObject, body: JsonObject): readonly PastField[] {
  const unreported = UNREPORTED.filter((field) => body[field] !== undefined && changes[field] === undefined);
  const reported = Object.entries(changes).map(([field, change]) => {
    const name = field === "flagtypes.name" ? "flags" : field;
    const [removed, added] = [change.removed ?? "", change.added ?? ""];
    const doubt = before[name] === undefined ? lengthDoubt(removed, added) : undefined;
    return { field, removed, added, before: before[name], sent: body[name], doubt };
  });
  return [...reported, ...unreported.map((field) => ({ field, removed: "", added: "" }))];
}

/** Parts of an update that are not among the changes of its response, though the history has them. */
const UNREPORTED = ["work_time", "comment_is_private"];

/** The change of a bug that is meant: the n-th newest (from 1), or the one of a moment (ISO 8601, UTC). */
export type ChangeChoice = { readonly place: number } | { readonly when: string };

/**
 * The chosen change of a bug. A job stands for the changes that the history has at its time, which may merge several
 * jobs; jobs are given oldest first.
 */
export function chosenChange(
  told: readonly PastChange[],
  jobs: readonly PastChange[],
  choice: ChangeChoice,
): PastChange | undefined {
  const times = new Set(jobs.map(({ when }) => secondOf(when)));
  const all = [...told.filter(({ when }) => !times.has(secondOf(when))), ...jobs];
  const newest = all.toReversed().sort((one, other) => secondOf(other.when) - secondOf(one.when));
  if ("place" in choice) return newest[choice.place - 1];
  return newest.find(({ when }) => secondOf(when) === secondOf(choice.when));
}

/**
 * The second of a moment, in which a history merges changes.
 * @throws BtError of kind reply if the tracker returned no time
 */
export function secondOf(time: string): number {
  return Math.floor(receivedMs(time) / 1000);
}
