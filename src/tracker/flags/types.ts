import type { Store } from "../store/store.ts";

/** A flag type as it is stored. */
export type FlagType = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly cc_list: string;
  readonly target: "bug" | "attachment";
  readonly is_active: number;
  readonly is_requestable: number;
  readonly is_requesteeble: number;
  readonly is_multiplicable: number;
  readonly sort_key: number;
  readonly grant_group_id: number | null;
  readonly request_group_id: number | null;
};

/** Where a flag may be set: a product, and one component of it or (null) any of them. */
export type FlagPlace = { readonly productId: number; readonly componentId: number | null };

/** The flag types that may be set in a place, in their order; active or not. */
export function flagTypesFor(store: Store, { productId, componentId }: FlagPlace): readonly FlagType[] {
  return store.all<FlagType>(TYPES, { product: productId, component: componentId });
}

const TYPES = `
  SELECT * FROM flag_types
  WHERE EXISTS (
      SELECT 1 FROM flag_type_inclusions WHERE type_id = flag_types.id
        AND (product_id IS NULL OR product_id = @product)
        AND (component_id IS NULL OR @component IS NULL OR component_id = @component))
    AND NOT EXISTS (
      SELECT 1 FROM flag_type_exclusions WHERE type_id = flag_types.id
        AND (product_id IS NULL OR product_id = @product)
        AND (component_id IS NULL OR component_id = @component))
  ORDER BY sort_key, name, id`;
