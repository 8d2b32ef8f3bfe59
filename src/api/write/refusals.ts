import { BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Catalog } from "../catalog.ts";
import { moveRefusal, type Refusal } from "./moves.ts";
import type { Part } from "./parts.ts";
import { tieRefusal } from "./ties.ts";
import { wholeEditNames } from "./whole-edits.ts";

/**
 * What decides what bugs may become: the tracker's metadata, the address under which its pages are, and which bugs the verb
 * is for.
 */
export type Ground = { readonly catalog: Catalog; readonly address: string; readonly meant?: Meant | undefined };

/** The bugs that a verb is for: those in these statuses, and the word for them. */
export type Meant = { readonly statuses: readonly string[]; readonly word: string };

/** The bugs that cannot take a change, each with the reason, as an error of its own. */
export function refusedBugs(
  bugs: readonly Bug[],
  body: JsonObject,
  { catalog, address, meant }: Ground,
): readonly { readonly bug: Bug; readonly error: BtError }[] {
  return bugs.flatMap((bug) => {
    const refusal =
      tieRefusal(bug, body, address) ??
      moveRefusal(bug, body, catalog) ??
      strayRefusal(bug, body, meant) ??
      unknownStart(bug, body);
    if (!refusal) return [];
    return [{ bug, error: usage(refusal.why, refusal.hint) }];
  });
}

/** Throws for the bugs that cannot take their part of a change, with a line for every bug; nothing has been sent yet. */
export function checkBugs(parts: readonly Part[], bugs: readonly Bug[], ground: Ground): void {
  const refused = parts.flatMap((part) => refusedBugs(part.bugs, part.body, ground));
  const [first] = refused;
  if (!first) return;
  if (bugs.length === 1) throw first.error;
  const reasons = new Map(refused.map(({ bug, error }) => [bug.id, error.message]));
  throw new BtError("usage", `${refused.length} of ${bugs.length} bugs cannot make this change`, {
    details: bugs.map(({ id }) => reasons.get(id) ?? `bug ${id}: not changed`),
    hint: first.error.facts.hint,
    changed: "nothing",
  });
}

/** A verb such as `reopen` leaves alone what it is not for, though the workflow has a move from there. */
function strayRefusal({ id, status }: Bug, { status: to }: JsonObject, meant: Meant | undefined): Refusal | undefined {
  if (meant === undefined || status === to || meant.statuses.includes(status ?? "")) return undefined;
  return {
    why: `bug ${id} is ${status}, not ${meant.word}`,
    hint: `bt bug update ${id} --status ${to} moves it all the same`,
  };
}

/** A part of a field cannot be changed where the tracker does not show the field. */
function unknownStart(bug: Bug, body: JsonObject): Refusal | undefined {
  const name = wholeEditNames(body).find((one) => (bug as JsonObject)[one] === undefined);
  if (name === undefined) return undefined;
  return {
    why: `the tracker does not show ${name} of bug ${bug.id}, so no part of it can be changed`,
    hint: "set all of it",
  };
}
