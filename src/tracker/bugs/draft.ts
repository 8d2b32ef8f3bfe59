import type { JsonObject } from "../../wire/exchange.ts";
import { type CustomField, customFields, readWorkflow, type Workflow } from "../bug-fields/values.ts";
import type { NewComment } from "../comments/comments.ts";
import { type Bug, type NamedItem, type Person, type SetFlag, TRACKED_FIELDS } from "../fields.ts";
import { type Call, requireLogin } from "../http/call.ts";
import { differenceBy, formatHours } from "../values.ts";

export type CommentPrivacyChange = { readonly commentId: number; readonly isPrivate: boolean };

/** A bug before and after an update that is not stored yet, with the comment and side effects to store. */
export type BugDraft = {
  readonly before: Bug;
  readonly after: Bug;
  readonly comment: NewComment | undefined;
  readonly privacy: readonly CommentPrivacyChange[];
};

/** One step of an update: reads and validates its part of the input. @throws Fault if the rules forbid the change */
export type UpdateStep = (context: WriteContext, draft: BugDraft) => BugDraft;

export function emptyDraft(bug: Bug): BugDraft {
  return { before: bug, after: bug, comment: undefined, privacy: [] };
}

/** True for the draft of a bug that is being filed. */
export function isNew({ before }: BugDraft): boolean {
  return before.id === 0;
}

/** The draft with some fields of the bug changed; itself if they have these values. */
export function withBug(draft: BugDraft, changes: Partial<Bug>): BugDraft {
  const isSame = Object.entries(changes).every(([name, value]) => draft.after[name as keyof Bug] === value);
  return isSame ? draft : { ...draft, after: { ...draft.after, ...changes } };
}

/** Input of a request that creates or updates bugs, the ids of the bugs, and what is read once for all of them. */
export type WriteContext = {
  readonly input: JsonObject;
  readonly bugIds: readonly number[];
  readonly call: Call;
  readonly user: Person;
  readonly workflow: Workflow;
  readonly customFields: CustomField[];
};

/** The write context of a request. @throws Fault login_required if nobody is logged in */
export function makeWriteContext(call: Call, request: Pick<WriteContext, "input" | "bugIds">): WriteContext {
  const user = requireLogin(call);
  return { ...request, call, user, workflow: readWorkflow(call.store), customFields: customFields(call.store) };
}

/** Changed fields between two states of a bug, in the order of the table of fields; custom fields last. */
export function diffBugs(before: Bug, after: Bug): FieldChange[] {
  return [
    ...TRACKED_FIELDS.flatMap((field) => changeOfField(field, before, after)),
    ...Object.keys(after.custom).flatMap((name) => customChange(name, before, after)),
  ];
}

function changeOfField(
  { name, chart, sets }: (typeof TRACKED_FIELDS)[number],
  before: Bug,
  after: Bug,
): readonly FieldChange[] {
  const [was, is] = [before[name], after[name]];
  if (was === is) return [];
  if (name === "flags") return valueChange(chart, ...flagDifference(before.flags, after.flags));
  if (Array.isArray(was) && Array.isArray(is)) return listChange(chart, was.map(shownValue), is.map(shownValue));
  // Bugzilla shows the stored value with two decimals and the new one as sent: 10.00 -> 7.5
  if (sets === "hours") return [{ field: chart, removed: formatHours(Number(was)), added: String(is) }];
  return valueChange(chart, shownValue(was as SingleValue), shownValue(is as SingleValue));
}

type SingleValue = string | number | boolean | NamedItem | Person | null;

function shownValue(value: SingleValue): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value !== "object") return String(value);
  if (value === null) return "";
  return "login" in value ? value.login : value.name;
}

/** The removed and the added of two lists of flags. A new setter is a change, although setters are not shown. */
export function flagDifference(
  before: readonly SetFlag[],
  after: readonly SetFlag[],
): readonly [removed: string, added: string] {
  const joined = (list: readonly SetFlag[], other: readonly SetFlag[]) =>
    differenceBy(list, other, (flag) => `${flag.id} ${flag.setter.id} ${flagText(flag)}`)
      .map(flagText)
      .join(", ");
  return [joined(before, after), joined(after, before)];
}

/** A flag as changes and history show it: `review?(bob@example.org)`. */
function flagText({ name, status, requestee }: SetFlag): string {
  return `${name}${status}${requestee ? `(${requestee.login})` : ""}`;
}

function customChange(name: string, before: Bug, after: Bug): readonly FieldChange[] {
  const [was = "", is = ""] = [before.custom[name], after.custom[name]];
  if (typeof was === "string" && typeof is === "string") return valueChange(name, was, is);
  return listChange(name, [was].flat(), [is].flat());
}

/** Change of one field as reported and stored in history; `field` is its chart name (`bug_status`). */
export type FieldChange = { readonly field: string; readonly removed: string; readonly added: string };

/** The change of a single value; empty if unchanged. */
function valueChange(field: string, removed: string, added: string): FieldChange[] {
  return removed === added ? [] : [{ field, removed, added }];
}

/** The change of a list, removed and added items joined by `, `; empty if unchanged. */
function listChange(field: string, before: readonly string[], after: readonly string[]): readonly FieldChange[] {
  const onlyIn = (list: readonly string[], other: readonly string[]) => differenceBy(list, other, String).join(", ");
  return valueChange(field, onlyIn(before, after), onlyIn(after, before));
}
