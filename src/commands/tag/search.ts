import { SEARCH_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readTags } from "../../api/response/response-objects.ts";
import { usageError } from "../../errors.ts";
import { note } from "../../session/note.ts";
import { TAG_COLUMNS } from "../../view/comments.ts";
import { escapeJson } from "../../view/text.ts";
import { showList, wholeFormat } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** Input of `bt tag search`. */
type TagSearchInput = { args: string[]; readonly parameters: { readonly limit?: number | undefined } };

/** `bt tag search`: tags in use that contain a text; the specification's default limit is always sent. */
export async function searchTags(input: TagSearchInput, context: Context): Promise<void> {
  const text = input.args[0] ?? "";
  if (!/^[\x21-\x24\x26-\x7e]+$/.test(text)) {
    throw usageError(`invalid tag search ${JSON.stringify(text)}`, "use ASCII letters, digits or punctuation except %");
  }
  const { limit = 10 } = input.parameters;
  const tags = readTags(await context.session.send(requestFor(SEARCH_COMMENT_TAGS, { query: text, limit })));
  await printTags(tags, context);
  if (tags.length === 0 && context.output.format === "table") await note(context.io, `no comment tags contain ${text}`);
}

/** Prints tags, one per line, or as a JSON array. */
export async function printTags(tags: string[], context: Context): Promise<void> {
  if (wholeFormat(context) === "json") return context.io.out(`${escapeJson(JSON.stringify(tags))}\n`);
  await showList(context, { columns: TAG_COLUMNS, pages: [tags] });
}
