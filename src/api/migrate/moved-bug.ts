import type { Bug } from "../../wire/bug-fields.ts";
import type { Attachment, Comment, HistoryEntry } from "../../wire/resources.ts";

/** A bug of the source with its comments, history and attachments. */
export type SourceBug = {
  readonly bug: Bug & { readonly id: number };
  readonly comments: readonly Comment[]; // in order; without those that are not visible
  readonly history: readonly HistoryEntry[];
  readonly attachments: readonly Attachment[]; // without their data
};

/** True for the comment that an attachment was made with, unless its content was deleted. */
export function isCreation({ attachment_id, text }: Comment, { id, size }: Attachment): boolean {
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
