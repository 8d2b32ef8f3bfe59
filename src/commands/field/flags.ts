import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const FIELD_LIST_FLAGS = [
  { name: "custom", about: "only custom fields", group: "Criteria" },
] as const satisfies readonly CommandFlag[];

export const VALUES_FLAGS = [
  {
    name: "product",
    short: "p",
    value: "<product>",
    about: "values of this product; required for component, version and target_milestone",
    completes: "product",
    group: "Criteria",
  },
  {
    name: "product-id",
    value: "<id>",
    least: 0,
    about: "values of the product with this id",
    group: "Criteria",
  },
] as const satisfies readonly CommandFlag[];

/** Input of `bt field list`. */
export type FieldListInput = InputOf<typeof FIELD_LIST_FLAGS>;

/** Input of `bt field values`. */
export type ValuesInput = InputOf<typeof VALUES_FLAGS>;
