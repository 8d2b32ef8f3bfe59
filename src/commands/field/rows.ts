import type { CommandFlag } from "../../command-flag.ts";
import { type Noun, row } from "../verb.ts";

const VALUES_FLAGS = [
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

export const FIELD: Noun = {
  name: "field",
  aliases: ["fields"],
  about: "List bug fields and their legal values.",
  verbs: [
    row({
      name: "list",
      aliases: ["search", "ls"],
      about: "List the fields of bugs.",
      flags: () => [{ name: "custom", about: "only custom fields", group: "Criteria" }],
      output: "fields",
      examples: [
        { line: "bt field list", about: "all fields" },
        { line: "bt field list --custom --json", about: "custom fields, as returned by the tracker" },
      ],
      run: async () => (await import("./fields.ts")).listFields,
    }),
    row({
      name: "get",
      aliases: ["view", "show"],
      about: "Show the type, the values and the use of fields.",
      args: [{ name: "field", many: true, completes: "field names" }],
      flags: () => [],
      output: "fields",
      examples: [
        { line: "bt field get status", about: "statuses and their allowed transitions" },
        { line: "bt field get 9 --json", about: "a field by its id" },
      ],
      run: async () => (await import("./fields.ts")).getFields,
    }),
    row({
      name: "values",
      about: "List the legal values of a field.",
      args: [{ name: "field", completes: "field names" }],
      flags: () => VALUES_FLAGS,
      output: "values",
      examples: [
        { line: "bt field values priority", about: "priorities, highest first" },
        { line: "bt field values component --product Lantern", about: "components of one product" },
      ],
      run: async () => (await import("./fields.ts")).listFieldValues,
    }),
  ],
};
