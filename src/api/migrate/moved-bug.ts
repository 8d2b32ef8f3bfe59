import type { Bug } from "../../wire/bug-fields.ts";
import type { Attachment, Comment, HistoryEntry } from "../../wire/resources.ts";

/** A bug of the source with its comments, history and attachments. */
export type SourceBug = {
  readonly bug: Bug & { readonly id: number };
  readonly comments: readonly Comment[]; // in order; without those that are not visible
  readonly history: readonly HistoryEntry[];
  readonly attachments: readonly Attachment[]; // without their data
};

/** An attachment and the comment that it was made with. */
export type AttachedComment = { readonly comment: Comment; readonly attachment: Attachment };

/** The attachment that a comment was made with; undefined for other comments. */
export function attachmentOf(comment: Comment, attachments: readonly Attachment[]): Attachment | undefined {
  return attachments.find((one) => isCreation(comment, one));
}

/** Attachments of a bug whose comments are not visible. */
export function bareAttachments({ comments, attachments }: Discussed): readonly Attachment[] {
  return attachments.filter((one) => !comments.some((comment) => isCreation(comment, one)));
}

/** Attachments of which either the comment or the attachment itself is private. */
export function unequallyPrivate({ comments, attachments }: Discussed): readonly AttachedComment[] {
  return comments.flatMap((comment) => {
    const attachment = attachmentOf(comment, attachments);
    const isUnequal = attachment !== undefined && Boolean(attachment.is_private) !== comment.is_private;
    return isUnequal ? [{ comment, attachment }] : [];
  });
}

type Discussed = Pick<SourceBug, "comments" | "attachments">;

/** True for the comment that an attachment was made with, unless its content was deleted. */
function isCreation({ attachment_id, text }: Comment, { id, size }: Attachment): boolean {
  return attachment_id === id && size !== 0 && text.startsWith(`Created attachment ${id}`);
}

/**
 * Address of a source bug or comment: a URL for a tracker on the network, else text that trackers do not turn into a
 * link.
 */
export function sourcePlace(source: string, bug: number, comment?: number): string {
  const isLink = /^https?:/.test(source);
  const count = comment === undefined || comment === 0 ? "" : comment;
  if (isLink) return `${source}/show_bug.cgi?id=${bug}${count === "" ? "" : `#c${count}`}`;
  return `${source.replace(/:.*$/, "")} no. ${bug}${count === "" ? "" : `/${count}`}`; // without the path of a file
}
