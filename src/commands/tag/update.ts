import { UPDATE_COMMENT_TAGS } from "../../api/comments.ts";
import { segment, write } from "../../api/operation.ts";
import { readTags } from "../../api/read.ts";
import { TAG_LENGTH } from "../../api/write/limits.ts";
import { usage } from "../../errors.ts";
import { bodyFrom, readingOf } from "../bug/reading.ts";
import { showPlan } from "../bug/show-changes.ts";
import { commentId, commentName } from "../comment/named.ts";
import type { Context } from "../context.ts";
import { isForEyes, showText } from "../show.ts";
import type { Input } from "../verb.ts";
import { showTags } from "./search.ts";
import { checkTaken } from "./taken.ts";

/** `bt tag update`: attaches and detaches tags of one comment and prints those that it has then. */
export async function update(input: Input, context: Context): Promise<void> {
  const name = commentName(input.args[0] ?? "", context);
  const body = bodyFrom(
    input,
    UPDATE_COMMENT_TAGS.parameters,
    await readingOf(input, context, await context.tracker.catalog()),
  );
  const tags = Object.values(body).flat() as readonly string[];
  if (tags.length === 0) throw usage("no tags were given", `bt tag update ${name.word} --add obsolete --remove spam`);
  for (const tag of tags) checkTag(tag);
  const id = await commentId(name, context);
  const request = write("PUT", `/rest/bug/comment/${segment(id)}/tags`, { comment_id: Number(id), ...body });
  if (input.flags["dry-run"]) return showPlan(request, [], context);
  const now = readTags(await context.tracker.deliver({ request }));
  checkTaken(request, now);
  if (!isForEyes(context)) return showTags(now, context);
  const { commentTagsText } = await import("../../view/tags.ts");
  await showText(context, commentTagsText(Number(id), now, context.output.view));
}

function checkTag(tag: string): void {
  const { least, most } = TAG_LENGTH;
  const length = [...tag].length;
  if (length < least || length > most) {
    throw usage(`a tag has ${least} to ${most} characters, ${JSON.stringify(tag)} has ${length}`);
  }
}
