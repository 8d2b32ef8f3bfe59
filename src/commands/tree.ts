import { admin } from "./admin.ts";
import { api } from "./api.ts";
import { AUTH } from "./auth.ts";
import { BUG } from "./bug.ts";
import { COMMENT } from "./comment.ts";
import { complete, completion } from "./completion.ts";
import { CONFIG } from "./config.ts";
import { FIELD } from "./field.ts";
import { GROUP } from "./group.ts";
import { jobs, resume } from "./jobs.ts";
import { serve } from "./serve.ts";
import { TAG } from "./tag.ts";
import type { Tree } from "./verb.ts";

/** Every command of `bt`: the nouns with their verbs, and the verbs that stand alone. */
export const TREE: Tree = {
  nouns: [BUG, COMMENT, TAG, FIELD, GROUP, AUTH, CONFIG],
  verbs: [api, admin, jobs, resume, serve, completion, complete],
};
