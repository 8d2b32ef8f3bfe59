import type { Json, JsonObject } from "../../wire/exchange.ts";
import { presentBugs } from "../bugs/read.ts";
import type { Call, Runtime } from "../http/call.ts";
import { readFieldSelection } from "../http/field-selection.ts";
import { createRouter, ROUTES } from "../http/routes.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";
import { becomeViewer, mirrorRequester, userByLogin } from "../users/requester.ts";
import type { StoredBug } from "./put-bug.ts";
import { readBackOf } from "./read-back.ts";
import { objectOf, objectsOf, timeOf, wholeOf } from "./received.ts";
import { keepRest } from "./rest.ts";
import type { ShortSteps } from "./short-steps.ts";

/** Store, clock and login of a mirror whose bugs are compared. */
type RestContext = { readonly store: Store; readonly runtime: Runtime; readonly login: string | null };

/**
 * Compares bugs that were just stored with what the tracker's own routes return of them, and stores the difference.
 * Comments and histories that are certain to be returned as received are not read.
 */
export function* keepRests(context: RestContext, bugs: readonly StoredBug[]): ShortSteps<void> {
  const call = callOf(context);
  keepRestsOfBugs(call, bugs);
  yield;
  const { hasSameComments, hasSameHistory } = readBackOf(call, bugs);
  keepRestsOfHistories(
    call,
    bugs.filter((bug) => !hasSameHistory(bug)),
  );
  const inComments = bugs.filter((bug) => !hasSameComments(bug));
  keepRestsOfParts(call, "comment", {
    bugs: inComments,
    input: {},
    received: ({ received }) => received.comments,
    read: (bug) => objectsOf(objectOf(bug)?.["comments"]),
  });
  keepRestsOfParts(call, "attachment", {
    bugs: bugs.filter(({ received }) => received.attachments.length > 0),
    input: { exclude_fields: "data" },
    received: ({ received }) => received.attachments,
    read: objectsOf,
  });
}

function keepRestsOfBugs(call: Call, bugs: readonly StoredBug[]): void {
  const selection = readFieldSelection({ include_fields: "_default,_custom" });
  const ids = bugs.map(({ id }) => id);
  const rows = new Map(presentBugs(call, ids, selection).map((bug) => [wholeOf(bug["id"]), bug]));
  for (const { id, received } of bugs) {
    const { update_token: _, tags: __, ...bug } = received.bug;
    keepRest(call.store, ["bug", id], { received: bug, read: rows.get(id) ?? {}, hasNone: true });
  }
}

function keepRestsOfHistories(call: Call, bugs: readonly StoredBug[]): void {
  const histories = new Map(
    objectsOf(readRoute(call, "/bug/0/history", bugs)["bugs"]).map((one) => [wholeOf(one["id"]), one]),
  );
  for (const { id, received } of bugs) {
    const read = { history: histories.get(id)?.["history"] ?? [] };
    keepRest(call.store, ["history", id], { received: { history: received.history }, read, hasNone: true });
  }
}

/** Bugs with parts of a kind, and the parts as received and as read. */
type PartsOfBugs = {
  readonly bugs: readonly StoredBug[];
  readonly input: JsonObject;
  readonly received: (bug: StoredBug) => readonly JsonObject[];
  readonly read: (bug: Json | undefined) => readonly JsonObject[];
};

function keepRestsOfParts(call: Call, kind: "comment" | "attachment", { bugs, input, ...parts }: PartsOfBugs): void {
  const answer = objectOf(readRoute({ ...call, input }, `/bug/0/${kind}`, bugs)["bugs"]);
  for (const bug of bugs) {
    const byId = new Map(parts.read(answer?.[String(bug.id)]).map((one) => [wholeOf(one["id"]), one]));
    for (const { data: _, ...received } of parts.received(bug)) {
      const id = wholeOf(received["id"]);
      keepRest(call.store, [kind, id], { received, read: byId.get(id) ?? {}, hasNone: true });
    }
  }
}

const router = createRouter(ROUTES);

function readRoute(call: Call, path: string, bugs: readonly StoredBug[]): JsonObject {
  if (bugs.length === 0) return {};
  const route = router.find("GET", path)?.route;
  return (route?.handle({ ...call, input: { ...call.input, ids: bugs.map(({ id }) => String(id)) } }) ??
    {}) as JsonObject;
}

/** A request of the mirror's user inside the transaction. */
function callOf({ store, runtime, login }: RestContext): Call {
  const parameters = readServerParameters(store);
  const user = login === null ? undefined : userByLogin(store, login);
  const requester = mirrorRequester(store, user?.id, parameters);
  becomeViewer(store, requester, parameters);
  const now = timeOf(runtime.now().toISOString());
  return {
    ...{ store, requester, parameters, now, runtime },
    ...{ path: {}, input: {}, headers: {}, address: "127.0.0.1" },
  };
}
