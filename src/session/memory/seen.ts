import type { FactStore } from "../../api/fact-store.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import { PERSON_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import type { Field } from "../../wire/resources.ts";

/** A bug that was shown; without a summary if it is, or may be, restricted to groups. */
export type SeenBug = {
  readonly id: number;
  readonly summary?: string;
  readonly comments: readonly SeenComment[];
  readonly attachments: readonly SeenAttachment[];
};

/** A comment by its number on the bug; who wrote it when, unless it is private. */
export type SeenComment = { readonly count: number; readonly creator?: string; readonly time?: string };

/** An attachment; without its name if it is private, or its bug may be restricted. */
export type SeenAttachment = { readonly id: number; readonly file_name?: string };

/** Bugs, logins, groups, flags and saved searches that a terminal showed to an account recently, newest first; for completion. */
export type Seen = {
  readonly bugs: readonly SeenBug[];
  readonly people: readonly string[];
  readonly groups: readonly string[];
  readonly searches: readonly string[]; // names of saved searches
  flags: string[]; // names of flag types
  values: ReadonlyMap<string, string[]>; // by field, of those whose values the tracker does not list
};

/** Name of the list in the cache of an account. */
export const SEEN = "seen";

const MAX_BUGS = 50;
const MAX_PARTS = 20; // comments, and attachments, of one bug
const MAX_NAMES = 200; // logins, and groups

/** The list of an account; empty if there is none. */
export async function readSeen(memory: FactStore): Promise<Seen> {
  const { bugs, people, groups, searches, flags, values } = (await memory.read(SEEN)) ?? {};
  return {
    bugs: objectsIn(bugs).flatMap(storedBug),
    people: textsIn(people),
    groups: textsIn(groups),
    searches: textsIn(searches),
    flags: textsIn(flags),
    values: new Map(Object.entries(asObject(values)).map(([name, texts]) => [name, textsIn(texts)])),
  };
}

/** Parts of a session whose responses are shown. */
type ShownSession = {
  send: SendRequest;
  facts: { memory: FactStore };
  metadata: { knownFields: () => Promise<readonly Field[]> };
};

/** A session that records the objects in its responses; `save` adds them to the list. */
export function recordSeenObjects<Shown extends ShownSession>(
  shown: Shown,
): { session: Shown; save: () => Promise<void> } {
  const { memory } = shown.facts;
  const found: FoundObjects[] = [];
  const send: SendRequest = async (request) => {
    const response = await shown.send(request);
    if (found.flatMap(({ bugs }) => bugs).length < MAX_BUGS) found.push(findObjects(response));
    return response;
  };
  const save = async () => {
    if (found.every(isEmpty)) return;
    const before = await readSeen(memory);
    const names = (kind: "people" | "groups" | "flags") => [
      ...new Set([...found, before].flatMap((objects) => objects[kind])),
    ];
    await memory.write(SEEN, {
      bugs: mergedBugs(
        found.flatMap(({ bugs }) => bugs),
        before.bugs,
      ),
      people: names("people").slice(0, MAX_NAMES),
      groups: names("groups").slice(0, MAX_NAMES),
      flags: names("flags").slice(0, MAX_NAMES),
      searches: found.find(({ searches }) => searches !== undefined)?.searches ?? before.searches,
      values: mergedValues(found, before, await shown.metadata.knownFields()),
    });
  };
  return { session: { ...shown, send }, save };
}

type FoundBug = SeenBug & { isRestricted: boolean };
type FoundObjects = Omit<Seen, "bugs" | "searches" | "values"> & {
  bugs: FoundBug[];
  values: JsonObject[]; // bugs as they came
  searches: string[] | undefined; // undefined: the response has no list of them
};

/** All objects in a response, by their kinds. */
function findObjects(response: Json): FoundObjects {
  const { bugs, users, groups, products, ...others } = asObject(response);
  const listed = objectsIn(bugs).slice(0, MAX_BUGS);
  const accounts = objectsIn(users);
  const memberships = accounts.flatMap((account) => objectsIn(account["groups"]));
  const searches = accounts.map(({ saved_searches }) => saved_searches).find(Array.isArray);
  return {
    bugs: [...listed.flatMap(listedBug), ...partsIn(asObject(response))],
    people: [...listed.flatMap(peopleIn), ...namesIn(accounts)],
    groups: [...listed.flatMap((bug) => textsIn(bug["groups"])), ...namesIn([...objectsIn(groups), ...memberships])],
    searches: searches && namesIn(objectsIn(searches)),
    flags: [...listed.flatMap(({ flags }) => namesIn(objectsIn(flags))), ...flagTypesIn(products, others)],
    values: listed,
  };
}

/** Flag types of components, and flag types that a response lists by their target. */
function flagTypesIn(products: Json | undefined, response: JsonObject): string[] {
  const components = objectsIn(products).flatMap((product) => objectsIn(product["components"]));
  const lists = [response, ...components.map(({ flag_types }) => asObject(flag_types))];
  return lists.flatMap(({ bug, attachment }) => namesIn([...objectsIn(bug), ...objectsIn(attachment)]));
}

function isEmpty({ bugs, people, groups, searches = [], flags }: FoundObjects): boolean {
  return [bugs, people, groups, searches, flags].every((list) => list.length === 0);
}

/** A bug of a list, with its summary if it is known to be public; none without an id. */
function listedBug({ id, summary, groups }: JsonObject): FoundBug[] {
  const isPublic = Array.isArray(groups) && groups.length === 0;
  const isRestricted = Array.isArray(groups) && groups.length > 0;
  if (typeof id !== "number") return [];
  const title = isPublic && typeof summary === "string" ? { summary } : {};
  return [{ id, isRestricted, ...title, comments: [], attachments: [] }];
}

function peopleIn(bug: JsonObject): string[] {
  return textsIn([...PERSON_FIELDS, "cc"].flatMap((name) => bug[name] ?? []));
}

function namesIn(things: JsonObject[]): string[] {
  return textsIn(things.map(({ name }) => name ?? ""));
}

/** Bugs of which a response has comments or attachments, listed below their bugs or by their ids. */
function partsIn({ bugs, comments, attachments }: JsonObject): FoundBug[] {
  const below = Object.entries(asObject(bugs)).map(([bug, parts]) =>
    bugWith(Number(bug), objectsIn(asObject(parts)["comments"]), objectsIn(parts)),
  );
  const byId = [
    ...Object.values(asObject(comments)).map((item) => bugWith(asObject(item)["bug_id"], [asObject(item)], [])),
    ...Object.values(asObject(attachments)).map((item) => bugWith(asObject(item)["bug_id"], [], [asObject(item)])),
  ];
  return [...below, ...byId].flat();
}

function bugWith(id: Json | undefined, comments: JsonObject[], attachments: JsonObject[]): FoundBug[] {
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return [];
  return [
    {
      id,
      isRestricted: false,
      comments: latestParts(comments.flatMap(commentIn), ({ count }) => count),
      attachments: latestParts(attachments.flatMap(attachmentIn), (attachment) => attachment.id),
    },
  ];
}

/** A comment with its number; none for a comment without one. */
function commentIn({ count, creator, time, is_private }: JsonObject): SeenComment[] {
  if (typeof count !== "number") return [];
  const isDescribed = typeof creator === "string" && typeof time === "string" && !is_private;
  return [{ count, ...(isDescribed ? { creator, time } : {}) }];
}

function attachmentIn({ id, file_name, is_private }: JsonObject): SeenAttachment[] {
  if (typeof id !== "number") return [];
  return [{ id, ...(typeof file_name === "string" && !is_private ? { file_name } : {}) }];
}

/** A bug as it is stored in the list; none if it is damaged. */
function storedBug({ id, summary, comments, attachments }: JsonObject): SeenBug[] {
  if (typeof id !== "number") return [];
  return [
    {
      id,
      ...(typeof summary === "string" ? { summary } : {}),
      comments: objectsIn(comments).flatMap(commentIn),
      attachments: objectsIn(attachments).flatMap(attachmentIn),
    },
  ];
}

/** Newest first, each once, with all of its parts; a summary known from before stays, unless the bug is restricted now. */
function mergedBugs(found: FoundBug[], before: readonly SeenBug[]): JsonObject[] {
  const all = [...found, ...before];
  const restricted = new Set(found.filter(({ isRestricted }) => isRestricted).map(({ id }) => id));
  const ids = [...new Set(all.map(({ id }) => id))].slice(0, MAX_BUGS);
  return ids.map((id) => {
    const same = all.filter((bug) => bug.id === id);
    const summary = restricted.has(id) ? undefined : same.find((bug) => bug.summary !== undefined)?.summary;
    const attachments = latestParts(
      same.flatMap((bug) => bug.attachments),
      (attachment) => attachment.id,
    );
    return {
      id,
      ...(summary === undefined ? {} : { summary }),
      comments: latestParts(
        same.flatMap((bug) => bug.comments),
        ({ count }) => count,
      ),
      attachments: summary === undefined ? attachments.map((attachment) => ({ id: attachment.id })) : attachments,
    };
  });
}

/** The values that bugs have of each field whose values the tracker does not list, the newest first. */
function mergedValues(found: FoundObjects[], before: Seen, fields: readonly Field[]): JsonObject {
  const values: Record<string, Json> = {};
  for (const { name, type } of fields) {
    if (type !== FIELD_TYPE.extension) continue;
    const texts = textsIn(found.flatMap((objects) => objects.values.map((bug) => bug[name] ?? "")));
    values[name] = [...new Set([...texts, ...(before.values.get(name) ?? [])])].slice(0, MAX_NAMES);
  }
  return values;
}

/** The parts with the highest numbers, each once, as it was first. */
function latestParts<Part>(parts: Part[], numberOf: (part: Part) => number): Part[] {
  const byNumber = new Map(parts.toReversed().map((part) => [numberOf(part), part]));
  return [...byNumber.values()].sort((a, b) => numberOf(b) - numberOf(a)).slice(0, MAX_PARTS);
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return itemsIn(value).map(asObject);
}

function textsIn(value: Json | undefined): string[] {
  return itemsIn(value).filter((item): item is string => typeof item === "string" && item !== "");
}
