import type { Bug, Flag } from "../../wire/bug-fields.ts";
import type { Attachment, Comment } from "../../wire/resources.ts";
import { parted } from "../lists.ts";
import { sourcePlace } from "./moved-bug.ts";
import { type Renumbering, renumbered } from "./references.ts";

/** Context for the texts of a bug: the renumbering, and the users and flags that are only kept as text. */
export type TextContext = Renumbering & { readonly named: (bug: Bug) => NamedOnly };

/** People and flags of a bug that the target does not have. */
export type NamedOnly = {
  readonly people: readonly (readonly [role: string, logins: readonly string[]])[];
  readonly flags: readonly Flag[];
};

/** Maximum length of a comment in characters; a longer one becomes several. */
const MAX_TEXT = 65_535;

/** Texts of the comments that replace a comment: more than one if it is too long with its line of author and time. */
export function movedTexts(comment: Comment, bug: Bug, to: TextContext): readonly string[] {
  const head = [originLine(comment, bug, to), ...(comment.count === 0 ? namedLines(bug, to) : [])].join("\n");
  const text = renumbered(comment.text.replace(/^\n+/, ""), bug.id ?? 0, to);
  return pieces(text === "" ? head : `${head}\n\n${text}`);
}

function originLine({ count, creator, time }: Comment, bug: Bug, { source }: TextContext): string {
  const place = sourcePlace(source, bug.id ?? 0, count);
  const as = count === 0 ? "reported by " : "";
  return `[${place}: ${as}${creator}, ${timeText(time)}]`;
}

/** Moment as `2026-01-02 03:04:05 UTC`. */
function timeText(time: string): string {
  return time.replace("T", " ").replace("Z", " UTC");
}

function namedLines(bug: Bug, to: TextContext): readonly string[] {
  const { people, flags } = to.named(bug);
  const said = [
    ...people.map(([role, logins]) => `${role}: ${logins.join(", ")}`),
    ...(flags.length > 0 ? [`flags: ${flags.map(flagText).join(", ")}`] : []),
  ];
  return said.length === 0 ? [] : [`[${said.join("; ")}]`];
}

function flagText({ name, status, requestee, setter }: Flag): string {
  return `${name}${status}${requestee ? `(${requestee})` : ""} by ${setter}`;
}

function pieces(text: string): readonly string[] {
  const characters = [...text];
  if (characters.length <= MAX_TEXT) return [text];
  const rest = MAX_TEXT - CONTINUED.length;
  const [first, ...others] = [characters.slice(0, MAX_TEXT), ...parted(characters.slice(MAX_TEXT), rest)];
  return [(first ?? []).join(""), ...others.map((piece) => CONTINUED + piece.join(""))];
}

const CONTINUED = "[continued]\n\n";

/** The comment of an attachment without the sentence that trackers prepend. */
export function withoutAttachmentLine(comment: Comment): Comment {
  return { ...comment, text: comment.text.replace(/^Created attachment \d+\n[^\n]*(?:\n\n|$)/, "") };
}

/** The comment of a new attachment whose comment is not visible in the source. */
export function bareAttachmentComment({ creator, creation_time }: Attachment, bug: Bug, to: TextContext): string {
  return `[${sourcePlace(to.source, bug.id ?? 0)}: attached by ${creator}, ${timeText(creation_time)}]`;
}
