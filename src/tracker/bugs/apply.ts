import { EMPTY_COMMENT, insertComment } from "../comments/comment.ts";
import { queueBugMails, queueDependencyMails } from "../mail/queue.ts";
import { formatHours } from "../values.ts";
import type { Bug } from "./bug.ts";
import { diffBugs, type FieldChange } from "./diff.ts";
import { type BugDraft, emptyDraft, missingRight, type WriteContext, withBug } from "./draft.ts";
import { logActivity, touchBug } from "./history.ts";
import { recordVisit } from "./last-visit.ts";
import { differenceBy, uniqueBy } from "./list-edit.ts";
import { loadBug } from "./load.ts";
import { saveBugChanges } from "./save.ts";
import { bugUrl, ownBugNumber } from "./see-also.ts";
import { findStatus } from "./workflow.ts";

/** What came of a change: the fields that changed, the time of it (or of the last one), and the comment that it made. */
export type AppliedChange = {
  readonly changes: readonly FieldChange[];
  readonly lastChangeTime: string;
  readonly commentId: number | undefined;
};

/** Stores a change that all rules have passed, and has those told whom it concerns. */
export function applyDraft(context: WriteContext, draft: BugDraft): AppliedChange {
  const applied = storeDraft(context, draft);
  const happening = { ...draft, isNew: false, changes: applied.changes };
  queueBugMails(context.call, happening);
  if (isOpen(context, draft.before) !== isOpen(context, draft.after)) queueDependencyMails(context.call, happening);
  return applied;
}

function isOpen({ workflow }: WriteContext, { status }: Bug): boolean {
  return findStatus(workflow, status).is_open;
}

/** Stores a change: the bug, its history, its comment, and what it means for other bugs. */
export function storeDraft(context: WriteContext, draft: BugDraft): AppliedChange {
  const { call, customs } = context;
  const changes = diffBugs(draft.before, draft.after);
  const isChange = changes.length > 0 || draft.comment !== undefined || draft.privacy.length > 0;
  const lastChangeTime = isChange ? call.now : draft.before.last_change_time;
  const after = { ...draft.after, last_change_time: lastChangeTime };
  saveBugChanges({ store: call.store, customs, now: call.now }, draft.before, after);
  for (const change of changes.filter(({ field }) => field !== "dup_id")) {
    logChange(context, { ...change, bugId: after.id });
  }
  const commentId = storeComment(context, draft);
  storePrivacy(context, draft);
  applyToOtherBugs(context, draft);
  if (isChange) recordVisit(call.store, { bugId: after.id, userId: context.user.id, time: call.now });
  return { changes, lastChangeTime, commentId };
}

/** Stores what a change means for other bugs. */
export function applyToOtherBugs(context: WriteContext, draft: BugDraft): void {
  logDependencies(context, draft);
  for (const other of changesToOtherBugs(context, draft)) {
    applyDraft(context, other);
  }
}

function logChange(
  { call, user }: WriteContext,
  entry: FieldChange & { readonly bugId: number; readonly commentId?: number },
): void {
  logActivity(call.store, { ...entry, userId: user.id, time: call.now });
}

function storeComment(context: WriteContext, { after, comment }: BugDraft): number | undefined {
  if (!comment) return undefined;
  const { call, user } = context;
  const id = insertComment(call.store, { bugId: after.id, userId: user.id, time: call.now }, comment);
  if (comment.workTime !== 0) {
    logChange(context, { bugId: after.id, field: "work_time", removed: "", added: formatHours(comment.workTime) });
  }
  return id;
}

function storePrivacy(context: WriteContext, { after, privacy }: BugDraft): void {
  for (const { commentId, isPrivate } of privacy) {
    context.call.store.run("UPDATE comments SET is_private = ? WHERE id = ?", [Number(isPrivate), commentId]);
    const [removed, added] = isPrivate ? ["0", "1"] : ["1", "0"];
    logChange(context, { bugId: after.id, field: "longdescs.isprivate", removed, added, commentId });
  }
}

const DEPENDENCY_FIELDS = [
  { list: "depends_on", otherSide: "blocked" },
  { list: "blocks", otherSide: "dependson" },
] as const;

// The other end of a dependency changed too.
function logDependencies(context: WriteContext, { before, after }: BugDraft): void {
  const tell = (id: number, change: FieldChange) => {
    logChange(context, { ...change, bugId: id });
    touchBug(context.call.store, id, context.call.now);
  };
  const itself = (id: number) => id;
  const name = String(after.id);
  for (const { list, otherSide: field } of DEPENDENCY_FIELDS) {
    for (const id of differenceBy(before[list], after[list], itself)) {
      tell(id, { field, removed: name, added: "" });
    }
    for (const id of differenceBy(after[list], before[list], itself)) {
      tell(id, { field, removed: "", added: name });
    }
  }
}

/** What a change means for other bugs, as changes of those. */
function changesToOtherBugs(context: WriteContext, draft: BugDraft): readonly BugDraft[] {
  return [...backLinks(context, draft), ...duplicateNotices(context, draft)];
}

// A See Also entry between two bugs of this tracker stands on both, as far as the requester may change the other one.
function backLinks(context: WriteContext, { before, after }: BugDraft): readonly BugDraft[] {
  const { urlbase } = context.call.parameters;
  const page = bugUrl(urlbase, after.id);
  const others = (urls: readonly string[], drawn: (bug: Bug) => readonly string[]) =>
    urls
      .flatMap((url) => changeableBug(context, ownBugNumber(url, urlbase)) ?? [])
      .map((bug) => withBug(emptyDraft(bug), { see_also: drawn(bug) }));
  const itself = (url: string) => url;
  return [
    ...others(differenceBy(after.see_also, before.see_also, itself), (bug) =>
      uniqueBy([...bug.see_also, page], itself),
    ),
    ...others(differenceBy(before.see_also, after.see_also, itself), (bug) =>
      bug.see_also.filter((url) => url !== page),
    ),
  ];
}

function changeableBug(context: WriteContext, id: string | undefined): Bug | undefined {
  const { store } = context.call;
  const isVisible = store.get("SELECT id FROM visible_bugs WHERE id = ?", [Number(id ?? 0)]) !== undefined;
  const bug = isVisible ? loadBug(store, Number(id), context.customs) : undefined;
  const wanted = { field: "see_also", from: "", to: "a link back" };
  return bug && missingRight(context, bug, wanted) === undefined ? bug : undefined;
}

function duplicateNotices(
  { call, customs }: WriteContext,
  { before, after, duplicateCc }: BugDraft,
): readonly BugDraft[] {
  if (after.dupe_of === null || after.dupe_of === before.dupe_of) return [];
  const original = loadBug(call.store, after.dupe_of, customs);
  const cc = duplicateCc ? [...original.cc, duplicateCc] : original.cc;
  const comment = { ...EMPTY_COMMENT, kind: "has_duplicate", about: after.id } as const;
  return [{ ...withBug(emptyDraft(original), { cc }), comment }];
}
