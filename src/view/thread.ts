import type { BugHistory, Comment, Field } from "../wire/resources.ts";
import { historyEntries } from "./changes.ts";
import { commentText } from "./comments.ts";
import { palette } from "./palette.ts";
import { countText } from "./text.ts";
import { wireMillis } from "./times.ts";
import type { View } from "./view.ts";

/** Comments, changes or both, as shown below the card of a bug. */
export type Thread = {
  readonly comments?: readonly Comment[] | undefined;
  readonly history?: BugHistory | undefined;
  readonly fields: readonly Field[];
};

/** Comments and changes of a bug by time; the comment of an update is above its changes. */
export function threadText({ comments, history, fields }: Thread, view: View): string {
  const commentEntries = (comments ?? []).map((comment) => ({
    when: comment.creation_time,
    text: commentText(comment, view, isFolded(comment)),
  }));
  const changes = history ? historyEntries(history, fields, view) : [];
  const entries = [...commentEntries, ...changes].toSorted((a, b) => millis(a.when) - millis(b.when));
  const texts = entries.map(({ text }) => text);
  const isBare = changes.length === 0 && (comments ?? []).every(({ count }) => count === 0);
  if (isBare) texts.push(`${palette(view).quiet(comments ? "no comments" : "no changes")}\n`);
  return texts.join("\n");
}

/** The description of a bug, and how many comments and attachments it has: each attachment came with a comment. */
export function descriptionText(comments: readonly Comment[], view: View): string {
  const [description] = comments.filter(({ count }) => count === 0);
  const number = comments.length - (description ? 1 : 0);
  const id = comments[0]?.bug_id;
  const files = new Set(comments.flatMap(({ attachment_id }) => attachment_id ?? [])).size;
  const notes = [number === 0 ? "no comments" : `${countText(number, "comment")}: bt bug get ${id} --comments`];
  if (files > 0) notes.push(`${countText(files, "attachment")}: bt attachment list ${id}`);
  const below = notes.map((note) => `${palette(view).quiet(note)}\n`).join("");
  return `${description ? `${commentText(description, view)}\n` : ""}${below}`;
}

/** True for a comment tagged spam or obsolete; never for the description. */
function isFolded({ count, tags }: Comment): boolean {
  return count > 0 && (tags ?? []).some((tag) => FOLDED_TAGS.has(tag.toLowerCase()));
}

const FOLDED_TAGS = new Set(["spam", "obsolete"]);

function millis(time: string | null | undefined): number {
  return wireMillis(time) ?? 0;
}
