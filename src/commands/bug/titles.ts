import { get } from "../../api/operation.ts";
import { readBugs } from "../../api/read.ts";
import type { Context } from "../context.ts";

/** The summaries of bugs by number, for headings that can do without: whatever goes wrong leaves them out. */
export async function titlesOf(ids: readonly number[], { tracker }: Context): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids)].slice(0, MOST);
  if (wanted.length === 0) return new Map();
  const request = get("/rest/bug", [
    ["id", wanted.join(",")],
    ["include_fields", "id,summary"],
    ["limit", String(MOST)],
  ]);
  const bugs = await tracker.ask(request).then(readBugs, () => []);
  return new Map(bugs.map(({ id, summary }) => [id ?? 0, summary ?? ""]));
}

const MOST = 500;
