import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Bug } from "../bug.ts";
import { type CustomField, customFields } from "../bug-fields/choices.ts";
import { emptyCustomValue } from "../bug-fields/custom-fields.ts";
import { FIELD_MAP, FIELDS, PLAIN_FIELDS } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isInGroup, requireLogin } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { queueBugMails } from "../mail/mail.ts";
import { updateAliases } from "./aliases.ts";
import { applyToOtherBugs, storeBug } from "./apply.ts";
import { addDescription } from "./comment.ts";
import { updateDependencies } from "./dependencies.ts";
import { emptyDraft, makeWriteContext, type UpdateStep, type WriteContext } from "./draft.ts";
import { updateBugFlags } from "./flags.ts";
import { readListItems } from "./list-edit.ts";
import { updateBugGroups, updateKeywords } from "./list-fields.ts";
import { EMPTY_COMMENT, insertComment } from "./new-comment.ts";
import { updateAssignees, updateCc } from "./people.ts";
import { updateComponent, updateMilestone, updateProduct, updateVersion } from "./product-fields.ts";
import { insertBugRow, saveBugChanges } from "./save.ts";
import { updateSeeAlso } from "./see-also.ts";
import { updateStatus } from "./status.ts";
import { plainStep, updateCustomFields } from "./value-fields.ts";

/**
 * Route of Create Bug: the description becomes the first comment.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#create-bug
 */
export const bugCreateRoutes: readonly Route[] = [{ method: "POST", path: "/bug", handle: (call) => createBug(call) }];

function createBug(call: Call): Json {
  const { id: userId } = requireLogin(call);
  const input = newBugInput(call, customFields(call.store));
  const context = makeWriteContext(call, { input, bugIds: [] });
  const draft = NEW_STEPS.reduce((sofar, step) => step(context, sofar), emptyDraft(blankBug(context)));
  const { after, comment = EMPTY_COMMENT } = draft;
  const created: Bug = { ...after, id: insertBugRow(call.store, after) };
  const before: Bug = { ...draft.before, id: created.id };
  saveBugChanges({ store: call.store, customFields: context.customFields, now: call.now }, before, created);
  insertComment(call.store, { bugId: created.id, userId, time: call.now }, comment);
  applyToOtherBugs(context, { ...draft, before, after: created });
  const withFlags = updateBugFlags(context, emptyDraft(created));
  storeBug(context, withFlags);
  queueBugMails(call, { before: created, after: withFlags.after, isNew: true, changes: [], comment });
  return { id: created.id };
}

const TIME = "time trackers";
const TIMES = PLAIN_FIELDS.filter(({ right }) => right === TIME).map(({ name }) => String(name));
const CUSTOM = "cf_";

/**
 * The steps of an update in the order in which Bugzilla validates a new bug, by internal names: it reports the first of
 * several faults. Flags follow when the bug is stored.
 * @see Bugzilla/Object.pm, `run_create_validators`
 */
const NEW_STEPS: readonly UpdateStep[] = [
  updateAliases,
  plainStep(({ chart, right }) => chart < CUSTOM && right !== TIME),
  updateCustomFields,
  plainStep(({ right }) => right === TIME),
  plainStep(({ chart, right }) => chart > CUSTOM && chart < "product" && right !== TIME),
  updateProduct,
  plainStep(({ chart }) => chart > "product"),
  addDescription,
  updateComponent,
  updateDependencies,
  updateBugGroups,
  updateKeywords,
  updateVersion,
  updateMilestone,
  updateStatus,
  updateAssignees,
  updateCc,
  updateSeeAlso,
];

const NOBODY = { id: 0, login: "" };
const NO_PRODUCT = { id: 0, name: "", default_milestone: "", has_unconfirmed: true, is_active: true };
const NO_COMPONENT = { id: 0, name: "", is_active: true, people: { assigned_to: NOBODY, qa_contact: null } };

/** A bug of which nothing is set. */
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

const TAKEN_FIELDS = FIELDS.filter(({ json, onCreate }) => json && !onCreate);
const IGNORED_FIELDS = FIELDS.filter(({ onCreate }) => onCreate === "ignored");

// Older names that Bugzilla accepts too. @see Bugzilla/Bug.pm, map_fields
const OLD_NAMES: ReadonlyMap<string, string> = new Map([...FIELD_MAP, ["comment", "description"]]);

const PARAMETERS: ReadonlySet<string> = new Set<string>([
  ...TAKEN_FIELDS.map(({ name }) => name),
  "comment_is_private",
  "description",
]);

// Fields that cannot be set on a new bug, and parameters that are not fields.
const IGNORED: ReadonlySet<string> = new Set<string>([
  ...IGNORED_FIELDS.map(({ name }) => name),
  "lastdiffed",
  "work_time",
  "callback",
  "exclude_fields",
  "include_fields",
  "login",
  "password",
  "Bugzilla_restrictlogin",
  "restrict_login",
]);

/**
 * Input of a new bug as that of an update: current names, without nulls and what is ignored, with the tracker's defaults.
 * @throws Fault param_invalid for unknown names
 */
function newBugInput(call: Call, custom: CustomField[]): JsonObject {
  const { parameters } = call;
  const sent = Object.entries(call.input).map(([name, value]) => [OLD_NAMES.get(name) ?? name, value] as const);
  const known = new Set([...PARAMETERS, ...IGNORED, ...custom.map(({ name }) => name)]);
  const unknown = sent.find(([name]) => !known.has(name));
  if (unknown)
    throw new Fault("param_invalid", `${unknown[0]} is not a valid parameter for the Bugzilla::Bug::create function.`);
  const taken = sent.filter(([name, value]) => value !== null && !IGNORED.has(name));
  const usual = PLAIN_FIELDS.flatMap(({ name, default: parameter }) =>
    parameter ? [[name, parameters[parameter]]] : [],
  );
  return withHours(call, {
    summary: "",
    ...Object.fromEntries(usual),
    ...Object.fromEntries(taken.map(([name, value]) => [name, asEdit(name, value)])),
    ...(isEnabled(parameters.letsubmitterchoosepriority) ? {} : { priority: parameters.defaultpriority }),
  });
}

/** Lists that a new bug takes as they are, and the part of an update that they become. */
const LISTS = new Map([
  ["keywords", "set"],
  ["depends_on", "set"],
  ["blocks", "set"],
  ["groups", "add"],
  ["cc", "add"],
  ["see_also", "add"],
]);

function asEdit(name: string, value: Json): Json {
  const part = LISTS.get(name);
  if (part === undefined) return value;
  if (name === "groups" && typeof value === "string") return { add: value.split(",") };
  return { [part]: readListItems(value, { name, takesText: name !== "groups" }) };
}

/** Input without hours and deadline unless the requester tracks time; the remaining time defaults to the estimate. */
function withHours({ requester, parameters }: Call, input: JsonObject): JsonObject {
  if (!isInGroup(requester, parameters.timetrackinggroup))
    return Object.fromEntries(Object.entries(input).filter(([name]) => !TIMES.includes(name)));
  const { estimated_time } = input;
  return estimated_time ? { remaining_time: estimated_time, ...input } : input;
}
