import { HAS_ONE_ALIAS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { once } from "../../wire/once.ts";
import { EVERY_BUG } from "../query/tree.ts";
import type { Searches } from "../search/searches.ts";
import { severalAliasesError } from "./body.ts";

/** Gives the body of a new bug its alias in the form in which the tracker has aliases. */
export type WithAliasForm = (body: JsonObject) => Promise<JsonObject>;

/**
 * Reads one bug, the first time that a new bug has an alias: on trackers that return an alias as text, a new bug takes
 * one text, and fails with a list. A text is right where no bug is visible, too: Bugzilla takes both.
 * @see Bugzilla/Bug.pm of bugzilla.mozilla.org, `_check_alias`
 */
export function aliasForm(searches: Searches): WithAliasForm {
  const takesText = once(() => hasTextAliases(searches));
  return async (body) => {
    const aliases = body["alias"];
    if (!Array.isArray(aliases) || aliases.length === 0) return body;
    if (!(await takesText())) return body;
    const [alias = "", other] = aliases;
    if (other === undefined) return { ...body, alias };
    throw severalAliasesError(alias, other);
  };
}

async function hasTextAliases({ first }: Searches): Promise<boolean> {
  const [bug] = await first({ query: EVERY_BUG }, { include: ["alias"], limit: 1 });
  return bug === undefined || HAS_ONE_ALIAS in bug;
}
