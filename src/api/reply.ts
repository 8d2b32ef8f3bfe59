import { BtError, type ErrorFacts } from "../errors.ts";
import type { Json, JsonObject, Reply, Request } from "../wire/exchange.ts";
import { duration, retryAfterMs } from "../wire/retry-after.ts";
import { INTERNAL, type Meaning, meaningOf } from "./failure.ts";
import { meaningOfStatus } from "./http-status.ts";
import { parseJson } from "./json.ts";
import { cleanLine, isWebPage, pageTitle } from "./web-page.ts";

/**
 * The JSON of a successful reply. Everything else throws a BtError of its kind: an error body whatever its status, a web
 * page, an empty body, what is not JSON. After a write that may have been done all the same, the kind is `unknown`.
 */
export function readReply(reply: Reply, request: Request): Json {
  if (reply.status === 304) return null;
  const parsed = parseJson(withoutCallback(reply.body));
  if ("json" in parsed && isFailure(parsed.json)) throw refusal(parsed.json, reply, request);
  if (reply.status >= 300 || reply.status < 200) throw byStatus(reply, request);
  if ("problem" in parsed) throw notData(reply, request, parsed.problem);
  if (typeof parsed.json !== "object" || parsed.json === null)
    throw unexpected(request, "holds neither an object nor a list");
  return parsed.json;
}

/** A reader of replies: `readReply`, or one that knows more of the circumstances of an error. */
export type Read = (reply: Reply, request: Request) => Promise<Json>;

/** The error for an answer that is not of this interface; `what` goes on from "the answer of the tracker". */
export function unexpected(request: Request, what: string): BtError {
  return problem({ kind: "reply", hint: CHECK_ADDRESS }, `the answer of the tracker ${what}`, {
    request,
    unclear: true,
  });
}

const CHECK_ADDRESS = "is this the address of a Bugzilla? bt config get base_url";

/** JSONP, which servers answer when a `callback` is asked for, without the function around it. */
function withoutCallback(body: string): string {
  return /^\/\*\*\/[\w.$[\]]+\(/.test(body) ? body.replace(/^[^(]*\(/, "").replace(/\)\s*$/, "") : body;
}

function isFailure(json: Json): json is JsonObject {
  const { error, code, message } = Object(json) as JsonObject;
  return Boolean(error) && (code !== undefined || message !== undefined);
}

/** An error body: the tracker's own words, of which only the first line is meant for people. */
function refusal(failure: JsonObject, reply: Reply, request: Request): BtError {
  const code = Number(failure["code"] ?? 0);
  const message = typeof failure["message"] === "string" ? failure["message"] : "";
  const line =
    cleanLine(message.trim().split("\n", 1)[0] ?? "", LONGEST_MESSAGE) ||
    "the tracker reports an error without a message";
  const internal = code === INTERNAL;
  return problem(
    meaningOf(code, message, { request, status: reply.status }),
    internal ? `the tracker failed inside: ${line}` : line,
    {
      request,
      unclear: internal && !ROLLED_BACK.test(message),
      facts: { bugzillaCode: code, httpStatus: reply.status, cause: message },
    },
  );
}

const LONGEST_MESSAGE = 500;
const ROLLED_BACK = /deadlock found|lock wait timeout/i; // safe to repeat

/** An answer whose status alone tells that it is none. */
function byStatus(reply: Reply, request: Request): BtError {
  const { status } = reply;
  const { kind, hint, say } = meaningOfStatus(status);
  const told = isWebPage(reply) ? pageTitle(reply) : cleanLine(reply.body, 200);
  const wait = retryAfterMs(reply.headers);
  const sentence = `${say} (${status}${told ? `: ${told}` : ""})${wait ? `; it asks to wait ${duration(wait)}` : ""}`;
  const refused = wait !== undefined || /\bis down\b/i.test(told ?? ""); // an overload or a shutdown, before any work
  return problem({ kind, hint }, sentence, {
    request,
    unclear: status >= 500 && !refused,
    facts: { httpStatus: status },
  });
}

/** An answer with a good status that holds no data. */
function notData(reply: Reply, request: Request, why: string): BtError {
  if (reply.body.trim() === "") return unexpected(request, "is empty");
  if (!isWebPage(reply)) return unexpected(request, why);
  const title = pageTitle(reply);
  return unexpected(
    request,
    `is a web page${title ? ` with the title "${title}"` : ""}: a login portal, or a wrong address`,
  );
}

type Circumstances = {
  readonly request: Request;
  readonly unclear: boolean; // a write may have been done all the same
  readonly facts?: ErrorFacts;
};

function problem({ kind, hint }: Meaning, sentence: string, { request, unclear, facts }: Circumstances): BtError {
  const unknown = unclear && request.method !== "GET" && request.method !== "HEAD";
  return new BtError(unknown ? "unknown" : kind, sentence, {
    hint,
    asked: `${request.method} ${request.path}`,
    changed: unknown ? "unknown" : "nothing",
    ...facts,
  });
}
