import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import type { Session } from "../../../session/session.ts";
import { type Json, pathAndQuery, type Request } from "../../../wire/exchange.ts";

/**
 * Session that repeats searches with If-None-Match, and returns the kept response if the tracker reports it as
 * unchanged.
 */
export function withConditionalSearches(session: Session): Session {
  const kept = new Map<string, Kept>();
  const search = async (request: Request): Promise<Json> => {
    const key = pathAndQuery(request);
    const before = kept.get(key);
    const condition = before && { headers: { ...request.headers, "if-none-match": before.etag } };
    const response = await session.raw.exchange({ ...request, ...condition });
    if (before && response.status === 304) return before.answer;
    const answer = await session.raw.read(response, request);
    keep(key, { etag: response.headers["etag"], answer, length: response.body.length }, kept);
    return answer;
  };
  return {
    ...session,
    send: (request) => (request.operation === SEARCH_BUGS.name ? search(request) : session.send(request)),
  };
}

type Kept = { etag: string; answer: Json };

/** Keeps a response with an ETag, if it is short, instead of the oldest one. */
function keep(
  key: string,
  { etag, answer, length }: Omit<Kept, "etag"> & { etag: string | undefined; length: number },
  kept: Map<string, Kept>,
): void {
  kept.delete(key);
  if (etag && length <= MAX_LENGTH) kept.set(key, { etag, answer });
  for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
}

const MAX_KEPT = 4;
const MAX_LENGTH = 500_000; // characters
