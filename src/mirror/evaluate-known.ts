import { evaluate, hasChange, type Knowledge } from "../api/query/evaluate.ts";
import type { Leaf } from "../api/query/tree.ts";
import type { Comment, Flag, HistoryEntry } from "../wire/resources.ts";
import { DAY_MS } from "../wire/time.ts";
import { searchedText } from "./columns.ts";
import type { KnownBug, Part } from "./store.ts";

/** What a query needs beside a bug: who asks, when, and the bugs that its full-text searches find. */
export type Asking = Required<Knowledge> & { readonly now: Date };

/** The parts of a bug, beside itself, that show if it meets a condition. */
export function partsShowing(leaf: Leaf): readonly Part[] {
  if (leaf.kind === "change") return leaf.field.chart === "longdesc" ? ["comments"] : ["history"];
  if (leaf.kind === "flag" || OF_FLAGS.has(leaf.field.api)) return ["attachments"];
  return Object.hasOwn(ITEMS, leaf.field.api) ? (ITEMS[leaf.field.api]?.[0] ?? []) : [];
}

/** True if a bug meets a condition, by all that is known of it. */
export function meets(leaf: Leaf, known: KnownBug, asking: Asking): boolean {
  if (asking.found.has(leaf)) return asking.found.get(leaf)?.has(known.id) ?? false;
  if (leaf.kind === "change") {
    const entries = leaf.field.chart === "longdesc" ? known.comments.map(asEntry) : known.history;
    return entries.some((entry) => hasChange(entry, leaf, asking.login));
  }
  if (leaf.kind === "flag" || OF_FLAGS.has(leaf.field.api))
    return evaluate(leaf, { ...known.bug, flags: flagsOf(known) }, asking);
  const { field, values } = leaf;
  const read = Object.hasOwn(ITEMS, field.api) ? ITEMS[field.api]?.[1] : undefined;
  if (read === undefined) return evaluate(leaf, known.bug, asking);
  const asList = { ...leaf, field: { ...field, api: "see_also" } }; // which is a list of texts
  const people = values.some((value) => value.startsWith("%")) ? known.bug : { id: known.id };
  return evaluate(asList, { ...people, see_also: read(known, asking) }, asking);
}

function flagsOf({ bug, attachments }: KnownBug): readonly Flag[] {
  return [...(bug.flags ?? []), ...attachments.flatMap(({ flags = [] }) => flags)];
}

/** The fields of flags, which a bug and its attachments have. */
export const OF_FLAGS: ReadonlySet<string> = new Set(["flags", "requestee", "setter"]);

type Items = readonly [parts: readonly Part[], read: (known: KnownBug, asking: Asking) => readonly string[]];

/** Values of the fields that bugs do not show, as texts, and the parts that they are read from. */
export const ITEMS: Readonly<Record<string, Items>> = {
  comment: [["comments"], ({ comments }) => comments.map(searchedText)],
  commenter: [["comments"], ({ comments }) => comments.map(({ creator }) => creator)],
  comments: [["comments"], ({ comments }) => [String(comments.length)]],
  comment_tag: [["comments"], ({ comments }) => comments.flatMap(({ tags = [] }) => tags)],
  private_comment: [["comments"], ({ comments }) => comments.map(({ is_private }) => digit(is_private))],
  attachment: [["attachments"], ({ attachments }) => attachments.map(({ file_name }) => file_name)],
  attachment_text: [["attachments"], ({ attachments }) => attachments.map(({ summary }) => summary)],
  attachment_type: [["attachments"], ({ attachments }) => attachments.map(({ content_type }) => content_type)],
  attacher: [["attachments"], ({ attachments }) => attachments.map(({ creator }) => creator)],
  patch: [["attachments"], ({ attachments }) => attachments.map(({ is_patch }) => digit(is_patch))],
  obsolete: [["attachments"], ({ attachments }) => attachments.map(({ is_obsolete }) => digit(is_obsolete))],
  private_attachment: [["attachments"], ({ attachments }) => attachments.map(({ is_private }) => digit(is_private))],
  days_elapsed: [[], ({ bug }, { now }) => [String(day(now) - day(new Date(bug.last_change_time ?? 0)))]],
  complete: [[], ({ bug }) => [String(percentComplete(bug.actual_time ?? 0, bug.remaining_time ?? 0))]],
};

function digit(value: boolean | number): string {
  return String(Number(value));
}

function day(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

function percentComplete(worked: number, left: number): number {
  return worked + left > 0 ? Math.floor((100 * worked) / (worked + left)) : 0;
}

/** A comment as servers search for changes of comments, which are in no history. */
function asEntry({ creator, creation_time }: Comment): HistoryEntry {
  return { who: creator, when: creation_time, changes: [{ field_name: "longdesc", removed: "", added: "" }] };
}
