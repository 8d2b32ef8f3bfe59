import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { getBugsRequest } from "../bug-numbers.ts";
import { getRequest, pathSegment } from "../operations/operation.ts";
import { isObject, readBugComments, readBugs } from "../response/response-objects.ts";
import { isStoredAs, storedSummary } from "./verify-comment.ts";
import {
  dayBeforeWrite,
  earliestWrite,
  type FindMatchesBefore,
  isOlderThanWrite,
  isRequester,
  ownMatches,
  requestBody,
  type SentWrite,
  since,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/** Looks for a bug that was filed: by its alias, which no other bug has, else by who filed it, when, and with what text. */
export const verifyBugCreate: VerifyWrite = async (sent, eyes) => {
  const body = requestBody(sent.request);
  const [alias] = [body["alias"] ?? []].flat();
  const rivals = eyes.rivals().filter((rival) => filesTheSame(rival, sent));
  const moment = since({ ...sent, at: earliestWrite(sent, rivals).at });
  const candidates = typeof alias === "string" ? await bugByAlias(alias, eyes) : await bugsLike({ body, moment }, eyes);
  const claimed = claimedBy(sent, eyes);
  const known = new Set<unknown>([...claimed, ...(sent.alike ?? [])]);
  const mine = candidates.filter((bug) => isTheSame(bug, body, eyes) && !known.has(bug.id));
  const found: Bug[] = [];
  for (const bug of mine) if (await isDescribedSo(bug, body, eyes)) found.push(bug);
  return judgeBugs(ownMatches(found, rivals), sent);
};

/** The bugs of the day before that are named the same; where the tracker tells its time, that tells old from new. */
export const matchingBugsBefore: FindMatchesBefore = async (sent, ask) => {
  if (sent.clock === "database") return undefined;
  const bugs = await bugsLike(
    { body: requestBody(sent.request), moment: dayBeforeWrite(sent) },
    { ask, me: undefined },
  );
  return bugs.flatMap(({ id }) => id ?? []);
};

function filesTheSame(rival: SentWrite, sent: SentWrite): boolean {
  const [theirs, ours] = [requestBody(rival.request), requestBody(sent.request)];
  const isSame = ["product", "component", "summary", "description"].every((name) => theirs[name] === ours[name]);
  return isSame && rival.request.method === "POST" && rival.request.path === sent.request.path;
}

const FIELDS = ["id", "summary", "creator", "creation_time"];

async function bugByAlias(alias: string, { ask }: VerifyContext): Promise<readonly Bug[]> {
  try {
    return readBugs(await ask(getBugsRequest([alias], FIELDS)));
  } catch (error) {
    if (error instanceof BtError && error.kind === "missing") return [];
    throw error;
  }
}

type Wanted = { readonly body: JsonObject; readonly moment: string };

/** The newest that are named so, oldest first. */
async function bugsLike({ body, moment }: Wanted, eyes: Pick<VerifyContext, "ask" | "me">): Promise<readonly Bug[]> {
  const named = (["product", "component"] as const).filter((name) => typeof body[name] === "string");
  const query = [
    ["f1", "short_desc"],
    ["o1", "equals"],
    ["v1", storedSummary(String(body["summary"]))],
    ...named.map((name) => [name, String(body[name])] as const),
    ...(eyes.me === undefined ? [] : [["creator", eyes.me] as const]),
    ["creation_time", moment],
    ["order", "bug_id DESC"],
    ["limit", String(MAX_CANDIDATES)],
    ["include_fields", FIELDS.join(",")],
  ] as const;
  return readBugs(await eyes.ask(getRequest("/rest/bug", query))).toSorted(
    (one, other) => (one.id ?? 0) - (other.id ?? 0),
  );
}

const MAX_CANDIDATES = 50;

/** Trackers match people and summaries loosely, so that what they found is compared again. */
function isTheSame({ id, summary, creator }: Bug, body: JsonObject, eyes: VerifyContext): boolean {
  const isNamedSo = storedSummary(summary ?? "") === storedSummary(String(body["summary"]));
  return typeof id === "number" && isNamedSo && isRequester(eyes, creator ?? "") !== false;
}

/** The bugs that other commands have filed. Other writes answer with numbers too, those of comments for one. */
function claimedBy({ request: { path } }: SentWrite, { settled }: VerifyContext): ReadonlySet<unknown> {
  const filed = settled().filter(({ request }) => request.method === "POST" && request.path === path);
  return new Set(filed.flatMap(({ answer }) => (isObject(answer) ? [answer["id"]] : [])));
}

async function isDescribedSo({ id }: Bug, body: JsonObject, { ask }: VerifyContext): Promise<boolean> {
  const answer = await ask(getRequest(`/rest/bug/${pathSegment(id ?? 0)}/comment`));
  const [description] = readBugComments(answer).get(String(id)) ?? [];
  const text = description?.text;
  return isStoredAs(String(body["description"] ?? body["comment"] ?? ""), String(text ?? ""));
}

/** What is older than the write proves neither that it was made nor that it was not. */
function judgeBugs(found: readonly Bug[], sent: SentWrite): Verification {
  const since = found.filter(({ creation_time }) => !isOlderThanWrite(sent, creation_time));
  const [only, ...more] = since.length > 0 ? since : found;
  if (!only) return { sight: "absent" };
  if (more.length === 0 && since.length > 0) return { sight: "present", answer: { id: only.id ?? 0 } };
  return {
    sight: "contradiction",
    details: [only, ...more].map(
      ({ id, creation_time }) => `bug ${id}, filed ${creation_time}, is the same in every word`,
    ),
  };
}
