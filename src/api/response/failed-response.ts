import { BtError, type ErrorFacts } from "../../errors.ts";
import { ERROR_CODES, errorCodes } from "../../wire/error-codes.ts";
import {
  isRead,
  type Json,
  type JsonObject,
  type Request,
  type Response,
  retryAfterMs,
  waitText,
} from "../../wire/exchange.ts";
import { type ErrorMeaning, errorMeaning, factsInMessage, statusMeaning } from "./response-errors.ts";

/** Error for a response that is not of this interface; `what` completes "the tracker's response …". */
export function invalidResponseError(request: Request, what: string): BtError {
  return errorOfMeaning({ kind: "reply", hint: CHECK_ADDRESS }, `the tracker's response ${what}`, {
    request,
    unclear: true,
  });
}

const CHECK_ADDRESS = "is this the address of a Bugzilla tracker? bt config get base_url";

/** True if an error body has Bugzilla's form. */
export function isBugzillaError(body: JsonObject, response: Response): boolean {
  return body["error"] === true && codeIn(body, response) !== undefined;
}

/** The sentence of an error body that is not of this interface; undefined if it has none. */
function foreignMessage(body: Json): string | undefined {
  const { message, error, title, detail } = Object(body) as JsonObject;
  return [message, error, detail, title].find((one) => typeof one === "string");
}

/** Error code that only trackers send. Gateways send none, a word, or the status again. */
function codeIn({ code }: JsonObject, { status }: Response): number | undefined {
  const isNumber = typeof code === "number" || (typeof code === "string" && /^-?\d+$/.test(code));
  return isNumber && Number(code) !== status ? Number(code) : undefined;
}

/** Error of Bugzilla's error body; only the first line of its message is for users. */
export function bugzillaError(body: JsonObject, response: Response, request: Request): BtError {
  const code = codeIn(body, response);
  const message = typeof body["message"] === "string" ? body["message"] : "";
  const line =
    cleanLine(message.trim().split("\n", 1)[0] ?? "", MAX_MESSAGE_LENGTH) ||
    "the tracker returned an error without a message";
  const internal = code === ERROR_CODES.internal;
  const meaning = errorMeaning(code ?? 0, message, { request, status: response.status });
  return errorOfMeaning(meaning, meaning.sentence ?? (internal ? `internal error of the tracker: ${line}` : line), {
    request,
    unclear: code === undefined || MAYBE_STORED.has(code) || response.status >= 500,
    facts: {
      bugzillaCode: code,
      httpStatus: response.status,
      cause: message,
      ...factsInMessage(code, message),
    },
  });
}

/**
 * Errors that may come after a write was stored: from the mail, which goes out after the commit, or from a late deadlock.
 * @see Bugzilla/BugMail.pm and Bugzilla/Mailer.pm of Bugzilla
 */
const MAYBE_STORED = errorCodes("internal", "other_fatal");

const MAX_MESSAGE_LENGTH = 500;

/**
 * Error of a response classified by its status, with the words of its body, which may be JSON; `isOwn` if the tracker itself
 * sends errors of this form.
 */
export function statusError(response: Response, request: Request, { json, isOwn }: ForeignError): BtError {
  const { status } = response;
  const isPage = isWebPage(response);
  const { kind, hint, reason } = statusMeaning(status, request, isPage);
  const detail = isPage ? pageTitle(response) : cleanLine(String((json && foreignMessage(json)) ?? response.body), 200);
  const wait = retryAfterMs(response.headers);
  const sentence = `${reason} (${status}${detail ? `: ${detail}` : ""})${wait ? `; retry after ${waitText(wait)}` : ""}`;
  return errorOfMeaning({ kind, hint }, sentence, {
    request,
    unclear: !isOwn && mayHaveActed(response),
    facts: { httpStatus: status },
  });
}

type ForeignError = { json?: Json | undefined; isOwn?: boolean };

/**
 * True if a write may have been applied despite an error that is not the tracker's: gateways replace responses by their own,
 * whatever the status. A limit on the rate or the size of requests is checked before they are passed on.
 */
function mayHaveActed({ status }: Response): boolean {
  return ![BODY_TOO_LARGE, URL_TOO_LONG, TOO_MANY_REQUESTS].includes(status);
}

const BODY_TOO_LARGE = 413;
const URL_TOO_LONG = 414;
const TOO_MANY_REQUESTS = 429;

/** Error of a response with a success status but no data. */
export function noDataError(response: Response, request: Request, why: string): BtError {
  if (response.body.trim() === "") return invalidResponseError(request, "is empty");
  if (!isWebPage(response)) return invalidResponseError(request, why);
  const title = pageTitle(response);
  return invalidResponseError(
    request,
    `is a web page${title ? ` with the title "${title}"` : ""}: a login portal, or a wrong address`,
  );
}

type Circumstances = {
  request: Request;
  unclear: boolean; // a write may have been applied
  facts?: ErrorFacts;
};

function errorOfMeaning(
  { kind, hint }: ErrorMeaning,
  sentence: string,
  { request, unclear, facts }: Circumstances,
): BtError {
  const unknown = unclear && !isRead(request);
  return new BtError(unknown ? "unknown" : kind, sentence, {
    hint: unknown ? undefined : hint, // an unknown write must not be repeated
    request: `${request.method} ${request.path}`,
    changed: unknown ? "unknown" : "nothing",
    ...facts,
  });
}

/** True if a response is an HTML page instead of data. */
function isWebPage({ headers, body }: Response): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") ||
    /^\s*<(?:!doctype|html|head|title|\?xml)\b/i.test(body.slice(0, 200))
  );
}

/** Title or first heading of an HTML page, as one clean line. */
function pageTitle({ body }: Response): string | undefined {
  const [, , title = ""] = /<(title|h1)\b[^>]*>(.{0,400}?)<\/\1/is.exec(body.slice(0, 20_000)) ?? [];
  return cleanLine(title.replace(/<[^>]*>/g, ""), 80) || undefined;
}

/** Start of a text as one line, without control characters and markup. */
function cleanLine(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\p{Cc}\[[\d;]*[a-z]/giu, "") // ANSI sequences
    .replace(/(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}]|\ufeff/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}
