import { ADMIN } from "./admin/rows.ts";
import { ALIAS } from "./alias/rows.ts";
import { API } from "./api/rows.ts";
import { ATTACHMENT } from "./attachment/rows.ts";
import { AUTH } from "./auth/rows.ts";
import { BUG } from "./bug/rows.ts";
import { COMMENT } from "./comment/rows.ts";
import { COMPLETE, COMPLETION } from "./completion/rows.ts";
import { CONFIG } from "./config/rows.ts";
import { FIELD } from "./field/rows.ts";
import { GROUP } from "./group/rows.ts";
import { JOB } from "./job/rows.ts";
import { MCP } from "./mcp/rows.ts";
import { MIRROR } from "./mirror/rows.ts";
import { PRODUCT } from "./product/rows.ts";
import { SERVE } from "./serve/rows.ts";
import { TAG } from "./tag/rows.ts";
import { TODO } from "./todo/rows.ts";
import { USER } from "./user/rows.ts";
import type { CommandTree, HelpSection, Noun, Verb } from "./verb.ts";

/** The commands that help lists, by section. */
const SECTIONS: readonly HelpSection[] = [
  { heading: "Bugs", commands: [BUG, COMMENT, ATTACHMENT, TAG] },
  { heading: "The tracker", commands: [FIELD, GROUP, PRODUCT, USER] },
  { heading: "Work", commands: [TODO, JOB] },
  { heading: "Settings", commands: [AUTH, CONFIG, COMPLETION] },
  { heading: "More", commands: [], brief: [SERVE, ADMIN, MIRROR, MCP, ALIAS, API] },
];

const LISTED = SECTIONS.flatMap(({ commands, brief = [] }) => [...commands, ...brief]);

/** All commands. */
export const TREE: CommandTree = {
  sections: SECTIONS,
  nouns: LISTED.filter((command): command is Noun => "verbs" in command),
  verbs: [...LISTED.filter((command): command is Verb => !("verbs" in command)), COMPLETE],
};
