import { BtError } from "../../errors.ts";
import { BUG_FIELD_ROWS, type Bug, HAS_ONE_ALIAS } from "../../wire/bug-fields.ts";
import type { ValueTypes } from "../../wire/bug-values.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type {
  Attachment,
  BugHistory,
  Changes,
  Comment,
  Field,
  Group,
  TrackerProduct,
  UserAccount,
} from "../../wire/resources.ts";
import { listShape, looseBooleanShape, partialShape, realShape, type Shape, textShape } from "../../wire/shape.ts";

/**
 * Bugs of a Get Bug or Search Bugs response.
 * @throws BtError of kind reply if the response has another shape
 */
export function readBugs(response: Json): Bug[] {
  return listUnder(response, "bugs").map((bug) => {
    const read = readObject(withUsualForms(bug), BUG);
    if (read["id"] === undefined) throw unexpectedShapeError("an integer id in every bug");
    return read as unknown as Bug;
  });
}

export function readHistories(response: Json): BugHistory[] {
  return listUnder(response, "bugs").map((bug) => {
    const read = readObject(withUsualForms(bug), HISTORY);
    if (!Array.isArray(read["history"])) throw unexpectedShapeError('a "history" list in every bug');
    return { ...read, history: read["history"].map(withSides) } as unknown as BugHistory;
  });
}

/** A history entry whose changes have both sides as text; a missing value is "". Some servers have hours as numbers. */
function withSides(entry: Json): Json {
  const { changes, ...rest } = entry as JsonObject;
  const complete = ({ removed = null, added = null, ...change }: JsonObject) => ({
    ...change,
    removed: changeSide(removed) ?? "",
    added: changeSide(added) ?? "",
  });
  return { ...rest, changes: (changes as JsonObject[]).map(complete) };
}

/** Comments listed under "comments" in a part of a response. */
function readComments(response: Json): Comment[] {
  return listUnder(response, "comments").map(readComment);
}

/** Comments of a Get Comments response, by bug id. */
export function readBugComments(response: Json): ReadonlyMap<string, Comment[]> {
  const bugs = isObject(response) ? response["bugs"] : undefined;
  if (!isObject(bugs)) throw unexpectedShapeError('an object named "bugs"');
  return new Map(Object.entries(bugs).map(([bug, value]) => [bug, commentsOn(bug, value)]));
}

function commentsOn(bug: string, value: Json): Comment[] {
  const comments = readComments(value);
  if (comments.every(({ bug_id }) => String(bug_id ?? bug) === bug)) return comments;
  throw unexpectedShapeError(`comments of bug ${bug} and of no other`);
}

/** One comment of a response. */
export function readComment(comment: Json): Comment {
  const { author, ...read } = readObject(comment, COMMENT); // the name before Bugzilla 4.4
  return (author === undefined ? read : { ...read, creator: read["creator"] ?? author }) as unknown as Comment;
}

/** Attachments of a Get Attachment response by bugs, by bug id. */
export function readBugAttachments(response: Json): ReadonlyMap<string, Attachment[]> {
  const bugs = isObject(response) ? response["bugs"] : undefined;
  if (!isObject(bugs)) throw unexpectedShapeError('an object named "bugs"');
  return new Map(Object.entries(bugs).map(([bug, value]) => [bug, attachmentsIn(value)]));
}

/** Attachments of a Get Attachment response by ids. */
export function readAttachments(response: Json): Attachment[] {
  const attachments = isObject(response) ? response["attachments"] : undefined;
  if (!isObject(attachments)) throw unexpectedShapeError('an object named "attachments"');
  return attachmentsIn(Object.values(attachments));
}

function attachmentsIn(list: Json): Attachment[] {
  if (!Array.isArray(list)) throw unexpectedShapeError("a list of attachments");
  return list.map((item: Json) => readObject(item, ATTACHMENT) as unknown as Attachment);
}

export function readFields(response: Json): Field[] {
  return listUnder(response, "fields").map((field) => {
    if (!isObject(field) || typeof field["name"] !== "string") throw unexpectedShapeError("a name in every field");
    checkShape(field, FIELD);
    return field as unknown as Field;
  });
}

export function readLegalValues(response: Json): string[] {
  return listUnder(response, "values").map((value) => {
    if (typeof value !== "string") throw unexpectedShapeError("every value as text");
    return value;
  });
}

/** Groups of a Get Group response: a list, or an object keyed by their names; their members are under `membership`. */
export function readGroups(response: Json): Group[] {
  const list = isObject(response) && Array.isArray(response["groups"]) ? response["groups"] : groupsByName(response);
  return list.map((group) => {
    const { users, ...rest } = isObject(group) ? group : {};
    const withMembers = users === undefined ? group : { membership: users, ...rest };
    const named = readNamedObject<Group>(withMembers, GROUP);
    if (typeof named.id !== "number") throw unexpectedShapeError("an id in every group"); // an update is addressed by it
    return named;
  });
}

function groupsByName(response: Json): Json[] {
  const groups = isObject(response) ? (response["groups"] ?? response) : undefined;
  const byName = isObject(groups) ? Object.entries(groups) : [];
  if (byName.length === 0) throw unexpectedShapeError('a list named "groups"');
  return byName.map(([name, group]) => (isObject(group) && "id" in group ? { name, ...group } : group));
}

/** Products of a Get Products response. */
export function readProducts(response: Json): TrackerProduct[] {
  return listUnder(response, "products").map((product) => readNamedObject<TrackerProduct>(product, PRODUCT));
}

/** Users of a Get Users response. */
export function readUserAccounts(response: Json): UserAccount[] {
  return listUnder(response, "users").map((account) => readNamedObject<UserAccount>(account, USER));
}

function readNamedObject<Thing>(value: Json, schema: Schema): Thing {
  const thing = readObject(value, schema);
  if (typeof thing["name"] !== "string") throw unexpectedShapeError(`a name in every ${schema.what}`);
  return thing as unknown as Thing;
}

/**
 * Items of an Update Bug, Update Group or Update Attachment response with their changes. The write has succeeded, so no
 * shape is rejected: null is kept, a missing side is null, any other value is converted to text.
 */
export function readChangedItems<Thing extends { changes: Changes }>(
  response: Json,
  name: "bugs" | "groups" | "attachments",
): Thing[] {
  const things = listUnder(response, name)
    .filter(isObject)
    .map((thing) => withNumbers(withUsualForms(thing) as JsonObject, ["id"]));
  return things.map((object) => ({ ...object, changes: changesIn(object["changes"]) })) as unknown as Thing[];
}

function changesIn(changes: Json | undefined): Changes {
  const entries = Object.entries(isObject(changes) ? changes : {});
  return Object.fromEntries(
    entries.map(([field, change]) => {
      const { removed = null, added = null } = isObject(change) ? change : {};
      return [field, { removed: changeSide(removed), added: changeSide(added) }];
    }),
  );
}

function changeSide(value: Json): string | null {
  if (value === null || typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Tags of a comment tag response, a bare list. */
export function readTags(response: Json): string[] {
  const tags = Array.isArray(response) ? (response as Json[]).filter((tag) => tag !== null) : [null];
  if (!tags.every((tag) => typeof tag === "string")) throw unexpectedShapeError("a list of tags");
  return tags;
}

/**
 * The list under this key of a response.
 * @throws BtError of kind reply if there is none
 */
export function listUnder(response: Json, name: string): Json[] {
  const list = isObject(response) ? response[name] : undefined;
  if (!Array.isArray(list)) throw unexpectedShapeError(`a list named "${name}"`);
  return list;
}

/** Error for a response of unexpected shape; `what` names the expected part. */
export function unexpectedShapeError(what: string): BtError {
  return new BtError("reply", `unexpected response from the tracker: expected ${what}`, {
    hint: "is this the address of a Bugzilla-style tracker? -vv shows the response",
  });
}

/**
 * A time in a response, for what computes with it.
 * @throws BtError of kind reply if it is none
 */
export function receivedTime(time: string | null | undefined): string {
  if (!time || Number.isNaN(Date.parse(time)))
    throw unexpectedShapeError(`a time, not ${JSON.stringify(time ?? null)}`);
  return time;
}

/** Milliseconds of a time in a response. @throws BtError of kind reply if it is none */
export function receivedMs(time: string | null | undefined): number {
  return Date.parse(receivedTime(time));
}

/** A kind of object in responses: its noun, members that hold numbers, and its shape. */
type Schema = { what: string; numbers: string[]; shape: Shape };

function readObject(value: Json, schema: Schema): JsonObject {
  const { what, numbers } = schema;
  if (!isObject(value)) throw unexpectedShapeError(`an object for every ${what}`);
  const thing = withNumbers(value, numbers);
  if (thing["id"] !== undefined && !Number.isSafeInteger(thing["id"]))
    throw unexpectedShapeError(`an integer id in every ${what}`);
  checkShape(thing, schema);
  return thing;
}

function checkShape(thing: JsonObject, { what, shape }: Schema): void {
  const misfit = shape(thing);
  if (misfit) throw unexpectedShapeError(`a valid "${misfit.path[0]}" in every ${what}`);
}

/** The object with numbers in these members, which some servers write as text. */
function withNumbers(thing: JsonObject, names: string[]): JsonObject {
  const texts = names.filter((name) => holdsText(thing[name]));
  if (texts.length === 0) return thing;
  const number = (value: Json) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value);
  const read = (value: Json = null) => (Array.isArray(value) ? value.map(number) : number(value));
  return { ...thing, ...Object.fromEntries(texts.map((name) => [name, read(thing[name])] as const)) };
}

function holdsText(value: Json | undefined): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.some((item) => typeof item === "string"));
}

/**
 * The bug with a list of its aliases, and with one component and version. Some servers have an alias as text, or null for
 * none, and such a bug is marked; others have lists of one component or version.
 */
function withUsualForms(bug: Json): Json {
  if (!isObject(bug)) return bug;
  const { alias, component, version } = bug;
  if ((alias === undefined || Array.isArray(alias)) && !Array.isArray(component) && !Array.isArray(version)) return bug;
  const read: Record<string | symbol, Json> = { ...bug };
  if (Array.isArray(component)) read["component"] = component.join(", ");
  if (Array.isArray(version)) read["version"] = version.join(", ");
  if (alias === undefined || Array.isArray(alias)) return read as JsonObject;
  return { ...read, alias: alias === null || alias === "" ? [] : [alias], [HAS_ONE_ALIAS]: true } as JsonObject;
}

/** Bugs without duplicates, which responses joined from several rows may contain. */
export function distinctBugs(bugs: Bug[]): Bug[] {
  const seen = new Set<number>();
  return bugs.filter(({ id }) => typeof id !== "number" || seen.size < seen.add(id).size);
}

// Each member may be absent or null, since trackers omit what the user may not see.
const text = textShape;
const number = realShape;
const bool = looseBooleanShape;

const user = partialShape({ id: number, name: text, real_name: text, email: text });
const flag = partialShape(
  { name: text, status: text, setter: text, requestee: text, modification_date: text },
  ...["name", "status"],
);

const SHAPE_BY_TYPE: Readonly<Record<keyof ValueTypes, Shape>> = {
  int: number,
  double: number,
  text,
  bool,
  datetime: text,
  date: text,
  texts: listShape(text),
  ints: listShape(number),
  user,
  users: listShape(user),
  flags: listShape(flag),
};

/** A bug, without custom fields. */
const BUG: Schema = {
  what: "bug",
  numbers: ["id", "dupe_of", "depends_on", "blocks"],
  shape: partialShape(
    Object.fromEntries(
      BUG_FIELD_ROWS.flatMap(([name, { json }]) => (json ? [[name, SHAPE_BY_TYPE[json]] as const] : [])),
    ),
  ),
};

const CHANGE = partialShape({ field_name: text }, "field_name");
const ENTRY = { when: text, who: text, changes: listShape(CHANGE) };

/** History of one bug. */
const HISTORY: Schema = {
  what: "bug",
  numbers: ["id"],
  shape: partialShape({
    alias: listShape(text),
    history: listShape(partialShape(ENTRY, ...Object.keys(ENTRY))),
  }),
};

const VALUE = {
  name: text,
  description: text,
  visibility_values: listShape(text),
  can_change_to: listShape(partialShape({ name: text }, "name")),
};

/** A bug field, as far as it is used. */
const FIELD: Schema = {
  what: "field",
  numbers: ["id"],
  shape: partialShape({
    type: number,
    display_name: text,
    visibility_field: text,
    value_field: text,
    visibility_values: listShape(text),
    values: listShape(partialShape(VALUE)),
  }),
};

const COMMENT: Schema = {
  what: "comment",
  numbers: ["id", "bug_id", "attachment_id", "count"],
  shape: partialShape({
    bug_id: number,
    attachment_id: number,
    count: number,
    text,
    creator: text,
    time: text,
    creation_time: text,
    is_private: bool,
    tags: listShape(text),
  }),
};

const ATTACHMENT: Schema = {
  what: "attachment",
  numbers: ["id"],
  shape: partialShape({
    bug_id: number,
    file_name: text,
    summary: text,
    content_type: text,
    size: number,
    creator: text,
    creation_time: text,
    last_change_time: text,
    flags: listShape(flag),
  }),
};

const GROUP: Schema = {
  what: "group",
  numbers: ["id"],
  shape: partialShape({
    description: text,
    user_regexp: text,
    membership: listShape(user),
  }),
};

const PART = {
  name: text,
  description: text,
  is_active: bool,
  ...Object.fromEntries(DEFAULT_PEOPLE.map(({ read }) => [read, text])),
};

const PRODUCT: Schema = {
  what: "product",
  numbers: ["id"],
  shape: partialShape({
    description: text,
    classification: text,
    default_milestone: text,
    is_active: bool,
    has_unconfirmed: bool,
    components: listShape(partialShape(PART, "name")),
    versions: listShape(partialShape(PART, "name")),
    milestones: listShape(partialShape(PART, "name")),
  }),
};

const USER: Schema = {
  what: "user",
  numbers: ["id"],
  shape: partialShape({
    real_name: text,
    email: text,
    can_login: bool,
    login_denied_text: text,
    groups: listShape(partialShape({ name: text }, "name")),
  }),
};
