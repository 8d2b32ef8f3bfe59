import type { MirrorFacts } from "../../wire/mirror.ts";
import type { Runtime } from "../http/call.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";
import { mirrorRequester, userByLogin } from "../users/requester.ts";
import type { MirrorCoverage } from "./judged-search.ts";

/** Coverage of a mirror, for judging searches. */
export function mirrorCoverage(store: Store, facts: MirrorFacts, runtime: Runtime): MirrorCoverage {
  const parameters = readServerParameters(store);
  const userId = facts.login === null ? undefined : userByLogin(store, facts.login)?.id;
  return {
    call: {
      store,
      parameters,
      runtime,
      requester: mirrorRequester(store, userId, parameters),
      now: `${runtime.now().toISOString().slice(0, 19)}Z`,
    },
    gaps: {
      hasContents: facts.attachments === "all",
      hasHours: () => hasHours(store),
      hasPrivate: () => hasPrivate(store),
      hasLogins: () => store.get("SELECT 1 FROM mirror_users WHERE is_shortened = 1 LIMIT 1") === undefined,
      hasGroups: () => store.get("SELECT 1 FROM mirror_rest WHERE kind = 'group' AND rest <> 'null'") !== undefined,
    },
  };
}

/** True if bugs were received with hours, which only those in the group of time tracking see. */
function hasHours(store: Store): boolean {
  const bug = store.get<{ readonly drop: string | null }>(FIRST_BUG);
  return bug !== undefined && !(JSON.parse(bug.drop ?? "[]") as readonly string[]).includes("estimated_time");
}

const FIRST_BUG = `SELECT rest ->> 'drop' AS "drop" FROM mirror_bugs
  LEFT JOIN mirror_rest ON kind = 'bug' AND id = bug_id WHERE state = 'held' LIMIT 1`;

/** True if something private was received, which only insiders see. */
function hasPrivate(store: Store): boolean {
  const tables = ["comments", "attachments"];
  return tables.some((table) => store.get(`SELECT 1 FROM ${table} WHERE is_private = 1 LIMIT 1`) !== undefined);
}
