import { evaluate, hasChange, type Knowledge } from "../api/query/evaluate.ts";
import type { Change, Leaf } from "../api/query/tree.ts";
import type { Comment, HistoryEntry } from "../wire/resources.ts";
import { DAY_MS } from "../wire/time.ts";
import { searchableText } from "./columns.ts";
import type { MirroredBug, Part } from "./store.ts";

/** What a query needs beside a bug: who searches, when, and the bugs that its full-text searches find. */
export type MirrorKnowledge = Required<Knowledge> & { readonly now: Date };

/** The part of a bug that is needed to test a condition; undefined if the bug itself is enough. */
export function partNeeded(leaf: Leaf): Part | undefined {
  if (leaf.kind === "change") return isCommentChange(leaf) ? "comments" : "history";
  if (leaf.kind === "flag" || FLAG_FIELDS.has(leaf.field.api)) return "attachments";
  const [part] = HIDDEN_FIELDS.get(leaf.field.api) ?? [];
  return part;
}

/** True if a bug meets a condition, by all that the mirror has of it. */
export function meets(leaf: Leaf, mirrored: MirroredBug, knowledge: MirrorKnowledge): boolean {
  const found = knowledge.found.get(leaf);
  if (found !== undefined) return found.has(mirrored.id);
  if (leaf.kind === "change") {
    const entries = isCommentChange(leaf) ? mirrored.comments.map(commentEntry) : mirrored.history;
    return entries.some((entry) => hasChange(entry, leaf, knowledge.login));
  }
  if (leaf.kind === "flag" || FLAG_FIELDS.has(leaf.field.api)) {
    const ofAttachments = mirrored.attachments.flatMap(({ flags = [] }) => flags);
    return evaluate(leaf, { ...mirrored.bug, flags: [...(mirrored.bug.flags ?? []), ...ofAttachments] }, knowledge);
  }
  const [, valuesOf] = HIDDEN_FIELDS.get(leaf.field.api) ?? [];
  if (valuesOf === undefined) return evaluate(leaf, mirrored.bug, knowledge);
  const hasPronoun = leaf.values.some((value) => value.startsWith("%"));
  const bug = hasPronoun ? mirrored.bug : { id: mirrored.id }; // unless it is needed, the bug is not parsed
  const asSeeAlso = { ...leaf, field: { ...leaf.field, api: "see_also" } }; // a list of texts
  return evaluate(asSeeAlso, { ...bug, see_also: valuesOf(mirrored, knowledge) }, knowledge);
}

/** The fields of flags, which a bug and its attachments have. */
export const FLAG_FIELDS: ReadonlySet<string> = new Set(["flags", "requestee", "setter"]);

/** Changes of comments are in no history: servers search for the comments themselves. */
function isCommentChange({ field }: Change): boolean {
  return field.chart === "longdesc";
}

function commentEntry({ creator, creation_time }: Comment): HistoryEntry {
  return { who: creator, when: creation_time, changes: [{ field_name: "longdesc", removed: "", added: "" }] };
}

/** `part` is undefined where the bug itself has the values. */
type HiddenField = readonly [
  part: Part | undefined,
  values: (mirrored: MirroredBug, knowledge: MirrorKnowledge) => readonly string[],
];

/** Fields that bugs do not show: the part that has their values, and the values as texts. */
export const HIDDEN_FIELDS: ReadonlyMap<string, HiddenField> = new Map(
  Object.entries<HiddenField>({
    comment: ["comments", ({ comments }) => comments.map(searchableText)],
    commenter: ["comments", ({ comments }) => comments.map(({ creator }) => creator)],
    comments: ["comments", ({ comments }) => [String(comments.length)]],
    comment_tag: ["comments", ({ comments }) => comments.flatMap(({ tags = [] }) => tags)],
    private_comment: ["comments", ({ comments }) => comments.map(({ is_private }) => digit(is_private))],
    attachment: ["attachments", ({ attachments }) => attachments.map(({ file_name }) => file_name)],
    attachment_text: ["attachments", ({ attachments }) => attachments.map(({ summary }) => summary)],
    attachment_type: ["attachments", ({ attachments }) => attachments.map(({ content_type }) => content_type)],
    attacher: ["attachments", ({ attachments }) => attachments.map(({ creator }) => creator)],
    patch: ["attachments", ({ attachments }) => attachments.map(({ is_patch }) => digit(is_patch))],
    obsolete: ["attachments", ({ attachments }) => attachments.map(({ is_obsolete }) => digit(is_obsolete))],
    private_attachment: ["attachments", ({ attachments }) => attachments.map(({ is_private }) => digit(is_private))],
    days_elapsed: [
      undefined,
      ({ bug }, { now }) => [String(dayNumber(now) - dayNumber(new Date(bug.last_change_time ?? 0)))],
    ],
    complete: [undefined, ({ bug }) => [String(percentComplete(bug.actual_time ?? 0, bug.remaining_time ?? 0))]],
  }),
);

/** 1 for yes, 0 for no. */
function digit(value: boolean | number): string {
  return String(Number(value));
}

/** Number of days since 1970, UTC. */
function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

function percentComplete(worked: number, left: number): number {
  return worked + left > 0 ? Math.floor((100 * worked) / (worked + left)) : 0;
}
