import type { Noun, VerbRow } from "../verb.ts";
import { PRODUCT_LIST_FLAGS } from "./flags.ts";

const LIST: VerbRow<typeof PRODUCT_LIST_FLAGS> = {
  name: "list",
  aliases: ["search", "ls"],
  about: "List the products visible to you.",
  details: `Selectable products can be searched, enterable ones accept new bugs, and accessible ones are either. bt product get
shows components, versions and milestones.`,
  flags: PRODUCT_LIST_FLAGS,
  output: "products",
  examples: [
    { line: "bt product list", about: "all products visible to you" },
    { line: "bt product list --type enterable --fields name", about: "products that accept new bugs" },
  ],
  run: async () => (await import("./list.ts")).listProducts,
};

const GET: VerbRow = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show products by id or name, with their components, versions and milestones.",
  args: [{ name: "product", many: true, completes: "product" }],
  flags: [],
  output: "products",
  examples: [
    { line: "bt product get Lantern", about: "a product as a card" },
    { line: "bt product get Lantern --json=name,components", about: "its components, as returned by the tracker" },
  ],
  run: async () => (await import("./get.ts")).getProducts,
};

/** Verbs of `bt product`. */
export const PRODUCT: Noun = {
  name: "product",
  aliases: ["products"],
  about: "List products, and show their components, versions and milestones.",
  verbs: [LIST, GET],
};
