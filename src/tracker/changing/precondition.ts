import { updateToken } from "../bugs/token.ts";
import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";

/**
 * Refuses a change of bugs that somebody else has changed since they were read, for requesters who want that: `If-Match`
 * holds the update tokens of the bugs as they were read, with or without quotes, separated by commas.
 */
export function refuseChangedSince(call: Call, bugIds: readonly number[]): void {
  const wanted = call.headers["if-match"] ?? "*";
  const tokens = new Set(wanted.split(",").map((token) => token.trim().replace(/^"(.*)"$/, "$1")));
  const changed = tokens.has("*") ? [] : bugIds.filter((id) => !tokens.has(updateToken(call, id)));
  if (changed.length > 0) {
    throw new Fault(
      409,
      32000,
      `Somebody else changed bug ${changed.join(", ")} since you read it; nothing was changed.`,
    );
  }
}
