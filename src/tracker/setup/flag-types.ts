import type { Store } from "../store/store.ts";
import { idOf, yesNo } from "./lookup.ts";

/** A flag type, and where it may be set: everywhere, or in some products (or components, as `Product/Component`). */
export type FlagTypeSetup = {
  readonly name: string;
  readonly description?: string;
  readonly target?: "bug" | "attachment";
  readonly is_active?: boolean;
  readonly is_requestable?: boolean;
  readonly is_requesteeble?: boolean;
  readonly is_multiplicable?: boolean;
  readonly sort_key?: number;
  readonly grant_group?: string;
  readonly request_group?: string;
  readonly places?: readonly string[];
};

/** Makes the flag types that are not there yet. */
export const applyFlagTypes = (store: Store, types: readonly FlagTypeSetup[]): void => {
  for (const type of types) {
    const known = store.get("SELECT id FROM flag_types WHERE name = ? AND target = ?", [
      type.name,
      type.target ?? "bug",
    ]);
    if (!known) {
      addFlagType(store, type);
    }
  }
};

const TYPE = `
  INSERT INTO flag_types (name, description, target, is_active, is_requestable, is_requesteeble, is_multiplicable,
    sort_key, grant_group_id, request_group_id)
  VALUES (@name, @description, @target, @is_active, @is_requestable, @is_requesteeble, @is_multiplicable, @sort_key,
    @grant_group, @request_group)`;

const DEFAULTS = {
  description: "",
  target: "bug",
  is_active: true,
  is_requestable: true,
  is_requesteeble: true,
  is_multiplicable: true,
  sort_key: 0,
} as const;

const addFlagType = (store: Store, type: FlagTypeSetup): void => {
  const group = (name: string | undefined) => (name === undefined ? null : idOf(store, "group", name));
  const said = { ...DEFAULTS, ...type };
  const { id } = store.run(TYPE, {
    name: said.name,
    description: said.description,
    target: said.target,
    is_active: yesNo(said.is_active),
    is_requestable: yesNo(said.is_requestable),
    is_requesteeble: yesNo(said.is_requesteeble),
    is_multiplicable: yesNo(said.is_multiplicable),
    sort_key: said.sort_key,
    grant_group: group(said.grant_group),
    request_group: group(said.request_group),
  });
  for (const place of type.places ?? [""]) {
    const [product = "", component] = place.split("/");
    const productId = product === "" ? null : idOf(store, "product", product);
    store.run(
      `INSERT INTO flag_type_inclusions (type_id, product_id, component_id)
       VALUES (?, ?, (SELECT id FROM components WHERE product_id = ? AND name = ?))`,
      [id, productId, productId, component ?? ""],
    );
  }
};
