import { ADMIN } from "./admin/rows.ts";
import { ALIAS } from "./alias/rows.ts";
import { API } from "./api/rows.ts";
import { ATTACHMENT } from "./attachment/rows.ts";
import { AUTH } from "./auth/rows.ts";
import { BUG } from "./bug/rows.ts";
import { COMMENT } from "./comment/rows.ts";
import { COMPLETE, COMPLETION } from "./completion/rows.ts";
import { CONFIG } from "./config/rows.ts";
import { DOCTOR } from "./doctor/rows.ts";
import { FIELD } from "./field/rows.ts";
import { GROUP } from "./group/rows.ts";
import { JOB, JOBS, RESUME } from "./job/rows.ts";
import { MIGRATE } from "./migrate/rows.ts";
import { MIRROR } from "./mirror/rows.ts";
import { PRODUCT } from "./product/rows.ts";
import { REPORT } from "./report/rows.ts";
import { SERVE } from "./serve/rows.ts";
import { TAG } from "./tag/rows.ts";
import { TODO } from "./todo/rows.ts";
import { USER } from "./user/rows.ts";
import type { CommandTree } from "./verb.ts";

/** All commands: nouns with their verbs, and stand-alone verbs. */
export const TREE: CommandTree = {
  nouns: [
    BUG,
    COMMENT,
    ATTACHMENT,
    TAG,
    FIELD,
    GROUP,
    PRODUCT,
    USER,
    REPORT,
    JOB,
    MIRROR,
    MIGRATE,
    AUTH,
    CONFIG,
    ALIAS,
  ],
  verbs: [TODO, API, ADMIN, DOCTOR, JOBS, RESUME, SERVE, COMPLETION, COMPLETE],
  sections: [
    { heading: "Bugs", commands: ["bug", "comment", "attachment", "tag"] },
    { heading: "The tracker", commands: ["field", "group", "product", "user"] },
    { heading: "Work", commands: ["todo", "report", "job", "mirror", "migrate"] },
    {
      heading: "Settings, more",
      commands: ["auth", "config", "help"],
      brief: ["alias", "serve", "admin", "api", "completion", "doctor"],
    },
  ],
};
