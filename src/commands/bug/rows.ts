import type { Noun } from "../verb.ts";
import { EDIT } from "./edit/rows.ts";
import { WAIT, WATCH } from "./follow/rows.ts";
import { EXPORT, IMPORT } from "./import/rows.ts";
import { BLAME, BUG_TREE, GET, HISTORY, SIMILAR } from "./read/rows.ts";
import { SEARCH } from "./search/rows.ts";
import { TRIAGE } from "./triage/rows.ts";
import { UNDO } from "./undo/rows.ts";
import { CLONE, CREATE } from "./write/create-rows.ts";
import { ANSWER, CLOSE, CONFIRM, DUP, NEEDINFO, REOPEN, TAKE, UPDATE } from "./write/rows.ts";

/** Verbs of `bt bug`. */
export const BUG: Noun = {
  name: "bug",
  about: "Search, read and change bugs.",
  get verbs() {
    return [
      SEARCH,
      GET,
      HISTORY,
      BLAME,
      BUG_TREE,
      SIMILAR,
      WAIT,
      WATCH,
      EXPORT,
      IMPORT,
      CREATE,
      CLONE,
      UPDATE,
      CLOSE,
      REOPEN,
      CONFIRM,
      DUP,
      TAKE,
      NEEDINFO,
      ANSWER,
      EDIT,
      TRIAGE,
      UNDO,
    ];
  },
};
