import type { Bug } from "../fields.ts";
import { queueBugMails } from "../mail/mail.ts";
import { differenceBy, formatHours } from "../values.ts";
import {
  type BugDraft,
  diffBugs,
  EMPTY_COMMENT,
  emptyDraft,
  type FieldChange,
  insertComment,
  isBugVisible,
  maySeeBug,
  missingRight,
  type WriteContext,
  withBug,
} from "./draft.ts";
import { bugUrl, ownBugNumber } from "./lists.ts";
import { logActivity, touchBug } from "./read.ts";
import { loadBug, saveBug } from "./stored-bug.ts";

export type AppliedChange = {
  changes: FieldChange[];
  lastChangeTime: string;
  commentId: number | undefined;
};

export function applyDraft(context: WriteContext, draft: BugDraft): AppliedChange {
  const applied = storeBug(context, draft);
  queueBugMails(context.call, { ...draft, isNew: false, changes: applied.changes });
  return applied;
}

/** Stores the draft of an update (bug, history, comment, related bugs) and returns what was changed. */
export function storeBug(context: WriteContext, draft: BugDraft): AppliedChange {
  const { call } = context;
  const changes = diffBugs(draft.before, draft.after);
  const isModified = changes.length > 0 || draft.comment !== undefined || draft.privacy.length > 0;
  const lastChangeTime = isModified ? call.now : draft.before.last_change_time;
  const after = { ...draft.after, last_change_time: lastChangeTime };
  saveBug(context, draft.before, after);
  for (const change of changes.filter(({ field }) => field !== "dup_id")) {
    logChange(context, { ...change, bugId: after.id });
  }
  const commentId = storeComment(context, draft);
  storePrivacy(context, draft);
  applyToOtherBugs(context, draft);
  return { changes, lastChangeTime, commentId };
}

/** Updates the bugs affected by a change: dependencies, See Also links, and the original of a duplicate. */
export function applyToOtherBugs(context: WriteContext, draft: BugDraft): void {
  recordOnOtherSides(context, draft);
  const others = [...seeAlsoBackLinks(context, draft), ...originalOfDuplicate(context, draft)];
  for (const other of others) applyDraft(context, other);
}

function logChange({ call, user }: WriteContext, entry: FieldChange & { bugId: number; commentId?: number }): void {
  logActivity(call.store, { ...entry, userId: user.id, time: call.now });
}

function storeComment(context: WriteContext, { after, comment }: BugDraft): number | undefined {
  if (!comment) return undefined;
  const { workTime } = comment;
  if (workTime !== 0)
    logChange(context, { bugId: after.id, field: "work_time", removed: "", added: formatHours(workTime) });
  return insertComment(context, after.id, comment);
}

function storePrivacy(context: WriteContext, { after, privacy }: BugDraft): void {
  for (const { commentId, isPrivate } of privacy) {
    context.call.store.run("UPDATE comments SET is_private = ? WHERE id = ?", [Number(isPrivate), commentId]);
    const [removed, added] = isPrivate ? ["0", "1"] : ["1", "0"];
    logChange(context, { bugId: after.id, field: "longdescs.isprivate", removed, added, commentId });
  }
}

/** History and time of last change of the bugs at the other end of dependencies that were added or removed. */
function recordOnOtherSides(context: WriteContext, { before, after }: BugDraft): void {
  const { store, now } = context.call;
  const id = String(after.id);
  for (const [list, field] of OTHER_SIDES) {
    const record = (others: readonly number[], change: Omit<FieldChange, "field">) => {
      for (const bugId of others) {
        logChange(context, { ...change, field, bugId });
        touchBug(store, bugId, now);
      }
    };
    record(differenceBy(before[list], after[list], Number), { removed: id, added: "" });
    record(differenceBy(after[list], before[list], Number), { removed: "", added: id });
  }
}

const OTHER_SIDES = [
  ["depends_on", "blocked"],
  ["blocks", "dependson"],
] as const;

// A See Also link between two bugs of this tracker is set on both, if the requester may change the other. @see Bugzilla/Bug.pm, add_see_also
function seeAlsoBackLinks(context: WriteContext, { before, after }: BugDraft): readonly BugDraft[] {
  const { urlbase } = context.call.parameters;
  const ownUrl = bugUrl(urlbase, after.id);
  const urls = [...new Set([...after.see_also, ...before.see_also])];
  const changed = urls.filter((url) => after.see_also.includes(url) !== before.see_also.includes(url));
  return changed.flatMap((url) => {
    const bug = editableBug(context, ownBugNumber(url, urlbase));
    if (bug === undefined) return [];
    const others = bug.see_also.filter((other) => other !== ownUrl);
    const linked = bug.see_also.includes(ownUrl) ? bug.see_also : [...others, ownUrl];
    return [withBug(emptyDraft(bug), { see_also: after.see_also.includes(url) ? linked : others })];
  });
}

function editableBug(context: WriteContext, id: string | undefined): Bug | undefined {
  const { store } = context.call;
  if (id === undefined || !isBugVisible(store, Number(id))) return undefined;
  const bug = loadBug(store, Number(id), context.customFields);
  const change = { field: "see_also", from: "", to: "a link back" };
  return missingRight(context, bug, change) === undefined ? bug : undefined;
}

// The reporter of a duplicate gets a copy of the original's mails, unless involved there, or not allowed to see it.
function originalOfDuplicate({ call, customFields }: WriteContext, { before, after }: BugDraft): BugDraft[] {
  const { creator, dupe_of: id } = after;
  if (id === null || id === before.dupe_of) return [];
  const original = loadBug(call.store, id, customFields);
  const isInvolved = [original.creator, ...original.cc].some((person) => person.id === creator.id);
  const cc = !isInvolved && maySeeBug(call, creator.id, id) ? [...original.cc, creator] : original.cc;
  const comment = { ...EMPTY_COMMENT, kind: "has_duplicate", about: after.id } as const;
  return [{ ...withBug(emptyDraft(original), { cc }), comment }];
}
