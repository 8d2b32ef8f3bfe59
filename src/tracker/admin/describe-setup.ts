import type { WrittenDefaultPeople } from "../../wire/default-people.ts";
import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import type { FieldRow } from "../bug-fields/read.ts";
import { type FlagTypeRow, readFlagSwitches } from "../flags/types.ts";
import { defaultLogins, JOINED_PEOPLE } from "../setup/default-people.ts";
import type { FieldSetup } from "../setup/fields.ts";
import {
  CONTROL_LEVELS,
  type ComponentSetup,
  type GroupControlSetup,
  type PartSetup,
  type ProductSetup,
} from "../setup/products.ts";
import { type FlagTypeSetup, NEW_BUG, type Setup, type WorkflowSetup } from "../setup/setup.ts";
import { type GroupSetup, INCLUSION_KINDS, type UserSetup } from "../setup/users.ts";
import type { Store } from "../store/store.ts";

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

type ProductRow = {
  id: number;
  name: string;
  description: string;
  classification: string;
  has_unconfirmed: number;
  default_milestone: string;
  is_active: number;
};

const PRODUCTS = `SELECT products.id, products.name, products.description, classifications.name AS classification,
  has_unconfirmed, default_milestone, is_active
  FROM products JOIN classifications ON classifications.id = classification_id ORDER BY products.id`;

/** All products as setup, with components, versions, milestones and group controls. */
function describeProducts(store: Store): ProductSetup[] {
  return store.all<ProductRow>(PRODUCTS).map(({ id, has_unconfirmed, is_active, ...product }) =>
    withoutEmpty({
      ...product,
      has_unconfirmed: isTrue(has_unconfirmed),
      is_active: isTrue(is_active),
      versions: describeParts(store, VERSIONS, id),
      milestones: describeParts(store, MILESTONES, id),
      components: describeComponents(store, id),
      groups: describeControls(store, id),
    }),
  );
}

type PartRow = { name: string; sort_key: number | null; is_active: number };

const VERSIONS = "SELECT name, NULL AS sort_key, is_active FROM versions WHERE product_id = ? ORDER BY id";
const MILESTONES = "SELECT name, sort_key, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, id";

function describeParts(store: Store, sql: string, productId: number): PartSetup[] {
  return store.all<PartRow>(sql, [productId]).map(({ name, sort_key, is_active }) => ({
    name,
    ...(sort_key === null ? {} : { sort_key }),
    is_active: isTrue(is_active),
  }));
}

type ComponentRow = {
  id: number;
  name: string;
  description: string;
  is_active: number;
} & WrittenDefaultPeople;

const COMPONENTS = `SELECT components.id, name, description, ${defaultLogins("written", "NULL")}, is_active
  FROM components ${JOINED_PEOPLE} WHERE product_id = ? ORDER BY components.id`;
const COMPONENT_CC = `SELECT login AS name FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

function describeComponents(store: Store, productId: number): ComponentSetup[] {
  return store.all<ComponentRow>(COMPONENTS, [productId]).map(({ id, is_active, ...component }) =>
    withoutEmpty({
      ...component,
      is_active: isTrue(is_active),
      default_cc: queryNames(store, COMPONENT_CC, id),
    }),
  );
}

type ControlRow = {
  name: string;
  entry: number;
  can_edit: number;
  edit_components: number;
  edit_bugs: number;
  can_confirm: number;
  member_control: number;
  other_control: number;
};

const GROUPS = `SELECT groups.name, entry, can_edit, edit_components, edit_bugs, can_confirm, member_control, other_control
  FROM group_controls JOIN groups ON groups.id = group_id WHERE product_id = ? ORDER BY groups.id`;

function describeControls(store: Store, productId: number): GroupControlSetup[] {
  return store.all<ControlRow>(GROUPS, [productId]).map((row) => ({
    group: row.name,
    entry: isTrue(row.entry),
    can_edit: isTrue(row.can_edit),
    edit_components: isTrue(row.edit_components),
    edit_bugs: isTrue(row.edit_bugs),
    can_confirm: isTrue(row.can_confirm),
    members: controlName(row.member_control),
    others: controlName(row.other_control),
  }));
}

function controlName(code: number): keyof typeof CONTROL_LEVELS {
  const [name = "none"] = Object.entries(CONTROL_LEVELS).find(([, level]) => level === code) ?? [];
  return name as keyof typeof CONTROL_LEVELS;
}

type TypeRow = Omit<FlagTypeRow, "grant_group_id" | "request_group_id"> & {
  grant_group: string | null;
  request_group: string | null;
};

const TYPES = `SELECT flag_types.id, flag_types.name, flag_types.description, cc_list, target, flag_types.is_active, is_requestable,
  is_requesteeble, is_multiplicable, sort_key, granters.name AS grant_group, requesters.name AS request_group
  FROM flag_types
  LEFT JOIN groups AS granters ON granters.id = grant_group_id
  LEFT JOIN groups AS requesters ON requesters.id = request_group_id ORDER BY flag_types.id`;
const placesIn = (table: string) => `SELECT coalesce(products.name, '') || coalesce('/' || components.name, '') AS name
  FROM ${table} AS places
  LEFT JOIN products ON products.id = places.product_id
  LEFT JOIN components ON components.id = component_id WHERE type_id = ? ORDER BY places.rowid`;
const PLACES = placesIn("flag_type_inclusions");
const EXCEPTIONS = placesIn("flag_type_exclusions");

function describeFlagTypes(store: Store): FlagTypeSetup[] {
  return store.all<TypeRow>(TYPES).map(({ id, grant_group, request_group, cc_list, ...type }) => ({
    ...type,
    ...(cc_list === "" ? {} : { cc_list }),
    ...readFlagSwitches(type),
    ...(grant_group === null ? {} : { grant_group }),
    ...(request_group === null ? {} : { request_group }),
    places: queryNames(store, PLACES, id),
    ...withoutEmpty({ except: queryNames(store, EXCEPTIONS, id) }),
  }));
}

/** Column `name` of a query's rows; one value binds `?`, an object binds `@name`. */
function queryNames(
  store: Store,
  sql: string,
  values: number | string | Readonly<Record<string, number | string>>,
): string[] {
  const bindings = typeof values === "object" ? values : [values];
  return store.all<{ name: string }>(sql, bindings).map(({ name }) => name);
}

/** A stored boolean (0 or 1) as a boolean. */
function isTrue(value: number): boolean {
  return value === 1;
}

/** Copy of the record without null and empty-array values. */
function withoutEmpty<T extends object>(record: T): T {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as T;
}
