import type { JsonObject } from "../../wire/exchange.ts";
import { type CustomField, customFields, readWorkflow } from "../bug-fields/choices.ts";
import type { NewComment } from "../comments/new-comment.ts";
import { fieldLabel } from "../fields.ts";
import type { Call } from "../http/call.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { isInGroup, requireLogin } from "../users/requester.ts";
import type { Bug, Person } from "./bug.ts";
import { fieldChangeDenied, type RequestedChange, type RequesterRights, requiredRole } from "./rights.ts";
import type { Workflow } from "./workflow.ts";

/** New privacy of an existing comment. */
export type CommentPrivacyChange = { readonly commentId: number; readonly isPrivate: boolean };

/** A bug before and after an update that is not stored yet, with the comment and side effects to store. */
export type BugDraft = {
  readonly before: Bug;
  readonly after: Bug;
  readonly comment: NewComment | undefined;
  readonly privacy: readonly CommentPrivacyChange[];
  readonly duplicateCc: Person | undefined; // user to add to CC of the original
};

/** One step of an update: reads and validates its part of the input. @throws Fault if the rules forbid the change */
export type UpdateStep = (context: WriteContext, draft: BugDraft) => BugDraft;

/** A draft without changes. */
export function emptyDraft(bug: Bug): BugDraft {
  return {
    before: bug,
    after: bug,
    comment: undefined,
    privacy: [],
    duplicateCc: undefined,
  };
}

/** Copy of a draft with some fields of the bug changed. */
export function withBug(draft: BugDraft, changes: Partial<Bug>): BugDraft {
  return {
    ...draft,
    after: { ...draft.after, ...changes },
  };
}

/** Input of a request that creates or updates bugs, and the ids of the bugs. */
export type WriteInput = { input: JsonObject; bugIds: number[] };

/** Data read once for all bugs of a request. */
export type WriteContext = WriteInput & {
  call: Call;
  user: Person;
  workflow: Workflow;
  customFields: CustomField[];
};

/** The write context of a request. @throws Fault 410 if nobody is logged in */
export function makeWriteContext(call: Call, request: WriteInput): WriteContext {
  return {
    ...request,
    call,
    user: requireLogin(call),
    workflow: readWorkflow(call.store),
    customFields: customFields(call.store),
  };
}

/** Checks that the requester may change a field; `bug` is the bug before the update. @throws Fault 115 */
export function requireRight(context: WriteContext, bug: Bug, change: RequestedChange): void {
  const role = missingRight(context, bug, change);
  if (role !== undefined) {
    const customField = context.customFields.find(({ name }) => name === change.field);
    throw fieldChangeDenied(customField?.label ?? fieldLabel(change.field), change, role);
  }
}

/** Role required for a change, as fault 115 names it; undefined if the requester may make it. `bug` is as before the update. */
export function missingRight(context: WriteContext, bug: Bug, change: RequestedChange): string | undefined {
  return requiredRole(change, requesterRights(context, bug), {
    workflow: context.workflow,
    isConfirmed: bug.is_confirmed,
    creatorsChoosePriority: isEnabled(context.call.parameters.letsubmitterchoosepriority),
  });
}

function requesterRights({ call, user }: WriteContext, bug: Bug): RequesterRights {
  return {
    ...productRights(call, bug.product.id),
    isTimeTracker: isInGroup(call.requester, call.parameters.timetrackinggroup),
    isAssignee: bug.assigned_to.id === user.id,
    isQaContact: isEnabled(call.parameters.useqacontact) && bug.qa_contact?.id === user.id,
    isCreator: bug.creator.id === user.id,
  };
}

/** Rights to edit and confirm all bugs of a product, from global groups and the product's group controls. */
export function productRights(call: Call, productId: number): { mayEdit: boolean; mayConfirm: boolean } {
  const { edits, confirms } = call.store.get<RightsRow>(RIGHTS, [productId]) ?? { edits: 0, confirms: 0 };
  return {
    mayEdit: isInGroup(call.requester, "editbugs") || edits === 1,
    mayConfirm: isInGroup(call.requester, "canconfirm") || confirms === 1,
  };
}

type RightsRow = { edits: number | null; confirms: number | null };

const RIGHTS = `SELECT max(edit_bugs) AS edits, max(can_confirm) AS confirms FROM group_controls
  WHERE product_id = ? AND group_id IN (SELECT group_id FROM viewer_groups)`;
