import type { Json, JsonObject } from "../../wire/exchange.ts";
import { findBug } from "../bugs/find.ts";
import { apiName } from "../bugs/names.ts";
import type { Call, Route } from "../call.ts";
import { Fault } from "../fault.ts";
import { loggedIn } from "../people/find.ts";
import { isIn } from "../people/requester.ts";
import { refuseReadOnly } from "../products/enter.ts";
import { loadBug } from "../record/load.ts";
import { asText } from "../rules/text.ts";
import { TIME_FIELDS } from "../rules/time-fields.ts";
import { type Applied, applyDraft } from "./apply.ts";
import { type Context, makeContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { refuseChangedSince } from "./precondition.ts";
import { draftChange } from "./steps.ts";

/** Update Bug: the same change for all bugs named, in the path and in `ids`; all of them are changed or none is. */
export const updateRoutes: readonly Route[] = [
  { method: "PUT", path: "/bug/{id_or_alias}", handle: (call) => updateBugs(call) },
];

function updateBugs(call: Call): Json {
  loggedIn(call);
  const bugIds = bugsToChange(call);
  refuseChangedSince(call, bugIds);
  const context = makeContext(call, { input: call.input, bugIds });
  const bugs = bugIds.map((id) => loadBug(call.store, id, context.customs));
  for (const { product } of bugs) {
    refuseReadOnly(call, product);
  }
  refuseForSeveral(context);
  const drafts = bugs.map((bug) => draftChange(context, bug));
  return { bugs: drafts.map((draft) => shown(context, draft, applyDraft(context, draft))) };
}

// A bug named twice, or by number and alias, is changed once.
function bugsToChange(call: Call): readonly number[] {
  const { ids: sent = [] } = call.input;
  const ids: readonly Json[] = Array.isArray(sent) ? sent : [sent];
  if (ids.some((id) => typeof id === "boolean" || (typeof id === "object" && id !== null))) {
    throw new Fault(400, 58, "The ids parameter must be an array of scalars (integers and/or strings).");
  }
  const named = [call.path["id_or_alias"] ?? "", ...ids.map((id) => asText(id, "ids"))];
  return [...new Set(named.map((text) => findBug(call, text)))];
}

function refuseForSeveral({ input, bugIds }: Context): void {
  if (bugIds.length > 1 && input["dupe_of"] !== undefined) {
    throw new Fault(400, 32000, "You cannot mark bugs as duplicates when changing several bugs at once.");
  }
  if (bugIds.length > 1 && input["alias"] !== undefined) {
    throw new Fault(400, 103, "You cannot set aliases when modifying multiple bugs at once.");
  }
}

// Closing a bug ends the hours left, which not everybody may know.
function shown({ call }: Context, { after }: Draft, { changes, lastChangeTime }: Applied): JsonObject {
  const isTimeTracker = isIn(call.requester, call.parameters.timetrackinggroup);
  const known = changes.filter(({ field }) => isTimeTracker || !TIME_FIELDS.has(field));
  return {
    id: after.id,
    alias: after.alias,
    last_change_time: lastChangeTime,
    changes: Object.fromEntries(known.map(({ field, removed, added }) => [apiName(field), { removed, added }])),
  };
}
