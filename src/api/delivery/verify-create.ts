import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { GET_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { GET_COMMENTS } from "../operations/comments.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugComments, readBugs } from "../response/response-objects.ts";
import { requestBody } from "../write/update-request.ts";
import { isStoredAs, storedSummary } from "./verify-comment.ts";
import {
  type FindMatchesBefore,
  isRequester,
  judgeMatches,
  type SentWrite,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/** Verifies a new bug by its alias, which is unique, else by reporter, time and text. */
export const verifyBugCreate: VerifyWrite = async (sent, context) => {
  const body = requestBody(sent.request);
  const matching = (await findCandidates(sent, context.send, context.me)).filter(
    (bug) => isSameBug(bug, body, context) && !sent.alike?.includes(bug.id),
  );
  const described: Bug[] = [];
  for (const bug of matching) if (await hasDescription(bug, body, context)) described.push(bug);
  const claimed = confirmedIds(sent, context);
  const found = described.filter(({ id }) => !claimed.has(id));
  return judgeMatches(found, sent, {
    toResponse: ({ id }) => ({ id: id }),
    describe: ({ id, creation_time }) => `bug ${id}, filed ${creation_time}, is identical`,
  });
};

/** Ids of a bug with the alias of a new one, or of recent bugs with its summary. */
export const matchingBugsBefore: FindMatchesBefore = async (sent, send) => {
  const bugs = await findCandidates(sent, send);
  return bugs.map(({ id }) => id);
};

/** The bug with the alias of the new one if it has one, else recent bugs with its summary. */
function findCandidates(sent: SentWrite, send: SendRequest, creator?: string): Promise<readonly Bug[]> {
  const body = requestBody(sent.request);
  const [alias] = [body["alias"] ?? []].flat();
  return typeof alias === "string" ? findBugByAlias(alias, send) : findSimilarBugs(body, sent.since, send, creator);
}

const FIELDS = ["id", "summary", "creator", "creation_time"];

async function findBugByAlias(alias: string, send: SendRequest): Promise<Bug[]> {
  try {
    return readBugs(await send(requestFor(GET_BUG, { ids: [alias], include_fields: FIELDS.join(",") })));
  } catch (error) {
    if (error instanceof BtError && error.kind === "missing") return [];
    throw error;
  }
}

/** Bugs with the same summary since a time. Bugzilla searches for its words, so that it may find more. */
async function findSimilarBugs(
  body: JsonObject,
  since: string,
  send: SendRequest,
  creator: string | undefined,
): Promise<readonly Bug[]> {
  const named = (["product", "component"] as const).filter((name) => typeof body[name] === "string");
  const summary = storedSummary(String(body["summary"]));
  const request = requestFor(SEARCH_BUGS, {
    summary,
    ...Object.fromEntries(named.map((name) => [name, String(body[name])])),
    creator,
    creation_time: since,
    limit: "0",
    include_fields: FIELDS.join(","),
  });
  const found = readBugs(await send(request));
  return found.filter((bug) => storedSummary(bug.summary ?? "") === summary);
}

/** True for a bug of the requester; one found by its alias may have another summary. */
function isSameBug({ id, summary, creator }: Bug, body: JsonObject, context: VerifyContext): boolean {
  const isNamedSo = storedSummary(summary ?? "") === storedSummary(String(body["summary"]));
  return typeof id === "number" && isNamedSo && isRequester(context, creator ?? "") !== false;
}

/**
 * Ids of the bugs created by other confirmed writes. Other kinds of writes also return ids, those of comments for one.
 */
function confirmedIds(sent: SentWrite, { confirmed }: VerifyContext): ReadonlySet<unknown> {
  const filed = confirmed().filter(({ request }) => request.operation === sent.request.operation);
  return new Set(
    filed
      .map(({ response }) => response)
      .filter(isObject)
      .map((response) => response["id"]),
  );
}

async function hasDescription({ id }: Bug, body: JsonObject, { send }: VerifyContext): Promise<boolean> {
  const response = await send(requestFor(GET_COMMENTS, { id_or_alias: id }));
  const [description] = readBugComments(response).get(String(id)) ?? [];
  const text = description?.text;
  return isStoredAs(String(body["description"] ?? body["comment"] ?? ""), String(text ?? ""));
}
