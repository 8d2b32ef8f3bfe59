import type { Json, Request } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import { firstNames } from "../lists.ts";
import { requestFor } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { requestBody, writeTargets } from "../write/changes.ts";
import {
  createdIds,
  type Found,
  findAttachment,
  findAttachmentUpdate,
  findBug,
  findBugUpdate,
  findComment,
  findGroups,
  findTags,
  type Search,
} from "./find-stored.ts";
import type { Write } from "./outcome.ts";

type WriteRow = {
  readonly noun: string;
  readonly list?: "bugs" | "attachments" | "groups"; // with the changes of each object, in a response; absent: ids
  readonly find: (search: Search) => Promise<Found>;
};

const ROWS: Readonly<Record<string, WriteRow>> = {
  "Create Bug": { noun: "new bug", find: findBug },
  "Create Comments": { noun: "comment on bug", find: findComment },
  "Create Attachment": { noun: "attachment on bug", find: findAttachment },
  "Create Group": { noun: "new group", find: findGroups },
  "Update Bug": { noun: "update of bug", list: "bugs", find: findBugUpdate },
  "Update Attachment": { noun: "update of attachment", list: "attachments", find: findAttachmentUpdate },
  "Update Group": { noun: "update of group", list: "groups", find: findGroups },
  "Update Comment Tags": { noun: "tags of comment", find: findTags },
};

/** The row of a write; undefined for other requests of `bt api`, which are not looked for. */
export function writeRow({ operation }: Request): WriteRow | undefined {
  return ROWS[operation ?? ""];
}

/** True for a response about each object of a write; a name in its path may be that of any object. */
export function isResponseTo(request: Request, response: Json): boolean {
  const row = writeRow(request);
  const targets = writeTargets(request);
  if (row === undefined) return true;
  if (row.find === findTags) return Array.isArray(response);
  if (row.list === undefined) return createdIds(response).length === targets.length;
  const items = objectsIn(Object(response)[row.list]);
  const ids = items.filter(({ changes }) => changes !== undefined).map(({ id }) => Number(id));
  return targets.every((target) => (Number.isNaN(Number(target)) ? ids.length > 0 : ids.includes(Number(target))));
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

export function addsEachTime(request: Request): boolean {
  const { comment, work_time } = requestBody(request);
  return !request.operation?.startsWith("Update") || comment !== undefined || work_time !== undefined;
}
