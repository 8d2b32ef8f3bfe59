import { type Noun, row } from "../verb.ts";

export const PRODUCT: Noun = {
  name: "product",
  aliases: ["products"],
  about: "List products, and show their components, versions and milestones.",
  verbs: [
    row({
      name: "list",
      aliases: ["search", "ls"],
      about: "List the products visible to you.",
      details: "bt product get shows components, versions and milestones.",
      flags: () => [],
      output: "products",
      examples: [
        { line: "bt product list", about: "all products visible to you" },
        { line: "bt product list --fields name", about: "their names, for a script" },
      ],
      run: async () => (await import("./products.ts")).listProducts,
    }),
    row({
      name: "get",
      aliases: ["view", "show"],
      about: "Show products by id or name, with their components, versions and milestones.",
      args: [{ name: "product", many: true, completes: "product" }],
      flags: () => [],
      output: "products",
      examples: [
        { line: "bt product get Lantern", about: "a product as a card" },
        { line: "bt product get Lantern --json=name,components", about: "its components, as returned by the tracker" },
      ],
      run: async () => (await import("./products.ts")).getProducts,
    }),
  ],
};
