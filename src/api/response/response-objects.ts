import { BtError } from "../../errors.ts";
import { BUG_FIELD_ROWS, type Bug, DEFAULT_ROLES, HAS_ONE_ALIAS, type ValueTypes } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, objectsIn } from "../../wire/json.ts";
import type {
  Attachment,
  BugHistory,
  Changes,
  Comment,
  Field,
  Group,
  HistoryEntry,
  TrackerProduct,
  UserAccount,
} from "../../wire/resources.ts";
import {
  looseBooleanShape as bool,
  listShape,
  type Members,
  numberShape as number,
  partialShape,
  realShape,
  type Shape,
  textShape as text,
} from "../../wire/shape.ts";

/**
 * Bugs of a Get Bug or Search Bugs response.
 * @throws BtError of kind reply if the response has another shape
 */
export function readBugs(response: Json): Bug[] {
  return listUnder(response, "bugs").map((bug) => readObject<Bug>(withUsualForms(bug), BUG));
}

/** Histories of a Bug History response; a missing side of a change is "". */
export function readHistories(response: Json): BugHistory[] {
  return listUnder(response, "bugs").map((bug) => {
    const read = readObject<BugHistory>(withUsualForms(bug), HISTORY);
    const changesOf = ({ changes }: HistoryEntry) => changes.map((change) => ({ ...change, ...sidesOf(change, "") }));
    return { ...read, history: read.history.map((entry) => ({ ...entry, changes: changesOf(entry) })) };
  });
}

/** Comments of a Get Comments response, by bug id. */
export function readBugComments(response: Json): ReadonlyMap<string, Comment[]> {
  return byBug(response, (value, bug) => {
    const comments = listUnder(value, "comments").map(readComment);
    if (comments.every(({ bug_id }) => String(bug_id ?? bug) === bug)) return comments;
    throw unexpectedShapeError(`comments of bug ${bug} and of no other`);
  });
}

export function readComment(comment: Json): Comment {
  return readObject(comment, COMMENT);
}

/** Attachments by bug id, of a Get Attachment response that is about bugs. */
export function readBugAttachments(response: Json): ReadonlyMap<string, Attachment[]> {
  return byBug(response, (attachments) => readList({ attachments }, "attachments", ATTACHMENT));
}

/** Attachments of a Get Attachment response by ids. */
export function readAttachments(response: Json): Attachment[] {
  return Object.values(objectUnder(response, "attachments")).map((attachment) => readObject(attachment, ATTACHMENT));
}

function byBug<Part>(response: Json, read: (value: Json, bug: string) => Part[]): ReadonlyMap<string, Part[]> {
  const bugs = Object.entries(objectUnder(response, "bugs"));
  return new Map(bugs.map(([bug, value]) => [bug, read(value, bug)]));
}

export function readFields(response: Json): Field[] {
  return readList(response, "fields", FIELD);
}

/** A list of texts: legal values, or the tags that a comment tag response is. */
export function readTexts(list: Json | undefined): string[] {
  if (texts(list)) throw unexpectedShapeError("a list of texts");
  return list as string[];
}

/** Groups of a Get Group response: a list, or an object keyed by their names. */
export function readGroups(response: Json): Group[] {
  const groups = isObject(response) ? (response["groups"] ?? response) : null;
  const entries = isObject(groups) ? Object.entries(groups) : [];
  const named = entries.map(([name, group]) => ({ name, ...Object(group) }));
  return readList({ groups: named.length > 0 ? named : groups }, "groups", GROUP);
}

export function readProducts(response: Json): TrackerProduct[] {
  return readList(response, "products", PRODUCT);
}

export function readUserAccounts(response: Json): UserAccount[] {
  return readList(response, "users", USER);
}

function readList<Thing>(response: Json, name: string, kind: Resource): Thing[] {
  return listUnder(response, name).map((thing) => readObject<Thing>(thing, kind));
}

/**
 * Items of an Update Bug, Update Group or Update Attachment response with their changes. The write has succeeded, so no shape
 * is rejected: a missing side is null, any other value is converted to text.
 */
export function readChangedItems<Thing extends { changes: Changes }>(
  response: Json,
  name: "bugs" | "groups" | "attachments",
): Thing[] {
  return objectsIn(listUnder(response, name)).map((item) => {
    const thing = withNumbers(withUsualForms(item) as JsonObject, ["id"]);
    const changes = Object.entries(isObject(thing["changes"]) ? thing["changes"] : {});
    return { ...thing, changes: Object.fromEntries(changes.map(([field, change]) => [field, sidesOf(change, null)])) };
  }) as unknown as Thing[];
}

/** Both sides of a change as text, a missing one as `none`; lists are joined, and some servers have hours as numbers. */
function sidesOf<None extends string | null>(change: Json, none: None) {
  const { removed = null, added = null } = isObject(change) ? change : {};
  const sideOf = (value: Json): string | None => (value === null ? none : [value].flat().join(", "));
  return { removed: sideOf(removed), added: sideOf(added) };
}

/** The list under this key of a response. @throws BtError of kind reply if there is none */
export function listUnder(response: Json, name: string): Json[] {
  const { [name]: list } = Object(response);
  if (!Array.isArray(list)) throw unexpectedShapeError(`a list named "${name}"`);
  return list;
}

function objectUnder(response: Json, name: string): JsonObject {
  const { [name]: object } = Object(response);
  if (!isObject(object)) throw unexpectedShapeError(`an object named "${name}"`);
  return object;
}

/** Error for a response of unexpected shape; `what` names the expected part. */
export function unexpectedShapeError(what: string): BtError {
  return new BtError("reply", `unexpected response from the tracker: expected ${what}`, {
    hint: "is this the address of a Bugzilla-style tracker? -vv shows the response",
  });
}

/** A time in a response, for what computes with it. @throws BtError of kind reply if it is none */
export function receivedTime(time: string | null = null): string {
  if (Number.isNaN(Date.parse(time ?? ""))) throw unexpectedShapeError(`a time, not ${JSON.stringify(time)}`);
  return time as string;
}

/** Bugs without duplicates, which responses joined from several rows may contain. */
export function distinctBugs(bugs: Bug[]): Bug[] {
  return [...new Map(bugs.map((bug) => [bug.id, bug])).values()];
}

/**
 * The bug with a list of its aliases, and with one component and version. Some servers have an alias as text, or null for
 * none, and such a bug is marked; others have lists of one component or version.
 */
function withUsualForms(bug: Json): Json {
  if (!isObject(bug)) return bug;
  const { alias = [] } = bug;
  const lists = ["component", "version"].filter((name) => Array.isArray(bug[name]));
  if (Array.isArray(alias) && lists.length === 0) return bug;
  const read = { ...bug, ...Object.fromEntries(lists.map((name) => [name, (bug[name] as Json[]).join(", ")])) };
  return Array.isArray(alias) ? read : ({ ...read, alias: alias ? [alias] : [], [HAS_ONE_ALIAS]: true } as JsonObject);
}

/** A kind of object in responses: its noun, its shape, and its members that hold numbers or lists of them. */
type Resource = { readonly noun: string; readonly shape: Shape; readonly numeric: readonly string[] };

function readObject<Thing>(value: Json, { noun, shape, numeric }: Resource): Thing {
  if (!isObject(value)) throw unexpectedShapeError(`an object for every ${noun}`);
  if (!shape(value)) return value as Thing; // as nearly every object
  const thing = withNumbers(value, numeric);
  const invalid = shape(thing);
  if (invalid) throw unexpectedShapeError(`a valid "${invalid.path[0]}" in every ${noun}`);
  return thing as Thing;
}

/** The object with numbers in these members, which some servers write as text. */
function withNumbers(thing: JsonObject, names: readonly string[]): JsonObject {
  const read = (value: Json): Json => {
    if (Array.isArray(value)) return (value as Json[]).map(read);
    return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  };
  const present = names.filter((name) => Object.hasOwn(thing, name));
  return { ...thing, ...Object.fromEntries(present.map((name) => [name, read(thing[name] ?? null)])) };
}

const texts = listShape(text);
const numbers = listShape(number);

/** A resource. Members not in `needs` may be absent or null: trackers omit what the user may not see. */
function resource(noun: string, members: Members, ...needs: string[]): Resource {
  const all: Members = { id: number, ...members };
  const numeric = Object.keys(all).filter((name) => all[name] === number || all[name] === numbers);
  return { noun, shape: partialShape(all, ...needs), numeric };
}

function membersOf(shape: Shape, ...names: string[]): Members {
  return Object.fromEntries(names.map((name) => [name, shape]));
}

const user = partialShape({ id: number, ...membersOf(text, "name", "real_name", "email") });
const flag = partialShape(
  membersOf(text, "name", "status", "setter", "requestee", "modification_date"),
  "name",
  "status",
);

const SHAPES: Readonly<Record<keyof ValueTypes, Shape>> = {
  int: number,
  double: realShape,
  text,
  bool,
  datetime: text,
  date: text,
  texts,
  ints: numbers,
  user,
  users: listShape(user),
  flags: listShape(flag),
};

/** A bug, without custom fields. */
const BUG = resource(
  "bug",
  Object.fromEntries(BUG_FIELD_ROWS.flatMap(([name, { json }]) => (json ? [[name, SHAPES[json]] as const] : []))),
  "id",
);

const CHANGES = listShape(partialShape({ field_name: text }, "field_name"));
const ENTRY = partialShape({ when: text, who: text, changes: CHANGES }, "when", "who", "changes");
const HISTORY = resource("bug", { alias: texts, history: listShape(ENTRY) }, "history");

const COMMENT = resource("comment", {
  ...membersOf(number, "bug_id", "attachment_id", "count"),
  ...membersOf(text, "text", "creator", "time", "creation_time"),
  is_private: bool,
  tags: texts,
});

const ATTACHMENT = resource("attachment", {
  ...membersOf(number, "bug_id", "size"),
  ...membersOf(text, "file_name", "summary", "content_type", "creator", "creation_time", "last_change_time"),
  flags: listShape(flag),
});

const VALUE = partialShape({
  ...membersOf(text, "name", "description"),
  visibility_values: texts,
  can_change_to: listShape(partialShape({ name: text }, "name")),
});

const FIELD = resource(
  "field",
  {
    type: number,
    ...membersOf(text, "name", "display_name", "visibility_field", "value_field"),
    visibility_values: texts,
    values: listShape(VALUE),
  },
  "name",
);

/** A group; an update is addressed by the id. */
const GROUP = resource(
  "group",
  { ...membersOf(text, "name", "description", "user_regexp"), ...membersOf(listShape(user), "membership", "users") },
  "id",
  "name",
);

const PEOPLE = DEFAULT_ROLES.map(({ read }) => read);
const PART = partialShape({ ...membersOf(text, "name", "description", ...PEOPLE), is_active: bool }, "name");
const PRODUCT = resource(
  "product",
  {
    ...membersOf(text, "name", "description", "classification", "default_milestone"),
    ...membersOf(bool, "is_active", "has_unconfirmed"),
    ...membersOf(listShape(PART), "components", "versions", "milestones"),
  },
  "name",
);

const USER = resource(
  "user",
  {
    ...membersOf(text, "name", "real_name", "email", "login_denied_text"),
    can_login: bool,
    groups: listShape(partialShape({ name: text }, "name")),
  },
  "name",
);
