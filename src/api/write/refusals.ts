import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Catalog } from "../catalog.ts";
import { moveRefusal } from "./moves.ts";
import { tieRefusal } from "./ties.ts";

/** A tracker as far as it decides what its bugs may become: its metadata, and the address under which their pages are. */
export type Ground = { readonly catalog: Catalog; readonly address: string };

/** The bugs that cannot take a change, each with the reason, as an error of its own. */
export function refusedBugs(
  bugs: readonly Bug[],
  body: JsonObject,
  { catalog, address }: Ground,
): readonly { readonly bug: Bug; readonly error: BtError }[] {
  return bugs.flatMap((bug) => {
    const refusal = tieRefusal(bug, body, address) ?? moveRefusal(bug, body, catalog);
    if (!refusal) return [];
    return [{ bug, error: new BtError("usage", refusal.why, { hint: refusal.hint, changed: "nothing" }) }];
  });
}

/** Throws for the bugs that cannot take a change, every one named; nothing has been sent yet. */
export function checkBugs(bugs: readonly Bug[], body: JsonObject, ground: Ground): void {
  const refused = refusedBugs(bugs, body, ground).map(({ error }) => error);
  const [first] = refused;
  if (!first) return;
  if (bugs.length === 1) throw first;
  throw new BtError("usage", `${refused.length} of ${bugs.length} bugs cannot make this change`, {
    details: refused.map(({ message }) => message),
    hint: first.facts.hint,
    changed: "nothing",
  });
}
