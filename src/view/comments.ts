import type { BugHistory, Comment, Field } from "../wire/resources.ts";
import { headingText } from "./card.ts";
import { historyEntries } from "./changes.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";
import { type Palette, palette } from "./palette.ts";
import { countText, plain } from "./text.ts";
import { timeText, wireMillis } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { type Piece, wrap } from "./wrap.ts";

type ShownComment = Partial<Comment>; // unrequested members are absent

/**
 * Comments with author and time, private ones marked, text wrapped, quotes dimmed. Those of several bugs have headings
 * with the summaries in `titles`.
 */
export function commentsText(comments: ShownComment[], view: View, titles?: ReadonlyMap<number, string>): string {
  if (comments.length === 0) return `${palette(view).quiet("no comments")}\n`;
  const texts = comments.map((comment, at) => {
    const { bug_id } = comment;
    const isFirst = titles && bug_id !== undefined && bug_id !== comments[at - 1]?.bug_id;
    return `${isFirst ? bugHeading(bug_id, titles, view) : ""}${commentText(comment, view)}`;
  });
  return texts.join("\n");
}

export type Thread = {
  readonly comments?: readonly Comment[] | undefined;
  readonly history?: BugHistory | undefined;
  readonly fields: readonly Field[];
};

/** Comments and changes of a bug by time; the comment of an update is above its changes. */
export function threadText({ comments, history, fields }: Thread, view: View): string {
  const commentEntries = (comments ?? []).map((comment) => ({
    when: comment.creation_time,
    text: commentText(comment, view),
  }));
  const changes = history ? historyEntries(history, fields, view) : [];
  const entries = [...commentEntries, ...changes].toSorted(
    (a, b) => (wireMillis(a.when) ?? 0) - (wireMillis(b.when) ?? 0),
  );
  const texts = entries.map(({ text }) => text);
  const isBare = changes.length === 0 && (comments ?? []).every(({ count }) => count === 0);
  if (isBare) texts.push(`${palette(view).quiet(comments ? "no comments" : "no changes")}\n`);
  return texts.join("\n");
}

/** The description of a bug, and the numbers of its comments and attachments. */
export function descriptionText(comments: readonly Comment[], view: View): string {
  const description = comments.find(({ count }) => count === 0);
  const number = comments.length - (description ? 1 : 0);
  const id = comments[0]?.bug_id;
  const files = new Set(comments.flatMap(({ attachment_id }) => attachment_id ?? [])).size;
  const notes = [number === 0 ? "no comments" : `${countText(number, "comment")}: bt bug get ${id} --comments`];
  if (files > 0) notes.push(`${countText(files, "attachment")}: bt attachment list ${id}`);
  const below = notes.map((note) => `${palette(view).quiet(note)}\n`).join("");
  return `${description ? `${commentText(description, view)}\n` : ""}${below}`;
}

function commentText(comment: ShownComment, view: View): string {
  return `${commentHeading(comment, view)}\n${commentProse(comment, view)}`;
}

const column = columnMaker<ShownComment>();

export const COMMENT_COLUMNS: readonly Column<ShownComment>[] = [
  column("id", "ID", "text", { shrink: "never" }),
  column("bug_id", "Bug", "bug"),
  column("count", "No", "number"),
  column("creation_time", "When", "time"),
  column("creator", "Who", "person"),
  column("is_private", "Private", "text", {
    cell: ({ is_private }) => (is_private ? "private" : ""),
    paint: () => "warn",
  }),
  column("tags", "Tags", "list"),
  column("attachment_id", "Attachment"),
  column("text", "Text", "lines"),
];

const WIDEST = 100; // wider prose is hard to read
const QUOTE = /^((?:> ?)+)(.*)$/;

function bugHeading(id: number, titles: ReadonlyMap<number, string>, view: View): string {
  const pieces: Piece[] = [
    { text: `bug ${id}`, role: "title" },
    { text: titles.get(id) ?? "", role: "title" },
  ];
  return `${headingText(pieces, view)}\n\n`;
}

function commentHeading(comment: ShownComment, view: View): string {
  const { creator, creation_time, is_private, tags, attachment_id } = comment;
  const pieces: Piece[] = [
    { text: commentName(comment), role: "title" },
    { text: creator ?? "-" },
    { text: timeText(creation_time, view), role: "quiet" },
    { text: is_private ? "private" : "", role: "warn" },
    { text: attachment_id ? `attachment ${attachment_id}` : "" },
    { text: tags?.length ? `tags: ${tags.join(", ")}` : "" },
  ];
  return headingText(pieces, view);
}

/** Name of a comment: `44.3`; `c:91` by its id if its number or its bug is unknown. */
function commentName({ id, bug_id, count }: ShownComment): string {
  if (!bug_id) return `c:${id}`;
  return typeof count !== "number" ? `c:${id}  on #${bug_id}` : `${bug_id}.${count}`;
}

export function commentProse({ text: whole, is_private }: ShownComment, view: View): string {
  const paints = palette(view);
  const room = Math.min(view.width, WIDEST) - 2;
  const bar = is_private ? paints.warn(`${viewSigns(view).bar} `) : "  ";
  if (whole === "") return `${bar}${paints.quiet("(no text)")}\n`; // of hours worked alone
  const text = plain(whole ?? "", "lines");
  const lines = text
    .replace(/^\s*\n/, "")
    .trimEnd()
    .split("\n");
  return lines
    .flatMap((line) => bodyLines(line, room, paints))
    .map((line) => `${`${bar}${line}`.trimEnd()}\n`)
    .join("");
}

const LIST_MARK = /^ *(?:[-*+]|\d{1,3}[.)]) +/;

/** A line of a comment, wrapped: quotes keep their marks, and items of lists their indentation. */
function bodyLines(line: string, room: number, paints: Palette): string[] {
  const [, marks, quoted] = QUOTE.exec(line) ?? [];
  if (marks !== undefined && quoted !== undefined)
    return wrap(quoted, room - marks.length).map((part) => paints.quiet(marks + part));
  const mark = LIST_MARK.exec(line)?.[0] ?? "";
  const indent = " ".repeat(mark.length);
  return wrap(line.slice(mark.length), room - mark.length).map((part, at) => (at === 0 ? mark : indent) + part);
}

export const TAG_COLUMNS: readonly Column<string>[] = [{ name: "tag", heading: "Tag", value: (tag) => tag }];

/** Tags of a comment, by its name, after an update, as one line. */
export function commentTagsText(name: string, tags: string[], view: View): string {
  const { title, quiet } = palette(view);
  const shown = tags.length > 0 ? plain(tags.join(", ")) : quiet("no tags");
  return `${title(`comment ${name}`)}  ${shown}\n`;
}

/** A comment quoted for a reply: author and number, every line after `>`, and an empty line. */
export function quotedComment({ creator, count, text }: Comment): string {
  const lines = (text ?? "")
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd());
  const place = count === 0 ? "the description" : `comment #${count}`;
  return `(In reply to ${creator ?? "-"} from ${place})\n${lines.join("\n")}\n\n`;
}
