import { BtError, type ErrorFacts } from "../../errors.ts";
import {
  isRead,
  type Json,
  type JsonObject,
  type Reply,
  type Request,
  retryAfterMs,
  waitText,
} from "../../wire/exchange.ts";
import { type ErrorMeaning, errorMeaning, INTERNAL_ERROR_CODE, statusMeaning } from "./response-errors.ts";
import { parseJson } from "./response-json.ts";

/**
 * The JSON of a successful reply. Everything else throws a BtError of its kind: an error body whatever its status, a web
 * page, an empty body, what is not JSON. After a write that may have been done all the same, the kind is `unknown`.
 */
export function readResponse(reply: Reply, request: Request): Json {
  if (reply.status === 304 && isRead(request)) return null;
  const parsed = parseJson(withoutCallback(reply.body));
  if ("json" in parsed && isFailure(parsed.json)) throw failure(parsed.json, reply, request);
  if (!isGood(reply)) throw byStatus(reply, request);
  if (request.method === "HEAD") return null;
  if ("problem" in parsed) throw notData(reply, request, parsed.problem);
  if (typeof parsed.json !== "object" || parsed.json === null)
    throw invalidResponse(request, "holds neither an object nor a list");
  return parsed.json;
}

/** A reader of replies: `readReply`, or one that knows more of the circumstances of an error. */
export type ResponseReader = (reply: Reply, request: Request) => Promise<Json>;

/** The error for an answer that is not of this interface; `what` goes on from "the answer of the tracker". */
export function invalidResponse(request: Request, what: string): BtError {
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

/** An error body is the tracker's, or else that of a gateway, of which the status tells more. */
function failure(body: JsonObject, reply: Reply, request: Request): BtError {
  const isOwn = isGood(reply) || codeIn(body, reply) !== undefined;
  const words = [body["message"], body["error"]].find((one) => typeof one === "string");
  return isOwn ? refusal(body, reply, request) : byStatus(reply, request, words);
}

/** The code that only trackers give. Gateways write errors too, with none, with a word, or with the status again. */
function codeIn({ code }: JsonObject, { status }: Reply): number | undefined {
  const isNumber = typeof code === "number" || (typeof code === "string" && /^-?\d+$/.test(code));
  return isNumber && Number(code) !== status ? Number(code) : undefined;
}

function isGood({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

/** An error body: the tracker's own words, of which only the first line is meant for people. */
function refusal(body: JsonObject, reply: Reply, request: Request): BtError {
  const code = codeIn(body, reply);
  const message = typeof body["message"] === "string" ? body["message"] : "";
  const line =
    cleanLine(completed(message.trim().split("\n", 1)[0] ?? "", request), MAX_MESSAGE_LENGTH) ||
    "the tracker reports an error without a message";
  const internal = code === INTERNAL_ERROR_CODE;
  const isRolledBack = internal && isDeadlock(message);
  return problem(
    errorMeaning(code ?? 0, message, { request, status: reply.status }),
    internal ? `the tracker failed inside: ${line}` : line,
    {
      request,
      unclear: code === undefined || (internal && !isRolledBack),
      facts: {
        bugzillaCode: code,
        httpStatus: reply.status,
        cause: message,
        ...(isRolledBack ? { isRolledBack } : {}),
      },
    },
  );
}

/**
 * A refusal in which the server names what must not be added or changed. For groups it has no word and leaves a gap:
 * "not authorized to add new .".
 * @see template/en/default/global/user-error.html.tmpl of Bugzilla, auth_failure
 */
function completed(sentence: string, { operation }: Request): string {
  const isAboutGroups = operation === "Create Group" || operation === "Update Group";
  return isAboutGroups ? sentence.replace(/(not authorized to .*) \.$/, "$1 groups.") : sentence;
}

const MAX_MESSAGE_LENGTH = 500;

/**
 * Whether the message of an internal error reports a deadlock that rolled back the transaction of the request. The text is that
 * of MySQL, MariaDB or PostgreSQL, passed on by DBI. Mail is handled after the commit: a deadlock there rolls back nothing.
 * @see Bugzilla/DB.pm, Bugzilla/BugMail.pm and Bugzilla/Mailer.pm of Bugzilla
 */
function isDeadlock(message: string): boolean {
  return DEADLOCK.test(message) && !AFTER_COMMIT.test(message);
}

const DEADLOCK = /^(?:DBD::\S+ \w+ failed: )?(?:ERROR:\s*)?deadlock (?:found|detected)/i;
const AFTER_COMMIT = /\[for Statement "\w+ (?:bugs SET lastdiffed|\w+ (?:mail_staging|ts_\w+))\b/i;

/** An answer whose status tells what it is, with the words that came along. */
function byStatus(reply: Reply, request: Request, words: Json | undefined = reply.body): BtError {
  const { status } = reply;
  const { kind, hint, say } = statusMeaning(status);
  const told = isWebPage(reply) ? pageTitle(reply) : cleanLine(String(words), 200);
  const wait = retryAfterMs(reply.headers);
  const sentence = `${say} (${status}${told ? `: ${told}` : ""})${wait ? `; it asks to wait ${waitText(wait)}` : ""}`;
  return problem({ kind, hint }, sentence, {
    request,
    unclear: mayHaveActed(reply, told ?? ""),
    facts: { httpStatus: status },
  });
}

/**
 * Whether a tracker may have done what it was asked to, as far as a status tells. What is wrong with the request stands in
 * the 400s, before any work; but 408 may come from a gateway that lost patience. Of the 500s only 503 in words of a shutdown
 * means that nothing was begun; a cache in front sends 503 with Retry-After also for a response that broke off behind it.
 */
function mayHaveActed(reply: Reply, told: string): boolean {
  const { status } = reply;
  if (status >= 400 && status < 500) return status === REQUEST_TIMEOUT;
  return status !== UNAVAILABLE || !/\bis down\b/i.test(told);
}

const REQUEST_TIMEOUT = 408;
const UNAVAILABLE = 503;

/** An answer with a good status that holds no data. */
function notData(reply: Reply, request: Request, why: string): BtError {
  if (reply.body.trim() === "") return invalidResponse(request, "is empty");
  if (!isWebPage(reply)) return invalidResponse(request, why);
  const title = pageTitle(reply);
  return invalidResponse(
    request,
    `is a web page${title ? ` with the title "${title}"` : ""}: a login portal, or a wrong address`,
  );
}

type Circumstances = {
  readonly request: Request;
  readonly unclear: boolean; // a write may have been done all the same
  readonly facts?: ErrorFacts;
};

function problem({ kind, hint }: ErrorMeaning, sentence: string, { request, unclear, facts }: Circumstances): BtError {
  const unknown = unclear && !isRead(request);
  return new BtError(unknown ? "unknown" : kind, sentence, {
    hint: unknown ? undefined : hint, // what was done must not be tried again
    asked: `${request.method} ${request.path}`,
    changed: unknown ? "unknown" : "nothing",
    ...facts,
  });
}

/** Whether a reply is a web page instead of data. */
function isWebPage({ headers, body }: Reply): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") ||
    /^\s*<(?:!doctype|html|head|title|\?xml)\b/i.test(body.slice(0, 200))
  );
}

/** The title of a web page, or its first heading: one clean line, short enough for a message. */
function pageTitle({ body }: Reply): string | undefined {
  const [, , title = ""] = /<(title|h1)\b[^>]*>(.{0,400}?)<\/\1/is.exec(body.slice(0, 20_000)) ?? [];
  const text = title.replace(/<[^>]*>/g, "").replace(/&(?:(\w+)|#(\d+));/g, entity);
  return cleanLine(text, 80) || undefined;
}

/** The beginning of a text as one line, without what does not show: nothing is to stand in parts that a terminal shows as one. */
function cleanLine(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\p{Cc}\[[\d;]*[a-z]/giu, "") // colours and the like
    .replace(/(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}]|\ufeff/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

function entity(whole: string, name: string | undefined, code: string | undefined): string {
  if (code !== undefined) return Number(code) < 0x110000 ? String.fromCodePoint(Number(code)) : whole;
  return ENTITIES.get(name ?? "") ?? whole;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
]);
