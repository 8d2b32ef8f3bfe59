import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import type { FieldRow } from "../bug-fields/read.ts";
import type { FieldSetup } from "../setup/fields.ts";
import { NEW_BUG, type Setup, type WorkflowSetup } from "../setup/setup.ts";
import { type GroupSetup, INCLUSION_KINDS, type UserSetup } from "../setup/users.ts";
import type { Store } from "../store/store.ts";
import { describeFlagTypes, describeProducts, isTrue, queryNames, withoutEmpty } from "./describe-products.ts";

/** The current setup of a tracker; applied to an empty tracker it reproduces this one. */
export function describeSetup(store: Store): Setup {
  return {
    parameters: Object.fromEntries(
      store
        .all<{ name: string; value: string }>("SELECT name, value FROM parameters ORDER BY name")
        .map(({ name, value }) => [name, value]),
    ),
    groups: describeGroups(store),
    users: describeUsers(store),
    classifications: store.all("SELECT name, description, sort_key FROM classifications ORDER BY id"),
    keywords: store.all("SELECT name, description FROM keywords ORDER BY name"),
    fields: describeFields(store),
    workflow: describeWorkflow(store),
    products: describeProducts(store),
    flag_types: describeFlagTypes(store),
  };
}

type GroupRow = {
  id: number;
  name: string;
  description: string;
  is_bug_group: number;
  is_active: number;
  user_regexp: string;
  icon_url: string | null;
};

const INCLUDED = `SELECT groups.name FROM group_inclusions JOIN groups ON groups.id = member_id
  WHERE grantor_id = @group AND kind = @kind AND (kind <> 'member' OR member_id <> grantor_id) ORDER BY groups.id`;

function describeGroups(store: Store): GroupSetup[] {
  return store
    .all<GroupRow>(
      "SELECT id, name, description, is_bug_group, is_active, user_regexp, icon_url FROM groups ORDER BY id",
    )
    .map(({ id, is_bug_group, is_active, icon_url, ...group }) =>
      withoutEmpty({
        ...group,
        is_bug_group: isTrue(is_bug_group),
        is_active: isTrue(is_active),
        ...(icon_url === null ? {} : { icon_url }),
        ...Object.fromEntries(
          Object.entries(INCLUSION_KINDS).map(([part, kind]) => [
            part,
            queryNames(store, INCLUDED, { group: id, kind }),
          ]),
        ),
      }),
    );
}

type UserRow = {
  id: number;
  login: string;
  real_name: string;
  email_enabled: number;
  disabled_text: string;
};

const USER_GROUPS = `SELECT groups.name FROM group_members JOIN groups ON groups.id = group_id
  WHERE kind = 'member' AND given_by = 'direct' AND user_id = ? ORDER BY groups.id`;
const USER_BLESSES = `SELECT groups.name FROM group_members JOIN groups ON groups.id = group_id
  WHERE kind = 'bless' AND user_id = ? ORDER BY groups.id`;

function describeUsers(store: Store): UserSetup[] {
  return store
    .all<UserRow>("SELECT id, login, real_name, email_enabled, disabled_text FROM users ORDER BY id")
    .map(({ id, email_enabled, ...user }) =>
      withoutEmpty({
        ...user,
        email_enabled: isTrue(email_enabled),
        groups: queryNames(store, USER_GROUPS, id),
        blesses: queryNames(store, USER_BLESSES, id),
      }),
    );
}

type ValueRow = {
  name: string;
  sort_key: number;
  is_active: number;
  is_open: number;
  visible_for: string | null;
};

type DescribedField = FieldRow & { is_obsolete: number; sort_key: number };

const FIELDS = `SELECT id, name, display_name, type, is_custom, is_mandatory, is_on_bug_entry, is_obsolete, sort_key,
  visibility_field, value_field FROM fields WHERE (is_custom OR id IN (SELECT field_id FROM field_values)) ORDER BY id`;
const VALUES = `SELECT name, sort_key, is_active, is_open, visible_for FROM field_values WHERE field_id = ?
  ORDER BY sort_key, id`;
const VISIBILITY = "SELECT value AS name FROM field_visibility WHERE field_id = ? ORDER BY value";

function describeFields(store: Store): FieldSetup[] {
  return store.all<DescribedField>(FIELDS).map((field) =>
    withoutEmpty({
      name: field.name,
      ...(field.is_custom === 1 ? describeCustom(store, field) : {}),
      values: store.all<ValueRow>(VALUES, [field.id]).map(({ is_active, is_open, visible_for, ...value }) => ({
        ...value,
        is_active: isTrue(is_active),
        is_open: isTrue(is_open),
        ...(visible_for === null ? {} : { visible_for }),
      })),
    }),
  );
}

function describeCustom(store: Store, field: DescribedField): Omit<FieldSetup, "name"> {
  const [type = "text"] = Object.entries(CUSTOM_FIELD_TYPE).find(([, code]) => code === field.type) ?? [];
  const { visibility_field, value_field } = field;
  return {
    display_name: field.display_name,
    type: type as keyof typeof CUSTOM_FIELD_TYPE,
    is_mandatory: isTrue(field.is_mandatory),
    is_on_bug_entry: isTrue(field.is_on_bug_entry),
    is_obsolete: isTrue(field.is_obsolete),
    sort_key: field.sort_key,
    ...(value_field === null ? {} : { value_field }),
    ...(visibility_field === null
      ? {}
      : { visibility: { field: visibility_field, values: queryNames(store, VISIBILITY, field.id) } }),
  };
}

type MoveRow = { from_status: string | null; to_status: string; comment_required: number };

const MOVES = "SELECT from_status, to_status, comment_required FROM status_moves ORDER BY rowid";
const STATUSES = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = ? ORDER BY field_values.sort_key`;

// A status without transitions has an empty list, so that applying the setup removes any.
function describeWorkflow(store: Store): WorkflowSetup {
  const moves = store.all<MoveRow>(MOVES);
  const movesFrom = (from: string | null) =>
    moves
      .filter(({ from_status }) => from_status === from)
      .map(({ to_status: to, comment_required }) => (isTrue(comment_required) ? { to, comment_required: true } : to));
  const statuses = queryNames(store, STATUSES, "bug_status");
  return Object.fromEntries([[NEW_BUG, movesFrom(null)], ...statuses.map((status) => [status, movesFrom(status)])]);
}
