import type { SqlValue } from "../tracker/store/store.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Comment } from "../wire/resources.ts";

/**
 * The fields of bugs that are columns too, named as in bug JSON. A text is in lower case, '' if unset. A list has each of its
 * items in a line of its own between line breaks, '' if it is empty.
 */
export const COLUMNS = {
  ...{ product: "text", component: "text", version: "text", status: "text", resolution: "text", priority: "text" },
  ...{ severity: "text", assigned_to: "text", creator: "text", qa_contact: "text", target_milestone: "text" },
  ...{ classification: "text", platform: "text", op_sys: "text" },
  ...{ summary: "text", whiteboard: "text", creation_time: "time", last_change_time: "time" },
  ...{ alias: "list", keywords: "list", cc: "list", depends_on: "list", blocks: "list" },
} as const satisfies Readonly<Record<string, "text" | "time" | "list">>;

/** The kind of a column; undefined for a field without a column. */
export function columnKind(name: string): "id" | "text" | "time" | "list" | undefined {
  if (name === "id") return "id";
  return Object.hasOwn(COLUMNS, name) ? COLUMNS[name as keyof typeof COLUMNS] : undefined;
}

/** The values of a bug's columns, in their order. */
export function columnValues(bug: JsonObject): SqlValue[] {
  return Object.entries(COLUMNS).map(([name, kind]) => {
    const value = bug[name] ?? "";
    if (kind === "time") return String(value);
    const items = [value].flat().filter((item: Json) => item !== null && item !== "");
    if (kind === "text") return columnText(String(items[0] ?? "")); // components may be lists
    return items.length > 0 ? columnText(`\n${items.join("\n")}\n`) : "";
  });
}

/** Text as columns have it: in lower case, without what SQLite does not store. */
export function columnText(text: string): string {
  return text.toLowerCase().replace(/[\0\p{Surrogate}]/gu, " ");
}

/**
 * The text of a comment as a tracker searches it: without the lines that Bugzilla adds where it shows a comment on an attachment
 * or about a duplicate.
 * @see template/en/default/bug/format_comment.txt.tmpl of Bugzilla
 */
export function searchableText({ text, attachment_id }: Comment): string {
  const withoutHeader = attachment_id ? text.replace(ATTACHMENT_HEADER, "") : text;
  return withoutHeader.replace(DUPLICATE_NOTICE, "");
}

const ATTACHMENT_HEADER = /^(?:Created|Comment on) attachment \d+\n.*(?:\n\n)?/;
const DUPLICATE_NOTICE =
  /(?:^|\n\n)\*\*\* (?:This bug has been marked as a duplicate of bug \d+|Bug \d+ has been marked as a duplicate of this bug\.) \*\*\*$/;
