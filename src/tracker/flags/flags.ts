import type { Json, JsonObject } from "../../wire/exchange.ts";
import { type Bug, groupByBug, type SetFlag } from "../bug.ts";
import type { Call, Route } from "../http/call.ts";
import { faults, raise } from "../http/fault.ts";
import { accessibleProduct } from "../products/products.ts";
import type { Store } from "../store/store.ts";
import { presentLogin } from "../users/users.ts";
import { differenceBy, withBooleans } from "../values.ts";

/**
 * Routes of Get Flag Type: by product and optional component, with the statuses the requester may set.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html#get-flag-type
 */
export const flagTypeRoutes: readonly Route[] = [
  { method: "GET", path: "/flag_type/{product}", handle: (call) => listFlagTypes(call) },
  { method: "GET", path: "/flag_type/{product}/{component}", handle: (call) => listFlagTypes(call) },
];

function listFlagTypes(call: Call): Json {
  const { product: name = "", component } = call.path;
  const product = accessibleProduct(call, name);
  if (!product) throw faults.noSuchProduct(name);
  const componentId = component === undefined ? null : findComponentId(call, product.id, component);
  const types = flagTypesFor(call.store, { productId: product.id, componentId });
  const ofTarget = (target: FlagType["target"]) =>
    types.filter((type) => type.target === target).map((type) => presentFlagType(call, type, product.id));
  return { bug: ofTarget("bug"), attachment: ofTarget("attachment") };
}

function findComponentId({ store }: Call, productId: number, name: string): number {
  const sql = "SELECT id FROM components WHERE product_id = ? AND name = ?";
  return store.get<{ id: number }>(sql, [productId, name])?.id ?? raise(faults.noSuchObject("component", name));
}

function presentFlagType(call: Call, type: FlagType, productId: number): JsonObject {
  const { id, name, description, target, is_active, is_requesteeble, is_multiplicable } = type;
  const values = ["X"];
  if (mayRequestFlag(call, type)) values.push("?");
  if (mayGrantFlag(call, type)) values.push("+", "-");
  const inclusions = call.store.all<{ name: string }>(INCLUSIONS, [id, productId]).map((component) => component.name);
  return {
    ...{ id, name, description, type: target, values, is_active, is_requesteeble, is_multiplicable },
    ...(inclusions.length > 0 ? { inclusions } : {}),
  };
}

const INCLUSIONS = `SELECT components.name FROM flag_type_inclusions JOIN components ON components.id = component_id
  WHERE type_id = ? AND flag_type_inclusions.product_id = ? ORDER BY components.name`;

export type FlagType = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly cc_list: string;
  readonly target: "bug" | "attachment";
  readonly is_active: boolean;
  readonly is_requestable: boolean;
  readonly is_requesteeble: boolean;
  readonly is_multiplicable: boolean;
  readonly sort_key: number;
  readonly grant_group_id: number | null;
  readonly request_group_id: number | null;
};

export type FlagTypeWithRights = FlagType & { readonly mayRequest: boolean; readonly mayGrant: boolean };

/** Product and component of a bug; a null component stands for any. */
export type FlagTypeScope = { readonly productId: number; readonly componentId: number | null };

/** Flag types of a product and component in their order, inactive ones included. */
export function flagTypesFor(store: Store, { productId, componentId }: FlagTypeScope): FlagType[] {
  const rows = store.all(TYPES, { product: productId, component: componentId });
  return rows.map((row) => withBooleans(row) as unknown as FlagType);
}

const TYPES = `
  SELECT * FROM flag_types
  WHERE EXISTS (
      SELECT 1 FROM flag_type_inclusions WHERE type_id = flag_types.id
        AND (product_id IS NULL OR product_id = @product)
        AND (component_id IS NULL OR @component IS NULL OR component_id = @component))
  ORDER BY sort_key, name, id`;

/** Flag types of a bug's product and component for bugs or their attachments, with the requester's rights. */
export function flagTypesOfBug(
  call: Call,
  { product, component }: Bug,
  target: FlagType["target"] = "bug",
): FlagTypeWithRights[] {
  return flagTypesFor(call.store, { productId: product.id, componentId: component.id })
    .filter((type) => type.target === target)
    .map((type) => ({
      ...type,
      mayRequest: mayRequestFlag(call, type),
      mayGrant: mayGrantFlag(call, type),
    }));
}

/** True if the requester may request flags of this type; granting includes requesting. */
function mayRequestFlag(call: Call, type: FlagType): boolean {
  return isGroupMember(call, type.request_group_id) || (type.grant_group_id !== null && mayGrantFlag(call, type));
}

function mayGrantFlag(call: Call, type: FlagType): boolean {
  return isGroupMember(call, type.grant_group_id);
}

function isGroupMember({ store }: Call, group: number | null): boolean {
  return group === null || store.get("SELECT group_id FROM viewer_groups WHERE group_id = ?", [group]) !== undefined;
}

type FlagRow = {
  readonly id: number;
  readonly bug_id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter_id: number;
  readonly setter: string;
  readonly requestee_id: number | null;
  readonly requestee: string | null;
  readonly creation_date: string;
  readonly modification_date: string;
};

const FLAGS = `
  SELECT flags.id, bug_id, type_id, flag_types.name, status, setter_id, setters.login AS setter, requestee_id,
    requestees.login AS requestee, creation_date, modification_date
  FROM flags
  JOIN flag_types ON flag_types.id = type_id
  JOIN users AS setters ON setters.id = setter_id
  LEFT JOIN users AS requestees ON requestees.id = requestee_id`;
const BY_TYPE = "ORDER BY flag_types.sort_key, flag_types.name, type_id, flags.id";
const OF_BUGS = `${FLAGS} WHERE bug_id IN (SELECT value FROM json_each(?)) AND attachment_id IS NULL ${BY_TYPE}`;
const OF_OBJECT = `${FLAGS} WHERE bug_id = ? AND attachment_id IS ? ${BY_TYPE}`;
const OF_ATTACHMENT = `${FLAGS} WHERE attachment_id = ? ORDER BY flags.id`;

/** JSON of the flags of bugs, without those of attachments, by bug id in the order of types. */
export function presentBugFlags(call: Call, ids: readonly number[]): ReadonlyMap<number, readonly JsonObject[]> {
  return groupByBug(call.store.all<FlagRow>(OF_BUGS, [JSON.stringify(ids)]), (row) => presentFlag(call, row));
}

/** JSON of the flags of an attachment, oldest first. */
export function presentAttachmentFlags(call: Call, attachmentId: number): JsonObject[] {
  return call.store.all<FlagRow>(OF_ATTACHMENT, [attachmentId]).map((row) => presentFlag(call, row));
}

function presentFlag(call: Call, row: FlagRow): JsonObject {
  const { bug_id: _bug, setter_id: _setter, requestee_id: _requestee, setter, requestee, ...flag } = row;
  return {
    ...flag,
    setter: presentLogin(call, setter),
    ...(requestee === null ? {} : { requestee: presentLogin(call, requestee) }),
  };
}

/** Flags of a bug itself, or of one of its attachments, in the order of types. */
export function loadFlags(store: Store, bugId: number, attachmentId: number | null = null): SetFlag[] {
  return store.all<FlagRow>(OF_OBJECT, [bugId, attachmentId]).map((row) => ({
    id: row.id,
    type_id: row.type_id,
    name: row.name,
    status: row.status,
    setter: { id: row.setter_id, login: row.setter },
    requestee: row.requestee_id === null ? null : { id: row.requestee_id, login: row.requestee ?? "" },
  }));
}

/** Flags before and after an update: of a bug, or of one of its attachments. */
type FlagsChange = {
  readonly bugId: number;
  readonly attachmentId: number | null;
  readonly before: readonly SetFlag[];
  readonly after: readonly SetFlag[];
};

export function saveFlags({ store, now }: Call, { bugId, attachmentId, before, after }: FlagsChange): void {
  for (const { id } of differenceBy(before, after, (flag) => flag.id)) {
    store.run("DELETE FROM flags WHERE id = ?", [id]);
  }
  for (const flag of after) {
    const previous = before.find((other) => other.id === flag.id && flag.id !== 0);
    if (JSON.stringify(previous) === JSON.stringify(flag)) continue;
    const { id, type_id: type, status, setter, requestee } = flag;
    const row = { bugId, attachmentId, id, type, status, setter: setter.id, requestee: requestee?.id ?? null, now };
    store.run(previous ? CHANGE : ADD, row);
  }
}

const ADD = `
  INSERT INTO flags (bug_id, attachment_id, type_id, status, setter_id, requestee_id, creation_date, modification_date)
  VALUES (@bugId, @attachmentId, @type, @status, @setter, @requestee, @now, @now)`;
const CHANGE = `UPDATE flags SET type_id = @type, status = @status, setter_id = @setter, requestee_id = @requestee,
  modification_date = @now WHERE id = @id`;
