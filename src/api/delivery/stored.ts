import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import type { SendRequest } from "../operations/operation.ts";
import { readChangedItems } from "../response/response-objects.ts";
import { requestBody, writeTargets } from "../write/write-state.ts";
import type { KnownWrite } from "./outcome.ts";

/** An object that a write may have made; `isEqual`: as the tracker stores what was sent. */
export type Candidate = {
  readonly names: readonly string[]; // by which other writes have it as their result, see `resultsOf`; the first for users
  readonly who: string;
  readonly when: string;
  readonly isEqual: boolean;
  readonly response: Json; // of the write that made it
};

/** Candidates, exactly one of which must be made by the write; or the response, if values decide. */
export type Found = { readonly candidates: readonly Candidate[] } | { readonly response: Json };

/** What a row needs to look for a write. */
export type Search = {
  readonly request: Request;
  readonly before: readonly JsonObject[]; // its objects; empty if they were not read
  readonly read: SendRequest;
  readonly me: string | undefined;
  readonly since: string | undefined; // a little before the write left; undefined: unknown
  readonly isOurs: (who: string, when: string) => boolean; // by this user since the write left
  readonly isKnown: (name: string) => boolean; // the result of another write, see `resultsOf`
};

/** Equal for two writes that may have made the same stored object. */
export function traceOf(request: Request): string {
  const { work_time, ids: _, ...values } = requestBody(request);
  const text = request.operation === "Create Attachment" ? undefined : textSent(request);
  const kind = text === undefined ? request.operation : "comment";
  return JSON.stringify([kind, writeTargets(request), text ?? work_time ?? values]);
}

/** Names of the objects that a write is known to have made. */
export function resultsOf({ request, st, response = null }: KnownWrite): string[] {
  if (st !== "applied") return [];
  switch (request.operation) {
    case "Create Bug":
      return [`bug ${Object(response).id}`];
    case "Create Comments":
      return [`comment ${Object(response).id}`, hoursName(writeTargets(request)[0], requestBody(request)["work_time"])];
    case "Create Attachment":
      return createdIds(response).map((id) => `attachment ${id}`);
    case "Update Bug":
      return readChangedItems<ChangedBug>(response, "bugs").flatMap(({ id, last_change_time: when }) => [
        changeName(id, when),
        commentName(id, when, textSent(request) ?? ""),
      ]);
    default:
      return [];
  }
}

/** Name of the changes of an update, which all have the time that Bugzilla reports. */
export function changeName(bug: number | string, when: string): string {
  return `change of bug ${bug} at ${Date.parse(when)}`;
}

export function commentName(bug: number, when: string, text: string): string {
  return `comment on bug ${bug} at ${Date.parse(when)}: ${text}`;
}

/** Name of the hours of a comment; its response has no time. */
export function hoursName(bug: string | undefined, hours: Json | undefined): string {
  return `${Number(hours ?? 0)} hours on bug ${bug}`;
}

/** The comment of a write as it is stored; undefined without one, or if it is blank. */
export function textSent(request: Request): string | undefined {
  const { comment } = requestBody(request);
  const text = isObject(comment) ? (comment["body"] ?? comment["comment"]) : comment;
  return typeof text === "string" && text.trim() !== "" ? storedComment(text) : undefined;
}

/** A comment as trackers store it. @see Bugzilla/Comment.pm, `_check_thetext` */
export function storedComment(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").trimEnd();
}

/** Ids of new objects in a response: its `id`, its `ids`, or the names in `attachments`. */
export function createdIds(response: Json): number[] {
  const { id, ids = id, attachments } = Object(response) as JsonObject;
  const found = ids === undefined ? Object.keys(Object(attachments)).map(Number) : [ids].flat();
  return found.map(Number).filter((one) => Number.isSafeInteger(one) && one > 0);
}
