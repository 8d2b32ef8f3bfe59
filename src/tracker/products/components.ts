import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { type FlagType, flagTypesFor } from "../flags/types.ts";

/** The components of a product as the interface shows them, with the flag types that may be set there. */
export function componentsOf(call: Call, productId: number): readonly JsonObject[] {
  return call.store.all<Row>(COMPONENTS, [productId]).map((row) => shown(call, row, productId));
}

type Row = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly default_assigned_to: string;
  readonly default_qa_contact: string | null;
  readonly is_active: number;
};

const COMPONENTS = `
  SELECT components.id, name, description, owners.login AS default_assigned_to,
    contacts.login AS default_qa_contact, is_active
  FROM components
  JOIN users AS owners ON owners.id = default_assignee_id
  LEFT JOIN users AS contacts ON contacts.id = default_qa_contact_id
  WHERE product_id = ? ORDER BY name`;

function shown({ store }: Call, row: Row, productId: number): JsonObject {
  const types = flagTypesFor(store, { productId, componentId: row.id });
  const ofTarget = (target: FlagType["target"]) => types.filter((type) => type.target === target).map(shownType);
  return {
    ...row,
    default_qa_contact: row.default_qa_contact ?? "",
    is_active: row.is_active === 1,
    sort_key: 0,
    flag_types: { bug: ofTarget("bug"), attachment: ofTarget("attachment") },
  };
}

function shownType(type: FlagType): JsonObject {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    cc_list: type.cc_list,
    sort_key: type.sort_key,
    is_active: type.is_active === 1,
    is_requestable: type.is_requestable === 1,
    is_requesteeble: type.is_requesteeble === 1,
    is_multiplicable: type.is_multiplicable === 1,
    grant_group: type.grant_group_id,
    request_group: type.request_group_id,
  };
}
