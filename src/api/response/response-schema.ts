import { BUG_FIELD_ROWS, type ValueTypes } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Json } from "../../wire/exchange.ts";

/** True if a value has the type that the interface specifies. */
type Wanted = (value: Json) => boolean;

/** Types of an object's members. Each may be absent or null, since trackers omit what the user may not see. */
export type ObjectSchema = Readonly<Record<string, Wanted>>;

/** Name of the first member with an invalid type; undefined if all are valid. */
export function findInvalidField(
  thing: Readonly<Record<string, Json | undefined>>,
  parts: ObjectSchema,
): string | undefined {
  return Object.keys(parts).find((name) => {
    const value = Object.hasOwn(thing, name) ? thing[name] : undefined;
    return value !== undefined && value !== null && !parts[name]?.(value);
  });
}

const text: Wanted = (value) => typeof value === "string";
const number: Wanted = (value) => typeof value === "number";
const bool: Wanted = (value) => ["boolean", "number"].includes(typeof value);

function listOf(item: Wanted): Wanted {
  return (value) => Array.isArray(value) && (value as readonly Json[]).every(item);
}

function objectOf(parts: ObjectSchema, required: readonly string[] = []): Wanted {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const thing = value as Readonly<Record<string, Json>>;
    return required.every((name) => (thing[name] ?? null) !== null) && findInvalidField(thing, parts) === undefined;
  };
}

const user = objectOf({ id: number, name: text, real_name: text, email: text });
const flag = objectOf({ name: text, status: text, setter: text, requestee: text }, ["name", "status"]);

const KINDS: Readonly<Record<keyof ValueTypes, Wanted>> = {
  int: number,
  double: number,
  text,
  bool,
  datetime: text,
  date: text,
  texts: listOf(text),
  ints: listOf(number),
  user,
  users: listOf(user),
  flags: listOf(flag),
};

/** Schema of a bug, without custom fields. */
export const BUG_SCHEMA: ObjectSchema = Object.fromEntries(
  BUG_FIELD_ROWS.flatMap(([name, { json }]) => (json ? [[name, KINDS[json]] as const] : [])),
);

const CHANGE = { field_name: text, removed: text, added: text };
const ENTRY = { when: text, who: text, changes: listOf(objectOf(CHANGE, Object.keys(CHANGE))) };

/** Schema of one bug's history. */
export const HISTORY_SCHEMA: ObjectSchema = {
  alias: listOf(text),
  history: listOf(objectOf(ENTRY, Object.keys(ENTRY))),
};

const VALUE = {
  name: text,
  description: text,
  visibility_values: listOf(text),
  can_change_to: listOf(objectOf({ name: text }, ["name"])),
};

/** Schema of a bug field, as far as it is used. */
export const FIELD_SCHEMA: ObjectSchema = {
  type: number,
  display_name: text,
  visibility_field: text,
  value_field: text,
  visibility_values: listOf(text),
  values: listOf(objectOf(VALUE)),
};

/** Schema of a comment. */
export const COMMENT_SCHEMA: ObjectSchema = {
  bug_id: number,
  attachment_id: number,
  count: number,
  text,
  creator: text,
  time: text,
  creation_time: text,
  is_private: bool,
  tags: listOf(text),
};

/** Schema of an attachment. */
export const ATTACHMENT_SCHEMA: ObjectSchema = {
  bug_id: number,
  file_name: text,
  summary: text,
  content_type: text,
  size: number,
  creator: text,
  creation_time: text,
  last_change_time: text,
  flags: listOf(flag),
};

/** Schema of a group. */
export const GROUP_SCHEMA: ObjectSchema = {
  description: text,
  user_regexp: text,
  membership: listOf(user),
  users: listOf(user),
};

const PART = {
  ...{ name: text, description: text, is_active: bool },
  ...Object.fromEntries(DEFAULT_PEOPLE.map(({ read }) => [read, text])),
};

/** Schema of a product. */
export const PRODUCT_SCHEMA: ObjectSchema = {
  description: text,
  classification: text,
  default_milestone: text,
  is_active: bool,
  has_unconfirmed: bool,
  components: listOf(objectOf(PART, ["name"])),
  versions: listOf(objectOf(PART, ["name"])),
  milestones: listOf(objectOf(PART, ["name"])),
};

/** Schema of a user. */
export const USER_SCHEMA: ObjectSchema = {
  real_name: text,
  email: text,
  can_login: bool,
  login_denied_text: text,
  groups: listOf(objectOf({ name: text }, ["name"])),
};
