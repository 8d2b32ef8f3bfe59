import { DEFAULT_ROLES, type DefaultRole } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import {
  choiceRequiredFault,
  DUPLICATE,
  emptyCustomValue,
  findStatus,
  isOpenStatus,
  loadChoiceField,
  nextStatuses,
  readChoice,
  readCustomValue,
  refuseMissingValue,
  requireActive,
  type Status,
  transitionNeedsComment,
  UNCONFIRMED,
} from "../bug-fields/values.ts";
import { type Bug, type Person, PLAIN_FIELDS } from "../fields.ts";
import { flagsAfterMove } from "../flags/flags.ts";
import { type Call, findPerson, isEnabled } from "../http/call.ts";
import { isTruthy } from "../http/input.ts";
import {
  defaultPerson,
  findComponent,
  findEnterableProduct,
  findProductPart,
  groupsAfterMove,
  loadGroupControls,
  type ProductPart,
  productParts,
} from "../products/products.ts";
import { asText, checkedLength, Fault, oneLine, readDateValue, readHours, TEXT_LIMITS } from "../values.ts";
import {
  type BugDraft,
  EMPTY_COMMENT,
  findBugId,
  isMoved,
  isNew,
  missingRight,
  productRights,
  requireRight,
  type UpdateStep,
  type WriteContext,
  withBug,
} from "./draft.ts";

type PlainField = (typeof PLAIN_FIELDS)[number];

/** Update of the fields that hold one value and depend on no other field, in the order of their internal names. */
export const updatePlainFields: UpdateStep = (context, draft) => {
  let next = draft;
  for (const field of PLAIN_FIELDS_BY_CHART) {
    const { name, oldName = name } = field;
    const value = context.input[name] === undefined ? context.input[oldName] : context.input[name];
    if (value === undefined) continue;
    next = withBug(next, { [name]: readPlainValue(context, field, value, String(draft.after[name])) });
  }
  return next;
};

const PLAIN_FIELDS_BY_CHART = PLAIN_FIELDS.toSorted((a, b) => (a.chart < b.chart ? -1 : 1));

function readPlainValue({ call, input }: WriteContext, field: PlainField, value: Json, current: string) {
  const { name, chart, sets } = field;
  switch (sets) {
    case "title":
      return readSummary(value);
    case "line":
      return oneLine(asText(value, name));
    case "text":
      return asText(value, name);
    case "choice":
      return readChoice(loadChoiceField(call.store, chart), asText(value, chart), current).name;
    case "day":
      return readDateValue(asText(value, name));
    case "hours":
      return readHours(value, chart);
    case "yes-no":
      return isTruthy(input, name);
  }
}

/** A summary as one line. @throws Fault require_summary if it is empty, illegal_field if too long */
function readSummary(value: Json): string {
  const summary = checkedLength(oneLine(asText(value, "summary")), TEXT_LIMITS.line, "Summary");
  if (summary === "") throw new Fault("require_summary", "You must enter a summary for this bug.");
  return summary;
}

/** Update of the custom fields that were sent. Of a new bug, the mandatory ones are required. */
export const updateCustomFields: UpdateStep = ({ call, input, customFields }, draft) => {
  const findBug = (text: string) => findBugId(call, text);
  let next = draft;
  for (const field of customFields) {
    const { name } = field;
    const { custom } = next.after;
    const current = custom[name] ?? emptyCustomValue(field);
    const value = input[name];
    if (value === undefined && isNew(draft)) refuseMissingValue(field, current);
    if (value === undefined) continue;
    next = withBug(next, { custom: { ...custom, [name]: readCustomValue(field, value, current, findBug) } });
  }
  return next;
};

/** Update of the product. On a change, component, version and milestone must exist in the new product. */
export const updateProduct: UpdateStep = ({ call, input }, draft) => {
  if (input["product"] === undefined && !isNew(draft)) return draft;
  const product = findEnterableProduct(call, asText(input["product"], "product"));
  if (product.id === draft.after.product.id) return draft;
  return withBug(draft, { product, groups: groupsAfterMove(draft.after.groups, loadGroupControls(call, product.id)) });
};

/** Update of the component; flags whose types it does not have are removed. */
export const updateComponent: UpdateStep = ({ call, input }, draft) => {
  const { component: current, product } = draft.after;
  if (input["component"] === undefined && !isMoved(draft)) return draft;
  const name = asText(input["component"] ?? current.name, "component").trim();
  if (name === "")
    throw new Fault(
      "require_component",
      "To file this bug, you must first choose a component. If necessary, just guess.",
    );
  const found = findComponent(call.store, product, name);
  const component = requireActive("component", found, isMoved(draft) ? "" : current.name);
  if (component.id === current.id) return draft;
  return withBug(draft, { component, flags: flagsAfterMove(call, { ...draft.after, component }) });
};

export const updateVersion: UpdateStep = (context, draft) => {
  if (context.input["version"] === undefined && !isMoved(draft)) return draft;
  return withBug(draft, { version: readPart(context, draft, "version") });
};

/**
 * Update of the milestone. On a product change it must exist in the new product if the requester may choose milestones;
 * otherwise, and where milestones are off, it becomes the product's default. A new bug may have an inactive milestone.
 * @see Bugzilla/Bug.pm, _set_product and _check_target_milestone
 */
export const updateMilestone: UpdateStep = (context, draft) => {
  const { call, input } = context;
  const { product, target_milestone: from } = draft.after;
  const sent = input["target_milestone"];
  const isMove = isMoved(draft) && !isNew(draft);
  if (sent === undefined && !isMoved(draft)) return draft;
  const withDefault = withBug(draft, { target_milestone: product.default_milestone });
  if (sent === undefined && !(isMove && isEnabled(call.parameters.usetargetmilestone))) return withDefault;
  const change = { field: "target_milestone", from, to: asText(sent ?? product.default_milestone, "milestone") };
  if (isMove && missingRight(context, draft.before, change) !== undefined) return withDefault;
  const to = readPart(context, draft, "milestone");
  if (!isMoved(draft)) requireRight(context, draft.before, { ...change, to });
  return withBug(draft, { target_milestone: to });
};

/**
 * The version or milestone that is sent, else the current one. It has to be active, or that of a
 * bug that stays in its product; a new bug may have any milestone.
 */
function readPart({ call, input }: WriteContext, draft: BugDraft, part: ProductPart): string {
  const parameter = part === "version" ? "version" : "target_milestone";
  const current = draft.after[parameter];
  const name = asText(input[parameter] ?? current, parameter).trim();
  if (name === "") throw choiceRequiredFault(part);
  const choice = findProductPart(call.store, draft.after.product, part, name);
  if (isNew(draft) && part === "milestone") return choice.name;
  return requireActive(part, choice, isMoved(draft) ? "" : current).name;
}

/**
 * Update of assignee and QA contact; `reset_...` sets the component's default and overrides a value. A new bug has the
 * defaults unless the requester names others, and may edit bugs.
 */
export const updatePeople: UpdateStep = (context, draft) => {
  const { call } = context;
  const { product, component } = draft.after;
  const usesDefaults = isNew(draft) && !productRights(call, product.id).mayEdit;
  const roles = DEFAULT_ROLES.filter(({ isOptional }) => !isOptional || isEnabled(call.parameters.useqacontact));
  const people = roles.map((role) => [
    role.field,
    usesDefaults ? defaultPerson(call.store, component, role) : readPerson(role, context, draft),
  ]);
  return withBug(draft, Object.fromEntries(people) as Partial<Bug>);
};

/**
 * The person in a role that is sent, else the current one, or for a new bug the component's
 * default; null for nobody.
 */
function readPerson(role: DefaultRole, { call, input }: WriteContext, draft: BugDraft): Person | null {
  const { field, isOptional } = role;
  const { after } = draft;
  const login = asText(input[field], field).trim();
  if (isTruthy(input, `reset_${field}`) || (isNew(draft) && login === ""))
    return defaultPerson(call.store, after.component, role);
  if (input[field] === undefined) return after[field];
  if (login !== "") return findPerson(call, login);
  if (isOptional) return null;
  throw new Fault("param_required", "To reassign a bug, you must provide an address for the new assignee.");
}

/**
 * Update of status, resolution and `dupe_of`, which depend on each other.
 * @see Bugzilla/Bug.pm, set_bug_status, set_resolution and set_dup_id
 */
export const updateStatus: UpdateStep = (context, draft) => {
  if (isNew(draft)) return startStatus(context, draft);
  const { status, resolution, dupe_of: duplicate } = context.input;
  if (status !== undefined)
    return changeStatus(context, draft, { status: asText(status, "status"), resolution, duplicate });
  if (resolution !== undefined) return changeResolution(context, draft, { resolution, duplicate });
  return duplicate === undefined ? draft : markDuplicate(context, draft, duplicate);
};

/**
 * Status and resolution of a new bug, by default the first status that is allowed, UNCONFIRMED for users who may not
 * confirm: their status is ignored.
 */
function startStatus(context: WriteContext, draft: BugDraft): BugDraft {
  const { call, input, workflow } = context;
  const { product } = draft.after;
  const { mayEdit, mayConfirm } = productRights(call, product.id);
  const mayChoose = mayEdit || mayConfirm;
  const allowed = nextStatuses(workflow, null, product);
  const preferred = allowed.find(({ name }) => (mayChoose ? name !== UNCONFIRMED : name === UNCONFIRMED));
  const defaultStatus = (preferred ?? allowed[0])?.name;
  const sent = mayChoose ? input["status"] : undefined;
  const status = sent === undefined ? defaultStatus : asText(sent, "status");
  if (status === undefined) throw illegalTransitionFault(null, "");
  const resolution = asText(input["resolution"], "resolution");
  const started = changeStatus(context, draft, { status, resolution });
  const isOpen = isOpenStatus(workflow, started.after.status);
  if (isOpen && resolution.trim() !== "") changeResolution(context, started, { resolution }); // which refuses it
  return started;
}

/** A resolution and `dupe_of` as sent. */
type SentResolution = { readonly resolution?: Json | undefined; readonly duplicate?: Json | undefined };

/** The draft with a status, and with the resolution that it has then. */
function changeStatus(context: WriteContext, draft: BugDraft, target: SentResolution & { status: string }): BugDraft {
  const { resolution = draft.after.resolution, duplicate } = target;
  const to = findStatus(context.workflow, target.status);
  checkTransition(context, draft, to);
  if (to.is_open) {
    const is_confirmed = to.name !== UNCONFIRMED;
    const opened = withBug(draft, { status: to.name, resolution: "", dupe_of: null, is_confirmed });
    return duplicate === undefined ? opened : markDuplicate(context, opened, duplicate);
  }
  const isChange = to.name !== draft.after.status && !isNew(draft);
  const closed = withBug(draft, { status: to.name, ...(isChange && { remaining_time: 0 }) });
  return changeResolution(context, closed, { resolution, duplicate });
}

// The present status is always allowed, even without a transition to it.
function checkTransition(context: WriteContext, draft: BugDraft, to: Status): void {
  const { workflow } = context;
  const { before, after, comment } = draft;
  const from = isNew(draft) ? null : after.status;
  if (to.name === from) return;
  const isAllowed = nextStatuses(workflow, from, after.product).includes(to);
  const change = { field: "bug_status", from: from ?? "", to: to.name };
  if (!isAllowed || (from !== null && missingRight(context, before, change) !== undefined))
    throw illegalTransitionFault(from, to.name);
  if (transitionNeedsComment(workflow, from, to.name) && !comment?.text)
    throw commentRequiredFault("Status", from, to.name);
  if (from !== null) refuseMissingMilestone(context.call, after, to.name);
}

/** Fault 123: transition forbidden by the workflow or by the requester's rights. */
function illegalTransitionFault(from: string | null, to: string): Fault {
  const change = from === null ? `file new bugs with the ${to} status` : `change the bug status from ${from} to ${to}`;
  return new Fault("illegal_bug_status_transition", `You are not allowed to ${change}.`);
}

/** Fault 32000: a comment is missing; `from` is null for a new bug. */
function commentRequiredFault(label: string, from: string | null, to: string): Fault {
  const change = `a comment when changing the ${label} of a bug from ${from || "(empty)"} to ${to || "(empty)"}`;
  return new Fault("other", `You have to specify ${from === null ? "a description for this bug" : change}.`);
}

/** Checks the milestone of a bug set to IN_PROGRESS, with `musthavemilestoneonaccept`. @throws Fault other */
function refuseMissingMilestone({ store, parameters }: Call, bug: Bug, to: string): void {
  const { usetargetmilestone, musthavemilestoneonaccept } = parameters;
  const isRequired = isEnabled(usetargetmilestone) && isEnabled(musthavemilestoneonaccept) && to === "IN_PROGRESS";
  const isUnset = bug.target_milestone === bug.product.default_milestone;
  if (isRequired && isUnset && productParts(store, bug.product.id, "milestone").length > 1)
    throw new Fault(
      "other",
      `You must select a target milestone for bug ${bug.id} if you are going to accept it. Part of accepting a bug is giving an estimate of when it will be fixed.`,
    );
}

function changeResolution(context: WriteContext, draft: BugDraft, { resolution, duplicate }: SentResolution): BugDraft {
  const { after } = draft;
  const sent = asText(resolution, "resolution");
  const status = findStatus(context.workflow, after.status);
  if (sent.trim() === "" && !status.is_open)
    throw new Fault("missing_resolution", `A valid resolution is required to mark bugs as ${status.name}.`);
  const { name } = readChoice(loadChoiceField(context.call.store, "resolution"), sent, after.resolution);
  if (status.is_open) throw new Fault("resolution_not_allowed", "You cannot set a resolution for open bugs.");
  if (name !== after.resolution) checkResolution(context, draft, name);
  if (name !== DUPLICATE) return withBug(draft, { resolution: name, dupe_of: null });
  if (duplicate === undefined && after.dupe_of === null)
    throw new Fault("dupe_id_required", "You must specify a bug id to mark this bug as a duplicate of.");
  const resolved = withBug(draft, { resolution: name });
  return duplicate === undefined ? resolved : markDuplicate(context, resolved, duplicate);
}

function checkResolution(
  { call: { store, parameters } }: WriteContext,
  { after, comment }: BugDraft,
  to: string,
): void {
  if (isEnabled(parameters.noresolveonopenblockers) && to === "FIXED") {
    const open = store.values(COUNT_OPEN, [after.depends_on])[0] ?? 0;
    if (open > 0)
      throw new Fault(
        "other",
        `Bug ${after.id} has ${open} unresolved ${open === 1 ? "dependency" : "dependencies"}. They must either be resolved or removed from the "Depends on" field before you can resolve this bug as FIXED.`,
      );
  }
  if (isEnabled(parameters.commentonchange_resolution) && !comment)
    throw commentRequiredFault("Resolution", after.resolution, to);
}

const COUNT_OPEN = `
  SELECT count(*) FROM bugs
  JOIN field_values ON field_values.name = bugs.status AND is_open
  WHERE field_id = (SELECT id FROM fields WHERE name = 'bug_status')
    AND bugs.id IN (SELECT value FROM json_each(?))`;

function markDuplicate(context: WriteContext, draft: BugDraft, sent: Json): BugDraft {
  const { call } = context;
  const { after } = draft;
  const text = asText(sent, "dupe_of").trim();
  if (text === "" || text === "0") throw new Fault("param_required", "Form field dup_id was not defined.");
  const originalId = findBugId(call, text);
  if (after.dupe_of === originalId) return draft;
  refuseDuplicateLoop(call, after.id, originalId);
  if (isEnabled(call.parameters.commentonduplicate) && !draft.comment)
    throw new Fault("other", "You have to specify a comment on this change.");
  const marked = withBug(draft, { dupe_of: originalId });
  const status = call.parameters.duplicate_or_move_bug_status;
  const closed =
    after.resolution === DUPLICATE ? marked : changeStatus(context, marked, { status, resolution: DUPLICATE });
  return { ...closed, comment: { ...(draft.comment ?? EMPTY_COMMENT), kind: "duplicate_of", about: originalId } };
}

/** Checks that a duplicate link closes no loop. @throws Fault dupe_loop_detected @see Bugzilla/Bug.pm, _check_dup_id */
function refuseDuplicateLoop({ store }: Call, bugId: number, originalId: number): void {
  if (originalId === bugId)
    throw new Fault("dupe_loop_detected", `You cannot mark bug ${bugId} as a duplicate of itself.`);
  if (store.get(`${ORIGINALS} SELECT id FROM originals WHERE id = @bugId`, { bugId, originalId }))
    throw new Fault(
      "dupe_loop_detected",
      `You cannot mark bug ${bugId} as a duplicate of bug ${originalId}, because it would create a duplicate loop.`,
    );
}

const ORIGINALS = `WITH RECURSIVE originals (id) AS (
  VALUES (@originalId) UNION SELECT dupe_of FROM bug_duplicates JOIN originals ON bug_id = originals.id)`;
