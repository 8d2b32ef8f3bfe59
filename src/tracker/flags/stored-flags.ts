import type { JsonObject } from "../../wire/exchange.ts";
import { groupByBug, type SetFlag } from "../bug.ts";
import { differenceBy } from "../bugs/list-edit.ts";
import type { Call } from "../http/call.ts";
import type { Store } from "../store/store.ts";
import { presentLogin } from "../users/present.ts";

/** A stored flag with the logins of setter and requestee. */
type FlagRow = {
  readonly id: number;
  readonly bug_id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter_id: number;
  readonly setter: string;
  readonly requestee_id: number | null;
  readonly requestee: string | null;
  readonly creation_date: string;
  readonly modification_date: string;
};

const FLAGS = `
  SELECT flags.id, bug_id, type_id, flag_types.name, status, setter_id, setters.login AS setter, requestee_id,
    requestees.login AS requestee, creation_date, modification_date
  FROM flags
  JOIN flag_types ON flag_types.id = type_id
  JOIN users AS setters ON setters.id = setter_id
  LEFT JOIN users AS requestees ON requestees.id = requestee_id`;
const BY_TYPE = "ORDER BY flag_types.sort_key, flag_types.name, type_id, flags.id";
const OF_BUGS = `${FLAGS} WHERE bug_id IN (SELECT value FROM json_each(?)) AND attachment_id IS NULL ${BY_TYPE}`;
const OF_OBJECT = `${FLAGS} WHERE bug_id = ? AND attachment_id IS ? ${BY_TYPE}`;
const OF_ATTACHMENT = `${FLAGS} WHERE attachment_id = ? ORDER BY flags.id`;

/** JSON of the flags of bugs, without those of attachments, by bug id in the order of types. */
export function presentBugFlags(call: Call, ids: readonly number[]): ReadonlyMap<number, readonly JsonObject[]> {
  return groupByBug(call.store.all<FlagRow>(OF_BUGS, [JSON.stringify(ids)]), (row) => presentFlag(call, row));
}

/** JSON of the flags of an attachment, oldest first. */
export function presentAttachmentFlags(call: Call, attachmentId: number): JsonObject[] {
  return call.store.all<FlagRow>(OF_ATTACHMENT, [attachmentId]).map((row) => presentFlag(call, row));
}

function presentFlag(call: Call, row: FlagRow): JsonObject {
  const { bug_id: _bug, setter_id: _setter, requestee_id: _requestee, setter, requestee, ...flag } = row;
  return {
    ...flag,
    setter: presentLogin(call, setter),
    ...(requestee === null ? {} : { requestee: presentLogin(call, requestee) }),
  };
}

/** Flags of a bug itself, or of one of its attachments, in the order of types. */
export function loadFlags(store: Store, bugId: number, attachmentId: number | null = null): SetFlag[] {
  return store.all<FlagRow>(OF_OBJECT, [bugId, attachmentId]).map((row) => ({
    id: row.id,
    type_id: row.type_id,
    name: row.name,
    status: row.status,
    setter: { id: row.setter_id, login: row.setter },
    requestee: row.requestee_id === null ? null : { id: row.requestee_id, login: row.requestee ?? "" },
  }));
}

/** Flags before and after an update: of a bug, or of one of its attachments. */
type FlagsChange = {
  readonly bugId: number;
  readonly attachmentId: number | null;
  readonly before: readonly SetFlag[];
  readonly after: readonly SetFlag[];
};

/** Stores the difference between two lists of flags. */
export function saveFlags({ store, now }: Call, { bugId, attachmentId, before, after }: FlagsChange): void {
  for (const { id } of differenceBy(before, after, (flag) => flag.id)) {
    store.run("DELETE FROM flags WHERE id = ?", [id]);
  }
  for (const flag of after) {
    const previous = before.find((other) => other.id === flag.id && flag.id !== 0);
    if (JSON.stringify(previous) === JSON.stringify(flag)) continue;
    const { id, type_id: type, status, setter, requestee } = flag;
    const row = { bugId, attachmentId, id, type, status, setter: setter.id, requestee: requestee?.id ?? null, now };
    store.run(previous ? CHANGE : ADD, row);
  }
}

const ADD = `
  INSERT INTO flags (bug_id, attachment_id, type_id, status, setter_id, requestee_id, creation_date, modification_date)
  VALUES (@bugId, @attachmentId, @type, @status, @setter, @requestee, @now, @now)`;
const CHANGE = `UPDATE flags SET type_id = @type, status = @status, setter_id = @setter, requestee_id = @requestee,
  modification_date = @now WHERE id = @id`;
