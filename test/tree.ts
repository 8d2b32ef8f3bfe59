import { commandTree } from "../src/commands/tree.ts";

/** All commands. */
export const TREE = await commandTree();
