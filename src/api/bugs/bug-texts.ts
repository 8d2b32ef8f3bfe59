import type { Comment } from "../../wire/resources.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { GET_COMMENTS } from "../operations/comments.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugComments, readBugs } from "../response/response-objects.ts";

/** Summaries by bug id, for optional headings; empty if they cannot be read. */
export async function readBugTitles(ids: number[], send: SendRequest): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids)].slice(0, MAX_TITLES);
  if (wanted.length === 0) return new Map();
  const request = requestFor(SEARCH_BUGS, { id: wanted.join(","), include_fields: "id,summary", limit: MAX_TITLES });
  const bugs = await send(request).then(readBugs, () => []);
  return new Map(bugs.map(({ id, summary }) => [id, summary ?? ""]));
}

const MAX_TITLES = 500;

/** All visible comments of a bug. */
export async function fetchComments(bug: number | string, send: SendRequest): Promise<Comment[]> {
  const response = await send(requestFor(GET_COMMENTS, { id_or_alias: bug }));
  return [...readBugComments(response).values()].flat();
}
