import type { Json, Request } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { firstNames } from "../lists.ts";
import { requestFor } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { requestBody, writeTargets } from "../write/write-state.ts";
import {
  findAttachment,
  findAttachmentUpdate,
  findBug,
  findBugUpdate,
  findComment,
  findGroups,
  findTags,
} from "./find-stored.ts";
import type { Write } from "./outcome.ts";
import { createdIds, type Found, type Search } from "./stored.ts";

/** How a kind of write is looked for. */
export type WriteRow = {
  readonly noun: string;
  readonly isResponse: (response: Json, request: Request) => boolean;
  readonly find: (search: Search) => Promise<Found | undefined>;
};

const ROWS: Readonly<Record<string, WriteRow>> = {
  "Create Bug": { noun: "new bug", isResponse: hasId, find: findBug },
  "Create Comments": { noun: "comment on bug", isResponse: hasId, find: findComment },
  "Create Attachment": { noun: "attachment on bug", isResponse: hasIds, find: findAttachment },
  "Create Group": { noun: "new group", isResponse: hasId, find: findGroups },
  "Update Bug": { noun: "update of bug", isResponse: hasAll("bugs"), find: findBugUpdate },
  "Update Attachment": { noun: "update of attachment", isResponse: hasAll("attachments"), find: findAttachmentUpdate },
  "Update Group": { noun: "update of group", isResponse: hasAll("groups"), find: findGroups },
  "Update Comment Tags": { noun: "tags of comment", isResponse: Array.isArray, find: findTags },
};

/** The row of a write; undefined for other requests of `bt api`, which are not looked for. */
export function writeRow({ operation }: Request): WriteRow | undefined {
  return ROWS[operation ?? ""];
}

export function isResponseTo(request: Request, response: Json): boolean {
  return writeRow(request)?.isResponse(response, request) ?? true;
}

/** The write in a sentence: `the comment on bug 7`. */
export function describeWrite(request: Request): string {
  const { noun } = writeRow(request) ?? {};
  if (noun === undefined) return `${request.method} ${request.path}`;
  const targets = writeTargets(request);
  return `the ${noun}${targets.length > 1 ? "s" : ""} ${firstNames(targets)}`.trimEnd();
}

/** An update of several bugs as one of each; none for any other write. */
export function splitWrite({ request, before }: Write): Write[] {
  const targets = writeTargets(request);
  if (request.operation !== "Update Bug" || targets.length < 2) return [];
  const { ids: _, ...body } = requestBody(request);
  return targets.map((target) => ({
    request: requestFor(UPDATE_BUG, { ids: [Number(target)], ...body }),
    before: before?.filter(({ id }) => String(id) === target),
  }));
}

/** True if a write may add something each time it is sent. */
export function addsEachTime(request: Request): boolean {
  const { comment, work_time } = requestBody(request);
  return !request.operation?.startsWith("Update") || comment !== undefined || work_time !== undefined;
}

function hasId(response: Json): boolean {
  return isObject(response) && Number.isSafeInteger(response["id"]) && Number(response["id"]) > 0;
}

function hasIds(response: Json, request: Request): boolean {
  return createdIds(response).length === writeTargets(request).length;
}

/** True for a response with the changes of each target; a name in the path matches any item. */
function hasAll(list: "bugs" | "attachments" | "groups"): WriteRow["isResponse"] {
  return (response, request) => {
    const items = itemsIn(Object(response)[list]).filter(isObject);
    const reported = items.filter(({ changes }) => changes !== undefined).map(({ id }) => Number(id));
    return writeTargets(request).every(
      (target) => reported.includes(Number(target)) || (Number.isNaN(Number(target)) && reported.length > 0),
    );
  };
}
