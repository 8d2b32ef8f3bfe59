import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const PRODUCT_LIST_FLAGS = [
  {
    name: "type",
    value: "<type>",
    about: "accessible (default), selectable or enterable",
    choices: ["accessible", "selectable", "enterable"],
    group: "Criteria",
  },
] as const satisfies readonly CommandFlag[];

/** Input of `bt product list`. */
export type ProductListInput = InputOf<typeof PRODUCT_LIST_FLAGS>;
