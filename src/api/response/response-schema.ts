import { BUG_FIELD_ROWS } from "../../wire/bug-fields.ts";
import type { ValueTypes } from "../../wire/bug-values.ts";
import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import { listShape, looseBooleanShape, partialShape, realShape, type Shape, textShape } from "../../wire/shape.ts";

// Each member may be absent or null, since trackers omit what the user may not see.
const text = textShape;
const number = realShape;
const bool = looseBooleanShape;

const user = partialShape({ id: number, name: text, real_name: text, email: text });
const flag = partialShape({ name: text, status: text, setter: text, requestee: text }, "name", "status");

const KINDS: Readonly<Record<keyof ValueTypes, Shape>> = {
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

/** Schema of a bug, without custom fields. */
export const BUG_SCHEMA: Shape = partialShape(
  Object.fromEntries(BUG_FIELD_ROWS.flatMap(([name, { json }]) => (json ? [[name, KINDS[json]] as const] : []))),
);

const CHANGE = { field_name: text, removed: text, added: text };
const ENTRY = { when: text, who: text, changes: listShape(partialShape(CHANGE, "field_name")) };

/** Schema of one bug's history. */
export const HISTORY_SCHEMA: Shape = partialShape({
  alias: listShape(text),
  history: listShape(partialShape(ENTRY, ...Object.keys(ENTRY))),
});

const VALUE = {
  name: text,
  description: text,
  visibility_values: listShape(text),
  can_change_to: listShape(partialShape({ name: text }, "name")),
};

/** Schema of a bug field, as far as it is used. */
export const FIELD_SCHEMA: Shape = partialShape({
  type: number,
  display_name: text,
  visibility_field: text,
  value_field: text,
  visibility_values: listShape(text),
  values: listShape(partialShape(VALUE)),
});

export const COMMENT_SCHEMA: Shape = partialShape({
  bug_id: number,
  attachment_id: number,
  count: number,
  text,
  creator: text,
  time: text,
  creation_time: text,
  is_private: bool,
  tags: listShape(text),
});

export const ATTACHMENT_SCHEMA: Shape = partialShape({
  bug_id: number,
  file_name: text,
  summary: text,
  content_type: text,
  size: number,
  creator: text,
  creation_time: text,
  last_change_time: text,
  flags: listShape(flag),
});

export const GROUP_SCHEMA: Shape = partialShape({
  description: text,
  user_regexp: text,
  membership: listShape(user),
});

const PART = {
  ...{ name: text, description: text, is_active: bool },
  ...Object.fromEntries(DEFAULT_PEOPLE.map(({ read }) => [read, text])),
};

export const PRODUCT_SCHEMA: Shape = partialShape({
  description: text,
  classification: text,
  default_milestone: text,
  is_active: bool,
  has_unconfirmed: bool,
  components: listShape(partialShape(PART, "name")),
  versions: listShape(partialShape(PART, "name")),
  milestones: listShape(partialShape(PART, "name")),
});

export const USER_SCHEMA: Shape = partialShape({
  real_name: text,
  email: text,
  can_login: bool,
  login_denied_text: text,
  groups: listShape(partialShape({ name: text }, "name")),
});
