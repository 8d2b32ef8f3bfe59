import { visitBug } from "../bugs/last-visit.ts";
import { queueForWaiting, queueMails } from "../outbox/queue.ts";
import { logEntry, touch } from "../record/activity.ts";
import { insertComment } from "../record/comment.ts";
import { saveBug } from "../record/save.ts";
import type { Bug } from "../rules/bug.ts";
import type { Change } from "../rules/change.ts";
import { without } from "../rules/edit.ts";
import { storedHours } from "../rules/hours.ts";
import { changesBetween } from "../rules/tracked.ts";
import { findStatus } from "../rules/workflow.ts";
import { consequences } from "./consequences.ts";
import type { Context } from "./context.ts";
import type { Draft } from "./draft.ts";

/** What came of a change: the fields that changed, the time of it (or of the last one), and the comment that it made. */
export type Applied = {
  readonly changes: readonly Change[];
  readonly lastChangeTime: string;
  readonly commentId: number | undefined;
};

/** Stores a change that all rules have passed, and has those told whom it concerns. */
export function applyDraft(context: Context, draft: Draft): Applied {
  const applied = storeDraft(context, draft);
  const happening = { ...draft, isNew: false, changes: applied.changes };
  queueMails(context.call, happening);
  if (isOpen(context, draft.before) !== isOpen(context, draft.after)) queueForWaiting(context.call, happening);
  return applied;
}

function isOpen({ workflow }: Context, { status }: Bug): boolean {
  return findStatus(workflow, status).is_open;
}

/** Stores a change: the bug, its history, its comment, and what it means for other bugs. */
export function storeDraft(context: Context, draft: Draft): Applied {
  const { call, customs } = context;
  const changes = changesBetween(draft.before, draft.after);
  const isChange = changes.length > 0 || draft.comment !== undefined || draft.privacy.length > 0;
  const lastChangeTime = isChange ? call.now : draft.before.last_change_time;
  const after = { ...draft.after, last_change_time: lastChangeTime };
  saveBug({ store: call.store, customs, now: call.now }, draft.before, after);
  for (const change of changes.filter(({ field }) => field !== "dup_id")) {
    log(context, { ...change, bugId: after.id });
  }
  const commentId = storeComment(context, draft);
  storePrivacy(context, draft);
  tellOthers(context, draft);
  if (isChange) visitBug(call.store, { bugId: after.id, userId: context.user.id, time: call.now });
  return { changes, lastChangeTime, commentId };
}

/** Stores what a change means for other bugs. */
export function tellOthers(context: Context, draft: Draft): void {
  tellDependencies(context, draft);
  for (const other of consequences(context, draft)) {
    applyDraft(context, other);
  }
}

function log({ call, user }: Context, entry: Change & { readonly bugId: number; readonly commentId?: number }): void {
  logEntry(call.store, { ...entry, userId: user.id, time: call.now });
}

function storeComment(context: Context, { after, comment }: Draft): number | undefined {
  if (!comment) return undefined;
  const { call, user } = context;
  const id = insertComment(call.store, { bugId: after.id, userId: user.id, time: call.now }, comment);
  if (comment.workTime !== 0) {
    log(context, { bugId: after.id, field: "work_time", removed: "", added: storedHours(comment.workTime) });
  }
  return id;
}

function storePrivacy(context: Context, { after, privacy }: Draft): void {
  for (const { commentId, isPrivate } of privacy) {
    context.call.store.run("UPDATE comments SET is_private = ? WHERE id = ?", [Number(isPrivate), commentId]);
    const [removed, added] = isPrivate ? ["0", "1"] : ["1", "0"];
    log(context, { bugId: after.id, field: "longdescs.isprivate", removed, added, commentId });
  }
}

const TIES = [
  { list: "depends_on", otherSide: "blocked" },
  { list: "blocks", otherSide: "dependson" },
] as const;

// The other end of a dependency changed too.
function tellDependencies(context: Context, { before, after }: Draft): void {
  const tell = (id: number, change: Change) => {
    log(context, { ...change, bugId: id });
    touch(context.call.store, id, context.call.now);
  };
  const itself = (id: number) => id;
  const name = String(after.id);
  for (const { list, otherSide: field } of TIES) {
    for (const id of without(before[list], after[list], itself)) {
      tell(id, { field, removed: name, added: "" });
    }
    for (const id of without(after[list], before[list], itself)) {
      tell(id, { field, removed: "", added: name });
    }
  }
}
