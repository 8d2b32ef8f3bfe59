import type { Json, JsonObject } from "../../wire/exchange.ts";
import { emptyCustomValue } from "../bug-fields/values.ts";
import { addComment, updateCommentPrivacy } from "../comments/comments.ts";
import { type Bug, FIELD_MAP, FIELDS, isTimeTracking, PLAIN_FIELDS, wireFieldName } from "../fields.ts";
import { updateBugFlags } from "../flags/flags.ts";
import { type Call, isEnabled, isInGroup, requireLogin } from "../http/call.ts";
import { queueBugMails } from "../mail/mail.ts";
import { refuseReadOnlyProduct } from "../products/products.ts";
import { asText, Fault } from "../values.ts";
import {
  type BugDraft,
  diffBugs,
  EMPTY_COMMENT,
  emptyDraft,
  findBugId,
  insertComment,
  isNew,
  makeWriteContext,
  requireRight,
  type UpdateStep,
  type WriteContext,
} from "./draft.ts";
import {
  updateComponent,
  updateCustomFields,
  updateMilestone,
  updatePeople,
  updatePlainFields,
  updateProduct,
  updateStatus,
  updateVersion,
} from "./fields.ts";
import {
  readList,
  readListOrText,
  updateAliases,
  updateBugGroups,
  updateCc,
  updateDependencies,
  updateKeywords,
  updateSeeAlso,
} from "./lists.ts";
import { type AppliedChange, applyDraft, applyToOtherBugs, insertBug, loadBug, storeDraft } from "./stored-bug.ts";

/** Update Bug: one change of all bugs named in the path and in `ids`. */
export function updateBugs(call: Call): Json {
  requireLogin(call);
  const bugIds = bugIdsToUpdate(call);
  const context = makeWriteContext(call, bugIds);
  const bugs = bugIds.map((id) => loadBug(call.store, id, context.customFields));
  for (const { product } of bugs) refuseReadOnlyProduct(call, product);
  refuseBulkUpdate(context);
  const drafts = bugs.map((bug) => draftChange(context, bug));
  return { bugs: drafts.map((draft) => presentUpdate(context, draft, applyDraft(context, draft))) };
}

// Without duplicates: a bug may be named by number and alias.
function bugIdsToUpdate(call: Call): number[] {
  const { ids: sent = [] } = call.input;
  const ids: Json[] = Array.isArray(sent) ? sent : [sent];
  if (ids.some((id) => typeof id === "boolean" || (typeof id === "object" && id !== null)))
    throw new Fault(
      "param_scalar_array_required",
      "The ids parameter must be an array of scalars (integers and/or strings).",
    );
  const texts = [call.path["id_or_alias"] ?? "", ...ids.map((id) => asText(id, "ids"))];
  return [...new Set(texts.map((text) => findBugId(call, text)))];
}

/** Refuses to set what only one bug can have. */
function refuseBulkUpdate({ input, bugIds }: WriteContext): void {
  if (bugIds.length > 1 && input["dupe_of"] !== undefined)
    throw new Fault("other", "You cannot mark bugs as duplicates when changing several bugs at once.");
  if (bugIds.length > 1 && input["alias"] !== undefined)
    throw new Fault("alias_in_use", "You cannot set aliases when modifying multiple bugs at once.");
}

// Closing a bug clears the remaining time, which only the time-tracking group may see.
function presentUpdate(
  { call }: WriteContext,
  { after }: BugDraft,
  { changes, lastChangeTime }: AppliedChange,
): JsonObject {
  const isTimeTracker = isInGroup(call.requester, call.parameters.timetrackinggroup);
  const visible = changes.filter(({ field }) => isTimeTracker || !isTimeTracking(field));
  return {
    id: after.id,
    alias: after.alias,
    last_change_time: lastChangeTime,
    changes: Object.fromEntries(visible.map(({ field, removed, added }) => [wireFieldName(field), { removed, added }])),
  };
}

type ChartNames = "all" | readonly string[];

/** A step, and the changes that draftChange requires a right for; the step checks others, if any. */
type OrderedStep = readonly [step: UpdateStep, restricted?: ChartNames];

// In order, since later steps depend on earlier ones, and the first of several faults is reported.
const STEPS: readonly OrderedStep[] = [
  [updatePlainFields, "all"],
  [updateProduct, ["product"]],
  [updateComponent, ["component"]],
  [updateVersion, "all"],
  [updateMilestone],
  [updateBugGroups, "all"],
  [updateDependencies, "all"],
  [updateKeywords, "all"],
  [addComment],
  [updateCommentPrivacy],
  [updateAliases],
  [updateStatus, ["resolution", "dup_id"]],
  [updatePeople, "all"],
  [updateSeeAlso, "all"],
  [updateCustomFields, "all"],
  [updateCc],
  [updateBugFlags],
];

/** The draft of one bug after all steps. @throws Fault if any part of the change is invalid or not permitted */
function draftChange(context: WriteContext, bug: Bug): BugDraft {
  let draft = emptyDraft(bug);
  for (const [step, restricted = []] of STEPS) {
    const next = step(context, draft);
    if (!isNew(draft)) requireRights(context, draft, next, restricted);
    draft = next;
  }
  return draft;
}

// Fault 115 does not name the other bugs of a dependency.
function requireRights(context: WriteContext, draft: BugDraft, next: BugDraft, restricted: ChartNames): void {
  for (const { field, removed, added } of diffBugs(draft.after, next.after)) {
    if (restricted !== "all" && !restricted.includes(field)) continue;
    const isHidden = field === "dependson" || field === "blocked";
    requireRight(context, draft.before, { field, from: isHidden ? "" : removed, to: isHidden ? "" : added });
  }
}

/** Create Bug, an update of a blank bug; the description becomes its first comment. */
export function createBug(call: Call): Json {
  const context = makeWriteContext(call, []);
  const updateContext = { ...context, input: newBugInput(context) };
  const draft = draftChange(updateContext, blankBug(context));
  const { after, comment = EMPTY_COMMENT } = draft;
  const created = insertBug(context, draft.before, after);
  insertComment(context, created.id, comment);
  applyToOtherBugs(context, { ...draft, after: created });
  const withFlags = updateBugFlags(updateContext, emptyDraft(created)); // once it can be tested who sees the bug
  storeDraft(context, withFlags);
  queueBugMails(call, { ...draft, after: withFlags.after, comment }, []);
  return { id: created.id };
}

const NOBODY = { id: 0, login: "" };
const NO_PRODUCT = { id: 0, name: "", default_milestone: "", has_unconfirmed: true, is_active: true };
const NO_COMPONENT = { id: 0, name: "", is_active: true };

function blankBug({ call, user, customFields: custom }: WriteContext): Bug {
  return {
    id: 0,
    ...{ product: NO_PRODUCT, component: NO_COMPONENT, version: "", target_milestone: "" },
    ...{ status: "", resolution: "", is_confirmed: true, dupe_of: null },
    ...{ summary: "", url: "", whiteboard: "", priority: "", severity: "", platform: "", op_sys: "" },
    ...{ assigned_to: NOBODY, qa_contact: null, creator: { id: user.id, login: user.login } },
    ...{ is_cc_accessible: true, is_creator_accessible: true },
    ...{ deadline: "", estimated_time: 0, remaining_time: 0 },
    ...{ alias: [], cc: [], keywords: [], groups: [], depends_on: [], blocks: [], see_also: [], flags: [] },
    custom: Object.fromEntries(custom.map((field) => [field.name, emptyCustomValue(field)])),
    ...{ creation_time: call.now, last_change_time: call.now },
  };
}

const IGNORED: ReadonlySet<string> = new Set<string>([
  ...FIELDS.filter(({ onCreate }) => onCreate === "ignored").map(({ name }) => name),
  ...["lastdiffed", "work_time", "callback", "exclude_fields", "include_fields"],
  ...["login", "password", "Bugzilla_restrictlogin", "restrict_login"],
]);
const TAKEN: ReadonlySet<string> = new Set<string>([
  ...FIELDS.filter(({ json, onCreate }) => json && !onCreate).map(({ name }) => name),
  ...["description", "comment_is_private"], // become its comment
]);

/**
 * Input of a new bug as that of an update: current names, without nulls and what is ignored, with the tracker's defaults.
 * @throws Fault param_invalid for unknown names
 */
function newBugInput({ call, customFields }: WriteContext): JsonObject {
  const { parameters } = call;
  const sent: Record<string, Json> = {};
  for (const [given, value] of Object.entries(call.input)) {
    const name = given === "comment" ? "description" : (FIELD_MAP.get(given) ?? given);
    const isKnown = TAKEN.has(name) || IGNORED.has(name) || customFields.some((field) => field.name === name);
    if (!isKnown)
      throw new Fault("param_invalid", `${name} is not a valid parameter for the Bugzilla::Bug::create function.`);
    if (value !== null && !IGNORED.has(name)) sent[name] = toUpdateValue(name, value);
  }
  const { description = "", comment_is_private = false, ...fields } = sent;
  const defaults = PLAIN_FIELDS.flatMap(({ name, default: key }) => (key ? [[name, parameters[key]]] : []));
  return completeTimeTracking(call, {
    summary: "",
    ...Object.fromEntries(defaults),
    ...fields,
    ...(isEnabled(parameters.letsubmitterchoosepriority) ? {} : { priority: parameters.defaultpriority }),
    comment: { body: description, is_private: comment_is_private },
  });
}

/** Lists that a new bug takes as they are, and the part of an update that they become. */
const UPDATE_PARTS = new Map([
  ["keywords", "set"],
  ["depends_on", "set"],
  ["blocks", "set"],
  ["groups", "add"],
  ["cc", "add"],
  ["see_also", "add"],
]);

function toUpdateValue(name: string, value: Json): Json {
  const part = UPDATE_PARTS.get(name);
  if (part === undefined) return value;
  if (name !== "groups") return { [part]: readListOrText(value, name) };
  return { [part]: typeof value === "string" ? value.split(",") : readList(value, name) };
}

/** Input without hours and deadline unless the requester tracks time; the remaining time defaults to the estimate. */
function completeTimeTracking({ requester, parameters }: Call, input: JsonObject): JsonObject {
  if (!isInGroup(requester, parameters.timetrackinggroup))
    return Object.fromEntries(Object.entries(input).filter(([name]) => !isTimeTracking(name)));
  const { estimated_time } = input;
  return estimated_time ? { remaining_time: estimated_time, ...input } : input;
}
