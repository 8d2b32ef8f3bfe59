import type { JsonObject } from "../../wire/exchange.ts";
import type { Bug, Person } from "../bug.ts";
import { type CustomField, customFields } from "../bug-fields/choices.ts";
import { readWorkflow, type Workflow } from "../bug-fields/workflow.ts";
import type { Call } from "../http/call.ts";
import { requireLogin } from "../http/requester.ts";
import type { NewComment } from "./new-comment.ts";

/** New privacy of an existing comment. */
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

/** A draft without changes. */
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
