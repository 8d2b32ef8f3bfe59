import type { CommandFlag, Noun, Verb } from "../verb.ts";

/** Verbs of `bt field`. */
export const FIELD: Noun = {
  name: "field",
  about: "List bug fields and their legal values.",
  get verbs() {
    return [LIST, GET, VALUES];
  },
};

const PRODUCT: CommandFlag = {
  name: "product",
  short: "p",
  value: "<product>",
  about: "values of this product; required for component, version and target_milestone",
  completes: "product",
  group: "Criteria",
};

const PRODUCT_ID: CommandFlag = {
  name: "product-id",
  value: "<id>",
  about: "values of the product with this id, by the deprecated Legal Values resource",
  group: "Criteria",
};

const LIST: Verb = {
  name: "list",
  aliases: ["search"],
  about: "List the fields of bugs.",
  flags: [{ name: "custom", about: "only custom fields", group: "Criteria" }],
  output: "fields",
  examples: [
    { line: "bt field list", about: "all fields" },
    { line: "bt field list --custom --json", about: "custom fields, as returned by the tracker" },
  ],
  run: async () => (await import("./verbs.ts")).listFields,
};

const GET: Verb = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show a field: its type, where it is shown, and its values.",
  args: [{ name: "field", many: true, completes: "field names" }],
  flags: [],
  output: "fields",
  examples: [
    { line: "bt field get status", about: "statuses and their allowed transitions" },
    { line: "bt field get 9 --json", about: "a field by its id" },
  ],
  run: async () => (await import("./verbs.ts")).getFields,
};

const VALUES: Verb = {
  name: "values",
  about: "List the legal values of a field.",
  args: [{ name: "field", completes: "field names" }],
  flags: [PRODUCT, PRODUCT_ID],
  output: "values",
  examples: [
    { line: "bt field values priority", about: "in the tracker's order" },
    { line: "bt field values component --product Lantern", about: "components of one product" },
  ],
  run: async () => (await import("./verbs.ts")).listFieldValues,
};
