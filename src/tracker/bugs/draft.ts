import type { JsonObject } from "../../wire/exchange.ts";
import {
  type CustomField,
  isOpenStatus,
  loadCustomFields,
  loadWorkflow,
  UNCONFIRMED,
  type Workflow,
} from "../bug-fields/values.ts";
import {
  type Bug,
  fieldByChartName,
  fieldLabel,
  isTimeTracking,
  type NamedItem,
  type Person,
  type SetFlag,
  TRACKED_FIELDS,
} from "../fields.ts";
import { asViewer, type Call, isEnabled, isInGroup, requireLogin } from "../http/call.ts";
import { textsInPathAndInput } from "../http/input.ts";
import type { Store } from "../store/store.ts";
import { differenceBy, Fault, faults, formatHours } from "../values.ts";

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

/** True if the product changes, or is set for a new bug. */
export function isMoved({ before, after }: BugDraft): boolean {
  return before.product.id !== after.product.id;
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
export function makeWriteContext(call: Call, bugIds: readonly number[], input = call.input): WriteContext {
  const { store } = call;
  return {
    input,
    bugIds,
    call,
    user: requireLogin(call),
    workflow: loadWorkflow(store),
    customFields: loadCustomFields(store),
  };
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

/** Removed and added flags as text. A new setter is a change, although setters are not shown. */
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
  const onlyIn = (list: readonly string[], other: readonly string[]) => differenceBy(list, other).join(", ");
  return valueChange(field, onlyIn(before, after), onlyIn(after, before));
}

/** Kind of a comment; Bugzilla generates the text of all but plain ones. */
type CommentKind = "plain" | "duplicate_of" | "has_duplicate" | "attachment_created" | "attachment_updated";

/** A new comment; `workTime` in hours, `about` the id of the related bug or attachment. */
export type NewComment = {
  readonly text: string;
  readonly isPrivate: boolean;
  readonly workTime: number;
  readonly kind: CommentKind;
  readonly about: number | null;
};

export const EMPTY_COMMENT: NewComment = { text: "", isPrivate: false, workTime: 0, kind: "plain", about: null };

/** Inserts a comment of the requester; returns its global id. */
export function insertComment({ call, user }: WriteContext, bugId: number, comment: NewComment): number {
  const isPrivate = Number(comment.isPrivate);
  return call.store.run(INSERT, { ...comment, isPrivate, bugId, userId: user.id, time: call.now }).id;
}

const INSERT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, work_time, kind, about)
  VALUES (@bugId, @userId, @time, @text, @isPrivate, @workTime, @kind, @about)`;

type StoredText = Pick<NewComment, "kind" | "text" | "about">;

/**
 * Text of a comment with the generated text about a duplicate or an attachment, which has the summary `file`.
 * @see Bugzilla/Comment.pm, body_full
 */
export function presentCommentText({ kind, text, about }: StoredText, file: string | null): string {
  if (kind === "plain") return text;
  if (kind === "duplicate_of") return `${text}\n\n*** This bug has been marked as a duplicate of bug ${about} ***`;
  if (kind === "has_duplicate") return `*** Bug ${about} has been marked as a duplicate of this bug. ***`;
  const verb = kind === "attachment_created" ? "Created" : "Comment on";
  return `${verb} attachment ${about}\n${file ?? ""}\n\n${text}`;
}

/**
 * Ids of the bugs named in the path and in `ids`, in order, repeated texts once.
 * @throws Fault param_required, improper_bug_id_field_value, bug_id_does_not_exist or bug_access_denied
 */
export function requestedBugIds(call: Call): number[] {
  const texts = textsInPathAndInput(call, "id", "ids");
  if (texts.length === 0) throw faults.parameterMissing("ids");
  return [...new Set(texts)].map((text) => findBugId(call, text));
}

/**
 * The id of the bug with this number or alias.
 * @throws Fault bug_id_does_not_exist or improper_bug_id_field_value if there is none, bug_access_denied for the number
 * of a bug that the requester may not see. The alias of such a bug counts as unknown, so that it is not disclosed.
 */
export function findBugId(call: Call, text: string): number {
  const name = text.trim();
  const id = /^\d+$/.test(name) ? existingBugId(call, name) : visibleBugIdByAlias(call.store, name);
  if (id === undefined && name === "")
    throw new Fault("improper_bug_id_field_value", "You must enter a valid bug number!");
  if (id === undefined) throw faults.noSuchAlias(name);
  if (isBugVisible(call.store, id)) return id;
  const hint = call.requester.user
    ? ""
    : " To see this bug, you must first log in to an account with the appropriate permissions.";
  throw new Fault("bug_access_denied", `You are not authorized to access bug #${name}.${hint}`);
}

function existingBugId({ store }: Call, digits: string): number {
  const id = Number(digits);
  if (!Number.isSafeInteger(id) || !store.get("SELECT id FROM bugs WHERE id = ?", [id])) throw faults.noSuchBug(digits);
  return id;
}

export function isBugVisible(store: Store, id: number): boolean {
  return store.get("SELECT id FROM visible_bugs WHERE id = ?", [id]) !== undefined;
}

/** True if another user than the requester may see a bug, as it is stored. */
export function maySeeBug(call: Call, userId: number, bugId: number): boolean {
  return asViewer(call, userId, () => isBugVisible(call.store, bugId));
}

/** Id of the bug with this alias; undefined if there is none or the requester may not see it. */
export function visibleBugIdByAlias(store: Store, alias: string): number | undefined {
  const id = bugIdByAlias(store, alias);
  return id !== undefined && isBugVisible(store, id) ? id : undefined;
}

/** Id of the bug with this alias, visible or not; undefined if there is none. */
export function bugIdByAlias(store: Store, alias: string): number | undefined {
  return store.values("SELECT bug_id FROM bug_aliases WHERE alias = ?", [alias])[0];
}

/** A requested change of one field; old and new value as fault 115 shows them. */
export type RequestedChange = { readonly field: string; readonly from: string; readonly to: string };

/** Checks that the requester may change a field; `bug` is the bug before the update. @throws Fault illegal_change */
export function requireRight(context: WriteContext, bug: Bug, change: RequestedChange): void {
  const role = missingRight(context, bug, change);
  if (role === undefined) return;
  const { field, from, to } = change;
  const label = context.customFields.find(({ name }) => name === field)?.label ?? fieldLabel(field);
  const values = `${from === "" ? "" : `from ${from} `}${to === "" ? "" : `to ${to}`}`.trim();
  throw new Fault(
    "illegal_change",
    `You tried to change the ${label} field ${values}, but only ${role} with the required permissions may change that field.`,
  );
}

/**
 * Role required for a change, as fault 115 names it; undefined if the requester may make it. `bug` is as before the update.
 * @see Bugzilla/Bug.pm, check_can_change_field
 */
export function missingRight(context: WriteContext, bug: Bug, change: RequestedChange): string | undefined {
  const { call, user } = context;
  const { field, from } = change;
  const { timetrackinggroup, useqacontact } = call.parameters;
  const isAddedToCc = field === "cc" && from === "";
  if (fieldByChartName(field)?.right === "everybody" || isAddedToCc) return undefined;
  if (isTimeTracking(field) && !isInGroup(call.requester, timetrackinggroup)) return "a user";
  const { mayEdit, mayConfirm } = productRights(call, bug.product.id);
  if (mayEdit) return undefined;
  if (changesConfirmation(context, bug, change)) return mayConfirm ? undefined : "a user";
  const workers = [bug.assigned_to.id, isEnabled(useqacontact) ? bug.qa_contact?.id : undefined];
  if (workers.includes(user.id)) return undefined;
  if (isDeniedToCreator(context, change)) return "the assignee of the bug, or a user";
  return bug.creator.id === user.id ? undefined : "the assignee or reporter of the bug, or a user";
}

/** True if a change confirms a bug, or makes it unconfirmed again. */
function changesConfirmation({ workflow }: WriteContext, bug: Bug, { field, to }: RequestedChange): boolean {
  if (field !== "bug_status") return field === "everconfirmed";
  return to === UNCONFIRMED ? bug.is_confirmed : !bug.is_confirmed && isOpenStatus(workflow, to);
}

function isDeniedToCreator({ call, workflow }: WriteContext, { field, from, to }: RequestedChange): boolean {
  if (field === "bug_status") return isOpenStatus(workflow, from) && isOpenStatus(workflow, to);
  if (field === "priority") return !isEnabled(call.parameters.letsubmitterchoosepriority);
  return fieldByChartName(field)?.right === "workers";
}

/** Rights to edit and confirm all bugs of a product, from global groups and the product's group controls. */
export function productRights(call: Call, productId: number): { mayEdit: boolean; mayConfirm: boolean } {
  const { edits, confirms } = call.store.get(RIGHTS, [productId]) as RightsRow;
  return {
    mayEdit: isInGroup(call.requester, "editbugs") || edits === 1,
    mayConfirm: isInGroup(call.requester, "canconfirm") || confirms === 1,
  };
}

type RightsRow = { edits: number | null; confirms: number | null };

const RIGHTS = `SELECT max(edit_bugs) AS edits, max(can_confirm) AS confirms FROM group_controls
  WHERE product_id = ? AND group_id IN (SELECT group_id FROM viewer_groups)`;
