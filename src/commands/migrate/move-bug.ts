import { rm } from "node:fs/promises";
import { join } from "node:path";
import { movableFlags, movedBugBody } from "../../api/migrate/moved-body.ts";
import { attachmentOf, bareAttachments, type SourceBug, unequallyPrivate } from "../../api/migrate/moved-bug.ts";
import { mappedBug } from "../../api/migrate/name-map.ts";
import { bareAttachmentComment, movedTexts, withoutAttachmentLine } from "../../api/migrate/texts.ts";
import { CREATE_ATTACHMENT, UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import { CREATE_COMMENT, UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { CREATE_BUG } from "../../api/operations/write-bugs.ts";
import { updateRequest } from "../../api/write/update-request.ts";
import { BtError } from "../../errors.ts";
import { stepKey } from "../../session/results/move-log.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Attachment, Comment } from "../../wire/resources.ts";
import { receiveAttachment } from "../attachment/download.ts";
import { attachedFile } from "../attachment/file.ts";
import { readAll } from "../bug/thread.ts";
import { commentsPlan } from "../comment/get.ts";
import type { Context } from "../verb.ts";
import { bugNow, type Mover, noteFields, textContext, tolerantly } from "./mover.ts";
import { isDoneStep, type Steps } from "./steps.ts";

/**
 * Creates a bug with its groups.
 * @throws BtError of kind guard if the target did not restrict it
 */
export async function createMoved({ bug, comments }: SourceBug, mover: Mover): Promise<void> {
  const { steps, moving, survey } = mover;
  const mapped = mappedBug(bug, moving.map);
  const comment = comments.find(({ count }) => count === 0);
  const description = comment ?? hiddenDescription(bug);
  const { id } = await steps.run({ bug: bug.id, step: "create", count: 0, number: 0 }, async () => {
    const [text = ""] = movedTexts(description, bug, textContext(mover));
    return { request: requestFor(CREATE_BUG, movedBugBody(mapped, { text, comment: description }, survey.target)) };
  });
  const leak = await exposure(id ?? 0, mapped, mover);
  if (leak) throw leak;
}

/** Error for a bug of the target that lacks groups of the source; undefined if it has them all. */
async function exposure(id: number, { groups }: Bug, { moving }: Mover): Promise<BtError | undefined> {
  if ((groups ?? []).length === 0) return undefined;
  const now = await bugNow(id, moving.target);
  const there = new Set((now.groups ?? []).map((name) => name.toLowerCase()));
  const missing = (groups ?? []).filter((name) => !there.has(name.toLowerCase()));
  if (missing.length === 0) return undefined;
  return new BtError("guard", `bug ${id} of the target is not restricted to ${missing.join(", ")}`, {
    hint: `restrict it: bt bug update ${id} --add-groups ${missing.join(",")}`,
    changed: "some",
  });
}

/** The empty description of a bug whose own one is private and not visible. */
function hiddenDescription({ id, creator, creation_time }: SourceBug["bug"]): Comment {
  const time = creation_time ?? "";
  const common = { id: 0, bug_id: id, attachment_id: null, count: 0, text: "", creator: creator ?? "" };
  return { ...common, time, creation_time: time, is_private: false };
}

/** Adds the comments, attachments and tags of a bug that the target lacks, in order; none to a bug that is too visible. */
export async function moveDiscussion(source: SourceBug, mover: Mover): Promise<void> {
  const id = mover.steps.numbers.bugs.get(source.bug.id);
  if (id === undefined) return;
  const leak = await exposure(id, mappedBug(source.bug, mover.moving.map), mover);
  if (leak) {
    mover.failed.set(source.bug.id, leak);
    return;
  }
  const at: Discussion = { source, id, next: await nextNumber(source, id, mover), tagged: [] };
  for (const comment of source.comments) {
    const attachment = attachmentOf(comment, source.attachments);
    if (attachment) await moveAttachment(attachment, comment, { at, mover });
    else if (comment.count > 0) await moveComment(comment, { at, mover });
    else await moveRest(comment, { at, mover, from: 1 });
  }
  for (const attachment of bareAttachments(source)) await moveAttachment(attachment, undefined, { at, mover });
  await movePrivacy(at, mover);
  await moveTags(at, mover);
}

type Discussion = { readonly source: SourceBug; readonly id: number; next: number; readonly tagged: Comment[] };

type At = { readonly at: Discussion; readonly mover: Mover };

/** Number of the next comment of a bug of the target. */
async function nextNumber({ bug }: SourceBug, id: number, { moving, steps }: Mover): Promise<number> {
  if (!steps.begun.has(bug.id)) return 1;
  return (await commentsNow(id, moving.target)).length || 1;
}

async function moveComment(comment: Comment, { at, mover }: At): Promise<void> {
  if (comment.tags?.length) at.tagged.push(comment);
  await moveRest(comment, { at, mover, from: 0 });
}

/** Adds the pieces of a comment from a piece on; most comments have one. */
async function moveRest(comment: Comment, { at, mover, from }: At & { readonly from: number }): Promise<void> {
  const { source, id } = at;
  const texts = movedTexts(comment, source.bug, textContext(mover));
  const left = texts
    .map((text, piece) => ({ text, piece, name: `comment ${comment.id}${piece === 0 ? "" : `/${piece + 1}`}` }))
    .filter(({ piece, name }) => piece >= from && !isDoneStep(mover.steps.entries, source.bug.id, name));
  for (const { text, piece, name } of left) {
    const values = { id, comment: text, ...(comment.is_private ? { is_private: true } : {}) };
    const count = piece === 0 ? { count: comment.count, number: at.next } : {};
    await mover.steps.run({ bug: source.bug.id, step: name, ...count }, async () => ({
      request: requestFor(CREATE_COMMENT, values),
    }));
    at.next += 1;
  }
}

async function moveAttachment(attachment: Attachment, comment: Comment | undefined, { at, mover }: At): Promise<void> {
  const { bug } = at.source;
  const { steps } = mover;
  if (comment?.tags?.length) at.tagged.push(comment);
  const step = { bug: bug.id, step: `attachment ${attachment.id}` };
  if (attachment.size === 0) return;
  if (!isDoneStep(steps.entries, bug.id, step.step)) {
    const file = join(mover.files, String(attachment.id));
    const numbered = comment ? { ...step, count: comment.count, number: at.next } : step;
    await steps.run(numbered, () => attachmentWrite({ attachment, comment, file }, { at, mover }));
    await rm(file, { force: true });
    at.next += 1;
  }
  if (comment) await moveRest(withoutAttachmentLine(comment), { at, mover, from: 1 });
  const id = steps.numbers.attachments.get(attachment.id);
  if (!attachment.is_obsolete || id === undefined) return;
  await steps.run({ bug: bug.id, step: `obsolete ${attachment.id}` }, async () => ({
    request: requestFor(UPDATE_ATTACHMENT, { ids: [id], is_obsolete: true }),
  }));
}

type Attaching = {
  readonly attachment: Attachment;
  readonly comment: Comment | undefined;
  readonly file: string;
};

async function attachmentWrite({ attachment, comment, file }: Attaching, { at, mover }: At) {
  const { moving, survey } = mover;
  const { bug } = at.source;
  await rm(file, { force: true });
  await receiveAttachment(attachment, file, moving.source);
  const { part } = await attachedFile(file, moving.target);
  const to = textContext(mover);
  const { file_name, summary, content_type, is_patch, is_private, flags = [] } = attachment;
  const mapped = mappedBug({ ...bug, flags }, moving.map);
  const { set } = movableFlags(mapped, survey.target, "attachment flag");
  const body: JsonObject = {
    ...{ ids: [at.id], file_name, summary, content_type: is_patch ? "text/plain" : content_type },
    comment: comment
      ? (movedTexts(withoutAttachmentLine(comment), bug, to)[0] ?? "")
      : bareAttachmentComment(attachment, bug, to),
    ...(is_patch ? { is_patch: true } : {}),
    ...(is_private || comment?.is_private ? { is_private: true } : {}), // both; see movePrivacy
    ...(set.length > 0 ? { flags: set } : {}),
  };
  return { request: { ...requestFor(CREATE_ATTACHMENT, body), file: part } };
}

/**
 * Makes public what is public in the source, of an attachment and the comment that it was made with: those of a new one
 * are equally private.
 */
async function movePrivacy({ source, id }: Discussion, mover: Mover): Promise<void> {
  const { steps, moving } = mover;
  for (const { comment, attachment } of unequallyPrivate(source)) {
    const step = comment.is_private ? `public attachment ${attachment.id}` : `public comment ${comment.id}`;
    await steps.run({ bug: source.bug.id, step }, async () => {
      if (comment.is_private) {
        const file = steps.numbers.attachments.get(attachment.id) ?? null;
        return { request: requestFor(UPDATE_ATTACHMENT, { ids: [file], is_private: false }) };
      }
      const moved = movedComment(comment, source, { steps, now: await commentsNow(id, moving.target) });
      return { request: updateRequest([id], { comment_is_private: { [String(moved?.id)]: false } }) };
    });
  }
}

async function commentsNow(id: number, target: Context): Promise<readonly Comment[]> {
  return (await readAll([String(id)], commentsPlan(), target)).get(String(id)) ?? [];
}

type Moved = { readonly steps: Steps; readonly now: readonly Comment[] };

/**
 * The comment of the target that a comment became: by its attachment, its id, or the number that it was to get. Another
 * user may have commented meanwhile.
 */
function movedComment(comment: Comment, { bug, attachments }: SourceBug, { steps, now }: Moved): Comment | undefined {
  const attachment = attachmentOf(comment, attachments);
  const file = attachment && steps.numbers.attachments.get(attachment.id);
  if (file !== undefined) return now.find(({ attachment_id }) => attachment_id === file);
  const made = steps.entries.get(stepKey({ bug: bug.id, step: `comment ${comment.id}` }))?.id;
  if (made !== undefined) return now.find(({ id }) => id === made);
  const number = steps.numbers.comments.get(`${bug.id}/${comment.count}`);
  return now.find(({ count }) => count === number);
}

async function moveTags({ source, id, tagged }: Discussion, mover: Mover): Promise<void> {
  const { bug, comments } = source;
  const { steps, moving } = mover;
  const all = [...comments.filter(({ count, tags }) => count === 0 && tags?.length), ...tagged];
  const left = all.filter((comment) => !isDoneStep(steps.entries, bug.id, `tags ${comment.id}`));
  if (left.length === 0) return;
  const now = await commentsNow(id, moving.target);
  for (const comment of left) {
    const comment_id = movedComment(comment, source, { steps, now })?.id;
    if (comment_id === undefined) {
      noteFields(bug.id, TAGS, mover);
      continue;
    }
    const request = requestFor(UPDATE_COMMENT_TAGS, { comment_id, add: comment.tags ?? [] });
    await tolerantly({ bug: bug.id, fields: TAGS }, mover, () =>
      steps.run({ bug: bug.id, step: `tags ${comment.id}` }, async () => ({ request })),
    );
  }
}

const TAGS = ["comment tags"];
