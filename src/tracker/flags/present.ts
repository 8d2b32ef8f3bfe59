import type { JsonObject } from "../../wire/exchange.ts";
import { groupByBug } from "../bug.ts";
import type { Call } from "../http/call.ts";
import { presentLogin } from "../users/present.ts";

/** JSON of the flags of bugs, without those of attachments, by bug id in the order of types. */
export function presentBugFlags(call: Call, ids: readonly number[]): ReadonlyMap<number, readonly JsonObject[]> {
  return groupByBug(
    call.store.all<FlagRow>(`${SELECT_FLAGS} WHERE ${OF_BUGS} ${IN_ORDER}`, [JSON.stringify(ids)]),
    (row) => presentFlag(call, row),
  );
}

const OF_BUGS = "flags.bug_id IN (SELECT value FROM json_each(?)) AND flags.attachment_id IS NULL";

/** SELECT of flags as `FlagRow`, to be followed by WHERE and ORDER BY. */
export const SELECT_FLAGS = `
  SELECT flags.id, flags.bug_id, flags.type_id, flag_types.name, flags.status, setters.login AS setter,
    requestees.login AS requestee, flags.creation_date, flags.modification_date
  FROM flags
  JOIN flag_types ON flag_types.id = flags.type_id
  JOIN users AS setters ON setters.id = flags.setter_id
  LEFT JOIN users AS requestees ON requestees.id = flags.requestee_id`;

/** A stored flag with the logins of setter and requestee. */
export type FlagRow = {
  id: number;
  bug_id: number;
  type_id: number;
  name: string;
  status: string;
  setter: string;
  requestee: string | null;
  creation_date: string;
  modification_date: string;
};

export function presentFlag(call: Call, { bug_id: _bug, setter, requestee, ...flag }: FlagRow): JsonObject {
  return {
    ...flag,
    setter: presentLogin(call, setter),
    ...(requestee === null ? {} : { requestee: presentLogin(call, requestee) }),
  };
}

const IN_ORDER = "ORDER BY flag_types.sort_key, flag_types.name, flag_types.id, flags.id";
