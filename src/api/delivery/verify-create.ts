import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { GET_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { GET_COMMENTS } from "../operations/comments.ts";
import { requestFor } from "../operations/operation.ts";
import { isObject, readBugComments, readBugs } from "../response/response-objects.ts";
import { requestBody } from "../write/update-request.ts";
import { isStoredAs, storedSummary } from "./verify-comment.ts";
import {
  dayBeforeWrite,
  earliestWrite,
  type FindMatchesBefore,
  isRequester,
  judgeMatches,
  lookbackStart,
  ownMatches,
  type SentWrite,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/** Verifies a new bug by its alias, which is unique, else by reporter, time and text. */
export const verifyBugCreate: VerifyWrite = async (sent, context) => {
  const body = requestBody(sent.request);
  const [alias] = [body["alias"] ?? []].flat();
  const unresolved = context.unresolved().filter((other) => isSameFiling(other, sent));
  const moment = lookbackStart({ ...sent, at: earliestWrite(sent, unresolved).at });
  const candidates =
    typeof alias === "string" ? await findBugByAlias(alias, context) : await findSimilarBugs({ body, moment }, context);
  const confirmed = confirmedIds(sent, context);
  const excluded = new Set<unknown>([...confirmed, ...(sent.alike ?? [])]);
  const matching = candidates.filter((bug) => isSameBug(bug, body, context) && !excluded.has(bug.id));
  const found: Bug[] = [];
  for (const bug of matching) if (await hasDescription(bug, body, context)) found.push(bug);
  return judgeMatches(ownMatches(found, unresolved), sent, {
    time: ({ creation_time }) => creation_time,
    answer: ({ id }) => ({ id: id ?? 0 }),
    describe: ({ id, creation_time }) => `bug ${id}, filed ${creation_time}, is identical`,
  });
};

/**
 * Ids of bugs of the day before with the same summary. Undefined if the tracker reports its time, which tells old from
 * new.
 */
export const matchingBugsBefore: FindMatchesBefore = async (sent, ask) => {
  if (sent.clock === "database") return undefined;
  const bugs = await findSimilarBugs(
    { body: requestBody(sent.request), moment: dayBeforeWrite(sent) },
    { ask, me: undefined },
  );
  return bugs.flatMap(({ id }) => id ?? []);
};

function isSameFiling(other: SentWrite, sent: SentWrite): boolean {
  const [theirs, ours] = [requestBody(other.request), requestBody(sent.request)];
  const isSame = ["product", "component", "summary", "description"].every((name) => theirs[name] === ours[name]);
  return isSame && other.request.operation === sent.request.operation;
}

const FIELDS = ["id", "summary", "creator", "creation_time"];

async function findBugByAlias(alias: string, { ask }: VerifyContext): Promise<readonly Bug[]> {
  try {
    return readBugs(await ask(requestFor(GET_BUG, { ids: [alias], include_fields: FIELDS.join(",") })));
  } catch (error) {
    if (error instanceof BtError && error.kind === "missing") return [];
    throw error;
  }
}

type BugQuery = { readonly body: JsonObject; readonly moment: string };

/** Newest bugs with the same summary, oldest first. */
async function findSimilarBugs(
  { body, moment }: BugQuery,
  context: Pick<VerifyContext, "ask" | "me">,
): Promise<readonly Bug[]> {
  const named = (["product", "component"] as const).filter((name) => typeof body[name] === "string");
  const query = [
    ["f1", "short_desc"],
    ["o1", "equals"],
    ["v1", storedSummary(String(body["summary"]))],
    ...named.map((name) => [name, String(body[name])] as const),
    ...(context.me === undefined ? [] : [["creator", context.me] as const]),
    ["creation_time", moment],
    ["order", "bug_id DESC"],
    ["limit", String(MAX_CANDIDATES)],
    ["include_fields", FIELDS.join(",")],
  ] as const;
  return readBugs(await context.ask(requestFor(SEARCH_BUGS, query))).toSorted(
    (one, other) => (one.id ?? 0) - (other.id ?? 0),
  );
}

const MAX_CANDIDATES = 50;

/** Exact comparison of a search result; trackers match users and summaries loosely. */
function isSameBug({ id, summary, creator }: Bug, body: JsonObject, context: VerifyContext): boolean {
  const isNamedSo = storedSummary(summary ?? "") === storedSummary(String(body["summary"]));
  return typeof id === "number" && isNamedSo && isRequester(context, creator ?? "") !== false;
}

/**
 * Ids of the bugs created by other confirmed writes. Other kinds of writes also return ids, those of comments for one.
 */
function confirmedIds(sent: SentWrite, { confirmed }: VerifyContext): ReadonlySet<unknown> {
  const filed = confirmed().filter(({ request }) => request.operation === sent.request.operation);
  return new Set(filed.flatMap(({ answer }) => (isObject(answer) ? [answer["id"]] : [])));
}

async function hasDescription({ id }: Bug, body: JsonObject, { ask }: VerifyContext): Promise<boolean> {
  const answer = await ask(requestFor(GET_COMMENTS, { id_or_alias: id ?? 0 }));
  const [description] = readBugComments(answer).get(String(id)) ?? [];
  const text = description?.text;
  return isStoredAs(String(body["description"] ?? body["comment"] ?? ""), String(text ?? ""));
}
