import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults, raise } from "../http/fault.ts";
import { isFlagSet, textValues, trimmedReader } from "../http/input.ts";
import { isInGroup } from "../http/requester.ts";
import { mayEditComponents, requireComponentEditor } from "../products/access.ts";
import { idByName } from "../setup/lookup.ts";
import { type ObjectChanges, type ObjectClass, readUpdateTargets, updateObjects } from "../update-objects.ts";

/**
 * Route of Update Flag Type, for users who may edit components: one change for all types named.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html#update-flag-type
 */
export const flagTypeUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/flag_type/{id_or_name}", isAudited: true, handle: (call) => updateFlagTypes(call) },
];

function updateFlagTypes(call: Call): Json {
  requireComponentEditor(call, "add, modify or delete flag types");
  const types = updateObjects(call, FLAG_TYPES);
  return { flagtypes: types.map(({ after, changes }) => ({ id: after.id, name: after.name, changes })) };
}

// Editors of products may edit types that are limited to these products. @see Bugzilla/User.pm, check_can_admin_flagtype
function checkTypeEditor(call: Call, { id, name }: TypeRow): void {
  if (isInGroup(call.requester, "editcomponents")) return;
  const inclusions = call.store.all<{ product: number | null }>(INCLUDED, [id]);
  if (inclusions.length > 0 && inclusions.every(({ product }) => product !== null && mayEditComponents(call, product)))
    return;
  throw new Fault(
    "flag_type_not_editable",
    `You are not allowed to edit properties of the '${name}' flag type, because this flag type is not available for the products you can administer.`,
  );
}

const INCLUDED = "SELECT product_id AS product FROM flag_type_inclusions WHERE type_id = ?";

type TypeRow = {
  id: number;
  name: string;
  description: string;
  is_active: number;
  is_requestable: number;
  is_requesteeble: number;
  is_multiplicable: number;
  sort_key: number;
  cc_list: string;
  grant_group: string | null;
  request_group: string | null;
};
const readBoolean = (name: string) => (call: Call) => Number(isFlagSet(call.input, name));

const FLAG_TYPES: ObjectClass<TypeRow, Exclude<keyof TypeRow, "id">> = {
  name: "FlagType",
  find: findTypes,
  readers: {
    name: (call) => readFlagTypeName(trimmedReader("name")(call)),
    description: (call) => readFlagTypeDescription(trimmedReader("description")(call)),
    is_active: readBoolean("is_active"),
    is_requestable: readBoolean("is_requestable"),
    is_requesteeble: readBoolean("is_requesteeble"),
    is_multiplicable: readBoolean("is_multiplicable"),
    sort_key: readSortKey,
    cc_list: trimmedReader("cc_list"),
    grant_group: (call) => readGroupParameter(call, "grant_group"),
    request_group: (call) => readGroupParameter(call, "request_group"),
  },
  otherParameters: ["ids", "names", "inclusions", "exclusions"],
  save: (call, { after }) => {
    call.store.run(UPDATE_FLAG_TYPE, { ...after });
    return updateInclusions(call, after.id);
  },
};

const MAX_SORT_KEY = 32767;

function readSortKey(call: Call): number {
  const sent = trimmedReader("sort_key")(call);
  if (!/^\d{1,5}$/.test(sent) || Number(sent) > MAX_SORT_KEY) {
    throw new Fault("other", `The sort key must be an integer between 0 and ${MAX_SORT_KEY} inclusive. It is ${sent}.`);
  }
  return Number(sent);
}

function readGroupParameter(call: Call, parameter: string): string | null {
  const name = trimmedReader(parameter)(call);
  if (name === "") return null;
  idByName(call.store, "group", name);
  return name;
}

// By name there may be several types or none.
function findTypes(call: Call): TypeRow[] {
  const { ids, names } = readUpdateTargets(call);
  const types = [
    ...ids.map(
      (id) =>
        call.store.get<TypeRow>(`${TYPE} CAST(flag_types.id AS TEXT) = ?`, [id]) ??
        raise(faults.noSuchId("flagtype", id)),
    ),
    ...names.flatMap((name) => call.store.all<TypeRow>(`${TYPE} flag_types.name = ?`, [name])),
  ];
  for (const type of types) checkTypeEditor(call, type);
  return types;
}

const TYPE = `SELECT flag_types.id, flag_types.name, flag_types.description, flag_types.is_active, is_requestable,
    is_requesteeble, is_multiplicable, sort_key, cc_list, grants.name AS grant_group, requests.name AS request_group
  FROM flag_types
  LEFT JOIN groups AS grants ON grants.id = grant_group_id
  LEFT JOIN groups AS requests ON requests.id = request_group_id WHERE`;

const UPDATE_FLAG_TYPE = `UPDATE flag_types SET name = @name, description = @description, is_active = @is_active,
  is_requestable = @is_requestable, is_requesteeble = @is_requesteeble, is_multiplicable = @is_multiplicable,
  sort_key = @sort_key, cc_list = @cc_list, grant_group_id = (SELECT id FROM groups WHERE name = @grant_group),
  request_group_id = (SELECT id FROM groups WHERE name = @request_group) WHERE id = @id`;

const MAX_LENGTH = 50;

/** A valid flag type name. @throws Fault flag_type_name_invalid if it is empty, too long, or has spaces or commas */
export function readFlagTypeName(value: string): string {
  const name = value.trim();
  if (name === "" || [...name].length > MAX_LENGTH || /[\s,]/.test(name)) {
    const shownName = name === "" ? "" : `${name} `;
    throw new Fault(
      "flag_type_name_invalid",
      `The name ${shownName}must be 1-${MAX_LENGTH} characters long and must not contain any spaces or commas.`,
    );
  }
  return name;
}

/** A flag type's description. @throws Fault flag_type_description_invalid */
export function readFlagTypeDescription(value: string): string {
  const description = value.trim();
  if (description === "")
    throw new Fault("flag_type_description_invalid", "You must enter a description for this flag type.");
  return description;
}

/**
 * Updates `inclusions` and `exclusions` of a flag type, each a list of products or of objects like
 * `{"Product": ["Component"]}`; returns the `changes` of Update Flag Type.
 * @throws Fault product_access_denied or object_does_not_exist for an unknown product or component
 */
function updateInclusions(call: Call, typeId: number): ObjectChanges {
  const changes: Record<string, ObjectChanges[string]> = {};
  for (const list of ["inclusions", "exclusions"] as const) {
    if (call.input[list] === undefined) continue;
    const before = call.store.all<Scope>(`${READ[list]} WHERE type_id = ?`, [typeId]);
    const after = readScopes(call, list);
    const removed = scopesNotIn(before, after);
    const added = scopesNotIn(after, before);
    call.store.run(CLEAR[list], [typeId]);
    for (const { product_id, component_id } of after) call.store.run(ADD[list], [typeId, product_id, component_id]);
    if (removed.length + added.length === 0) continue;
    changes[list] = { removed: String(removed.length), added: String(added.length) };
  }
  return changes;
}

/** A product that a flag type is for, or is not, or one of its components; null for all. */
type Scope = { product_id: number | null; component_id: number | null };
type List = "inclusions" | "exclusions";

const READ: Readonly<Record<List, string>> = {
  inclusions: "SELECT product_id, component_id FROM flag_type_inclusions",
  exclusions: "SELECT product_id, component_id FROM flag_type_exclusions",
};
const CLEAR: Readonly<Record<List, string>> = {
  inclusions: "DELETE FROM flag_type_inclusions WHERE type_id = ?",
  exclusions: "DELETE FROM flag_type_exclusions WHERE type_id = ?",
};
const ADD: Readonly<Record<List, string>> = {
  inclusions: "INSERT INTO flag_type_inclusions (type_id, product_id, component_id) VALUES (?, ?, ?)",
  exclusions: "INSERT INTO flag_type_exclusions (type_id, product_id, component_id) VALUES (?, ?, ?)",
};

function readScopes(call: Call, list: List): Scope[] {
  const value = call.input[list];
  const items: Json[] = Array.isArray(value) ? value : [value ?? ""];
  return items.flatMap((item): Scope[] => {
    if (item === null || typeof item !== "object") return item === "" ? [] : [editableScope(call, String(item))];
    if (Array.isArray(item)) throw faults.wrongShape(list, "a list of products or of their components");
    const products = item as JsonObject;
    return Object.keys(products).flatMap((product) => {
      const names = textValues(products, product);
      return names.length === 0
        ? [editableScope(call, product)]
        : names.map((name) => editableScope(call, product, name));
    });
  });
}

function editableScope(call: Call, product: string, component?: string): Scope {
  const { store } = call;
  const { id } = store.get<Id>("SELECT id FROM products WHERE name = ?", [product]) ?? {};
  if (id === undefined || !mayEditComponents(call, id)) throw faults.noSuchProduct(product);
  if (component === undefined) return { product_id: id, component_id: null };
  const row = store.get<Id>("SELECT id FROM components WHERE product_id = ? AND name = ?", [id, component]);
  if (!row) throw faults.noSuchObject("component", component);
  return { product_id: id, component_id: row.id };
}

type Id = { id: number };

function scopesNotIn(scopes: readonly Scope[], others: readonly Scope[]): Scope[] {
  const keys = new Set(others.map(scopeKey));
  return scopes.filter((scope) => !keys.has(scopeKey(scope)));
}

function scopeKey({ product_id, component_id }: Scope): string {
  return `${product_id} ${component_id}`;
}
