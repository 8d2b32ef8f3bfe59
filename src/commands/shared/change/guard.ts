import { sameValue, stateFields } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import { readMoment } from "../text/input-text.ts";
import type { ChangeOptions } from "./edit.ts";

/**
 * The refusal of a bug that was modified after a moment (ISO 8601, UTC), or within its second in a
 * value that the edit sets; undefined if it was not.
 */
export function guard(
  now: Bug,
  since: string,
  edit?: { readonly bug: Bug; readonly body: JsonObject },
): BtError | undefined {
  const { id, last_change_time: changed } = now;
  if (!changed) {
    const sentence = `cannot tell whether bug ${id} was modified: the tracker does not return when it changed`;
    return new BtError("guard", sentence);
  }
  const { bug: read = now, body = {} } = edit ?? {};
  const others = stateFields(body).filter((name) => !sameValue((read as JsonObject)[name], (now as JsonObject)[name]));
  if (changed <= since && others.length === 0) return undefined;
  const what = others.length > 0 ? `: ${others.join(", ")}` : "";
  const reason = `modified since (${changed})${what}`;
  return new BtError("collision", `bug ${id} was ${reason}`, {
    reason,
    hint: `bt bug history ${id} shows the changes`,
  });
}

/** The moment after which a bug must not have been modified: of its row, a flag, or its reading. */
export function sinceOf(
  { bug, since }: { bug: Bug; since?: string | undefined },
  { ifUnchanged, unchangedSince }: ChangeOptions,
  context: Context,
): string | undefined {
  const given = unchangedSince === undefined ? undefined : readMoment(unchangedSince, context);
  if (!ifUnchanged && given === undefined && since === undefined) return undefined;
  return [since, given, bug.last_change_time ?? undefined].filter((time) => time !== undefined).sort()[0] ?? "";
}
