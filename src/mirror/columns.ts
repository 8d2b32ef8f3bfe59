import type { SqlValue } from "../tracker/store/store.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Comment } from "../wire/resources.ts";

/**
 * The fields of bugs that are columns too, named as in bug JSON, in lower case: one text, '' if unset, or a list, each item of
 * it in its own line between line breaks, '' if it is empty.
 */
export const COLUMNS = {
  ...{ product: "one", component: "one", version: "one", status: "one", resolution: "one", priority: "one" },
  ...{ severity: "one", assigned_to: "one", creator: "one", qa_contact: "one", target_milestone: "one" },
  ...{ classification: "one", platform: "one", op_sys: "one" },
  ...{ summary: "one", whiteboard: "one", creation_time: "time", last_change_time: "time" },
  ...{ alias: "list", keywords: "list", cc: "list", depends_on: "list", blocks: "list" },
} as const satisfies Readonly<Record<string, "one" | "time" | "list">>;

/** The kind of a column; undefined for fields that are none. */
export function columnKind(name: string): "id" | "one" | "time" | "list" | undefined {
  if (name === "id") return "id";
  return Object.hasOwn(COLUMNS, name) ? COLUMNS[name as keyof typeof COLUMNS] : undefined;
}

/** The values of a bug's columns, in their order. */
export function columnValues(bug: JsonObject): SqlValue[] {
  return Object.entries(COLUMNS).map(([name, kind]) => {
    const value = bug[name] ?? "";
    if (kind === "time") return String(value);
    const items = [value].flat().filter((item: Json) => item !== null && item !== "");
    if (kind === "one") return folded(String(items[0] ?? ""));
    return items.length > 0 ? folded(`\n${items.map(String).join("\n")}\n`) : "";
  });
}

/**
 * The text of a comment as a tracker searches it, without the lines that only show what it is about: an attachment, or a
 * duplicate.
 * @see template/en/default/bug/format_comment.txt.tmpl of Bugzilla
 */
export function searchedText({ text, attachment_id }: Comment): string {
  const body = attachment_id ? text.replace(/^(?:Created|Comment on) attachment \d+\n.*(?:\n\n)?/, "") : text;
  return body.replace(DUPLICATE, "");
}

const DUPLICATE =
  /(?:^|\n\n)\*\*\* (?:This bug has been marked as a duplicate of bug \d+|Bug \d+ has been marked as a duplicate of this bug\.) \*\*\*$/;

/** Text as columns have it: in lower case as `evaluate` compares, without what SQLite does not store. */
export function folded(text: string): string {
  return text.toLowerCase().replace(/[\0\p{Surrogate}]/gu, " ");
}
