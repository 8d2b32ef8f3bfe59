import type { JsonObject } from "../../wire/exchange.ts";
import { customFields, readWorkflow } from "../bug-fields/choices.ts";
import type { CustomField } from "../bug-fields/custom-fields.ts";
import type { NewComment } from "../comments/comment.ts";
import type { Call } from "../http/call.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { isInGroup, requireLogin } from "../users/requester.ts";
import type { Bug, Person } from "./bug.ts";
import { fieldLabel } from "./field-names.ts";
import { fieldChangeDenied, type RequesterRights, requiredRole, type WantedChange } from "./rights.ts";
import type { Workflow } from "./workflow.ts";

/** The new privacy of a comment that was there. */
export type CommentPrivacyChange = { readonly commentId: number; readonly isPrivate: boolean };

/** A change of one bug as far as it has been thought through; nothing is stored before all bugs have theirs. */
export type BugDraft = {
  readonly before: Bug;
  readonly after: Bug;
  readonly comment: NewComment | undefined;
  readonly privacy: readonly CommentPrivacyChange[];
  readonly duplicateCc: Person | undefined; // who joins the CC list of the bug that this one duplicates
};

/** One part of a change: reads what was sent for it, refuses what may not be, and goes on with the rest. */
export type UpdateStep = (context: WriteContext, draft: BugDraft) => BugDraft;

/** A draft that changes nothing yet. */
export function emptyDraft(bug: Bug): BugDraft {
  return {
    before: bug,
    after: bug,
    comment: undefined,
    privacy: [],
    duplicateCc: undefined,
  };
}

/** The draft with some fields of the bug changed. */
export function withBug(draft: BugDraft, changes: Partial<Bug>): BugDraft {
  return {
    ...draft,
    after: { ...draft.after, ...changes },
  };
}

/** What is asked of which bugs. */
export type WriteInput = { readonly input: JsonObject; readonly bugIds: readonly number[] };

/** What is read once for all the bugs of a request that changes some. */
export type WriteContext = WriteInput & {
  readonly call: Call;
  readonly user: Person;
  readonly workflow: Workflow;
  readonly customs: readonly CustomField[];
};

/** The context of a request; refused when nobody is logged in. */
export function makeWriteContext(call: Call, asked: WriteInput): WriteContext {
  return {
    ...asked,
    call,
    user: requireLogin(call),
    workflow: readWorkflow(call.store),
    customs: customFields(call.store),
  };
}

/** Refuses a change of one field that the requester's standing with the bug does not permit. */
export function requireRight(context: WriteContext, bug: Bug, wanted: WantedChange): void {
  const needed = missingRight(context, bug, wanted);
  if (needed !== undefined) {
    const custom = context.customs.find(({ name }) => name === wanted.field);
    throw fieldChangeDenied(custom?.label ?? fieldLabel(wanted.field), wanted, needed);
  }
}

/** Who would be needed for a change of one field; undefined when the requester may make it. `bug` is as it was. */
export function missingRight(context: WriteContext, bug: Bug, wanted: WantedChange): string | undefined {
  return requiredRole(wanted, requesterRights(context, bug), {
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

/** Whether the requester may edit and confirm all bugs of a product, by a global group or one that the product names. */
export function productRights(call: Call, productId: number): Pick<RequesterRights, "mayEdit" | "mayConfirm"> {
  const { edits, confirms } = call.store.get<RightsRow>(RIGHTS, [productId]) ?? { edits: 0, confirms: 0 };
  return {
    mayEdit: isInGroup(call.requester, "editbugs") || edits === 1,
    mayConfirm: isInGroup(call.requester, "canconfirm") || confirms === 1,
  };
}

type RightsRow = { readonly edits: number | null; readonly confirms: number | null };

const RIGHTS = `SELECT max(edit_bugs) AS edits, max(can_confirm) AS confirms FROM group_controls
  WHERE product_id = ? AND group_id IN (SELECT group_id FROM viewer_groups)`;
