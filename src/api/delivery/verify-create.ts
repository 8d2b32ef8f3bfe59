import { BtError, isKind } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { ERROR_CODES } from "../../wire/error-codes.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { timestamp } from "../../wire/time.ts";
import { partition } from "../lists.ts";
import { BUG_HISTORY, GET_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { GET_COMMENTS } from "../operations/comments.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugComments, readBugs, readHistories } from "../response/response-objects.ts";
import { likeness } from "../write/likeness.ts";
import { requestBody } from "../write/update-request.ts";
import { storedSummary } from "./verify-comment.ts";
import {
  bestMatches,
  earliestSent,
  type FindMatchesBefore,
  isRequester,
  judgeMatches,
  MAX_CANDIDATES,
  notFoundVerification,
  type SentWrite,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/**
 * Verifies a new bug by its alias, which is unique, else by reporter, time and text; also one that was retitled since, by its
 * history. It was not filed if another bug has the alias.
 */
export const verifyBugCreate: VerifyWrite = async (sent, context) => {
  const candidates = await findCandidates(sent, context.send, context.me);
  const own = await findNewBugs(candidates, sent, context);
  const body = comparableTexts(requestBody(sent.request));
  const filed = await readTexts(await filterBySummary(body.summary, own, context), context);
  const claimed = confirmedIds(sent, context); // last, since others are confirmed meanwhile
  const isFree = ({ id }: Bug) => !claimed.has(id);
  const isAlike = ({ description }: BugTexts) => likeness(body.description, description) !== "other";
  const differences = (bug: BugTexts) => bugDifferences(body, bug);
  const found = bestMatches(filed.filter(isFree).filter(isAlike), differences);
  if (found.length > 0)
    return judgeMatches(found, sent, {
      toResponse: ({ id }) => ({ id }),
      describe: (bug) => `${bugName(bug)}, is ${differences(bug).length === 0 ? "identical" : "similar"}`,
      differences,
    });
  const [holder] = candidates;
  const alias = requestedAlias(sent);
  if (holder && alias !== undefined && context.me !== undefined)
    return { status: "refused", error: aliasTakenError(alias, holder) };
  return notFoundVerification(own.filter(isFree).slice(0, MAX_CANDIDATES).map(bugName));
};

/** Bugs of the requester that a write may have filed: candidates, and any others if there are none, or if the write has an alias. */
async function findNewBugs(candidates: readonly Bug[], sent: SentWrite, context: VerifyContext): Promise<Bug[]> {
  const isNew = ({ id, creator }: Bug) => isRequester(context, creator ?? "") !== false && !sent.alike?.includes(id);
  const found = candidates.filter(isNew);
  if (found.length > 0 && requestedAlias(sent) === undefined) return found;
  const known = new Set(found.map(({ id }) => id));
  const others = (await findOwnBugs(sent, context)).filter((bug) => isNew(bug) && !known.has(bug.id));
  return [...found, ...others];
}

function aliasTakenError(alias: string, { id }: Bug): BtError {
  const facts = { bugzillaCode: ERROR_CODES.alias_in_use, changed: "nothing" } as const;
  return new BtError("refused", `the bug was not created: bug ${id} has the alias ${alias}`, facts);
}

/** A bug with its description. */
type BugTexts = Bug & { description: string };

function comparableTexts({ summary, description, comment }: JsonObject) {
  return { summary: storedSummary(String(summary)), description: String(description ?? comment ?? "") };
}

/** Values of a bug that the tracker stored differently, as sentences. */
function bugDifferences(sent: ReturnType<typeof comparableTexts>, bug: BugTexts): string[] {
  const stored = comparableTexts(bug as JsonObject);
  const names = (["summary", "description"] as const).filter((name) => likeness(sent[name], stored[name]) !== "same");
  return names.map((name) => `${name} of bug ${bug.id} is stored as ${JSON.stringify(stored[name])}`);
}

function bugName({ id, creation_time, summary }: Bug): string {
  return `bug ${id} ${JSON.stringify(summary)}, filed ${creation_time}`;
}

/** The first bugs that the requester filed since a write was sent. */
async function findOwnBugs(sent: SentWrite, { me, send }: VerifyContext): Promise<Bug[]> {
  if (me === undefined) return [];
  const request = requestFor(SEARCH_BUGS, {
    creator: me,
    creation_time: timestamp(earliestSent(sent)),
    limit: "0",
    include_fields: FIELDS.join(","),
  });
  return readBugs(await send(request))
    .filter(({ creation_time }) => Date.parse(String(creation_time)) >= earliestSent(sent))
    .toSorted((one, other) => one.id - other.id)
    .slice(0, MAX_READ);
}

const MAX_READ = 25;

/** The bugs that have such a summary, or had it when they were filed. */
async function filterBySummary(summary: string, bugs: Bug[], { send }: VerifyContext): Promise<Bug[]> {
  const isLike = (title: string | null | undefined) => likeness(summary, storedSummary(title ?? "")) !== "other";
  const [named, others] = partition(bugs, (bug) => isLike(bug.summary));
  if (others.length === 0) return named;
  const histories = readHistories(await send(requestFor(BUG_HISTORY, { ids: others.map(({ id }) => id) })));
  const retitled = others.filter(({ id }) => {
    const entries = histories.find((one) => Number(one.id) === id)?.history ?? [];
    const titles = entries.flatMap(({ changes }) => changes).filter(({ field_name }) => field_name === "summary");
    return titles[0] && isLike(titles[0].removed);
  });
  return [...named, ...retitled];
}

async function readTexts(bugs: Bug[], { send }: VerifyContext): Promise<BugTexts[]> {
  const found: BugTexts[] = [];
  for (const bug of bugs) {
    const response = await send(requestFor(GET_COMMENTS, { id_or_alias: bug.id }));
    const [first] = readBugComments(response).get(String(bug.id)) ?? [];
    found.push({ ...bug, description: String(first?.text ?? "") });
  }
  return found;
}

/** Ids of a bug with the alias of a new one, or of recent bugs with its summary. */
export const matchingBugsBefore: FindMatchesBefore = async (sent, send) => {
  const bugs = await findCandidates(sent, send);
  return bugs.map(({ id }) => id);
};

/** The bug with the alias of the new one if it has one, else recent bugs with its summary. */
function findCandidates(sent: SentWrite, send: SendRequest, creator?: string): Promise<readonly Bug[]> {
  const alias = requestedAlias(sent);
  const body = requestBody(sent.request);
  return alias !== undefined ? findBugByAlias(alias, send) : findSimilarBugs(body, sent.since, send, creator);
}

function requestedAlias({ request }: SentWrite): string | undefined {
  const [alias] = [requestBody(request)["alias"] ?? []].flat();
  return typeof alias === "string" ? alias : undefined;
}

const FIELDS = ["id", "summary", "creator", "creation_time"];

async function findBugByAlias(alias: string, send: SendRequest): Promise<Bug[]> {
  try {
    return readBugs(await send(requestFor(GET_BUG, { ids: [alias], include_fields: FIELDS.join(",") })));
  } catch (error) {
    if (isKind(error, "missing")) return [];
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
  return found.filter((bug) => likeness(summary, storedSummary(bug.summary ?? "")) !== "other");
}

/** Ids of the bugs created by other confirmed writes; other kinds of writes return ids, too, such as of comments. */
function confirmedIds(sent: SentWrite, { confirmed }: VerifyContext): ReadonlySet<unknown> {
  const filed = confirmed().filter(({ request }) => request.operation === sent.request.operation);
  return new Set(
    filed
      .map(({ response }) => response)
      .filter(isObject)
      .map((response) => response["id"]),
  );
}
