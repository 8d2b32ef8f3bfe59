import { wholeNumber } from "../../api/number.ts";
import { get, segment } from "../../api/operation.ts";
import { readTags } from "../../api/read.ts";
import { usage } from "../../errors.ts";
import { escapeJson } from "../../view/text.ts";
import type { Context } from "../context.ts";
import { isForEyes, showList } from "../show.ts";
import { type Input, textOf } from "../verb.ts";

/** `bt tag search`: the comment tags in use that contain a text; the specification's default limit is always sent. */
export async function search(input: Input, context: Context): Promise<void> {
  const text = input.args[0] ?? "";
  if (!/^[\x21-\x24\x26-\x7e]+$/.test(text)) {
    throw usage(
      `${JSON.stringify(text)} cannot be searched for among tags`,
      "letters of ASCII, digits and signs but % can",
    );
  }
  const limit = wholeNumber("limit", textOf(input.flags["limit"]) ?? "10");
  const path = `/rest/bug/comment/tags/${segment(text)}`;
  const tags = readTags(await context.tracker.ask(get(path, [["limit", String(limit)]])));
  await showTags(tags, context);
  if (tags.length === 0 && isForEyes(context)) await context.io.err(`no comment tag in use contains ${text}\n`);
}

/** Prints tags, one a line; as JSON the bare list that the tracker gives. */
export async function showTags(tags: readonly string[], context: Context): Promise<void> {
  const { TAG_COLUMNS } = await import("../../view/tags.ts");
  if (context.output.format === "json") return context.io.out(`${escapeJson(JSON.stringify(tags))}\n`);
  await showList(context, { columns: TAG_COLUMNS, pages: [tags] });
}
