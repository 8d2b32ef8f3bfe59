import type { Comment } from "../../wire/comment.ts";

/** A comment as a reply quotes it: who said it in which comment, every line behind `>`, and an empty line to go on after. */
export function quoted({ creator, count, text }: Comment): string {
  const lines = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd());
  const place = count === 0 ? "the description" : `comment #${count}`;
  return `(In reply to ${creator} from ${place})\n${lines.join("\n")}\n\n`;
}
