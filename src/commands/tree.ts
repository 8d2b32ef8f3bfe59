import { api } from "./api.ts";
import { BUG } from "./bug.ts";
import { complete, completion } from "./completion.ts";
import { FIELD } from "./field.ts";
import type { Tree } from "./verb.ts";

/** Every command of `bt`: the nouns with their verbs, and the verbs that stand alone. */
export const TREE: Tree = {
  nouns: [BUG, FIELD],
  verbs: [api, completion, complete],
};
