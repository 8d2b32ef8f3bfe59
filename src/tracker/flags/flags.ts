import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { isNew, maySeeBug, type UpdateStep, type WriteContext, withBug } from "../bugs/draft.ts";
import { type Bug, groupByBug, type NamedItem, type Person, type SetFlag } from "../fields.ts";
import { type Call, findPerson, groupsOfUser } from "../http/call.ts";
import { isTruthy } from "../http/input.ts";
import type { Store } from "../store/store.ts";
import { presentLogin } from "../users/users.ts";
import { asText, differenceBy, Fault, faults, uniqueById, withBooleans } from "../values.ts";

export type FlagType = NamedItem & {
  readonly description: string;
  readonly target: "bug" | "attachment";
  readonly is_active: boolean;
  readonly is_requestable: boolean;
  readonly is_requesteeble: boolean;
  readonly is_multiplicable: boolean;
  readonly grant_group_id: number | null;
  readonly request_group_id: number | null;
};

type Flags = readonly SetFlag[];

/** Flag types of a product and component (null: any) in their order, inactive ones included. */
export function loadFlagTypes(store: Store, productId: number, componentId: number | null): FlagType[] {
  const rows = store.all(TYPES, { productId, componentId });
  return rows.map((row) => withBooleans(row) as unknown as FlagType);
}

const TYPES = `
  SELECT * FROM flag_types
  WHERE EXISTS (
      SELECT 1 FROM flag_type_inclusions WHERE type_id = flag_types.id
        AND (product_id IS NULL OR product_id = @productId)
        AND (component_id IS NULL OR @componentId IS NULL OR component_id = @componentId))
  ORDER BY sort_key, name, id`;

/** Flag types of a bug's product and component for bugs or their attachments. */
function flagTypesOfBug({ store }: Call, { product, component }: Bug, target: FlagType["target"]): FlagType[] {
  return loadFlagTypes(store, product.id, component.id).filter((type) => type.target === target);
}

/** True if the requester may request flags of this type; members of its grant group always may. */
export function mayRequestFlag(call: Call, type: FlagType): boolean {
  return isInRequiredGroup(call, type.request_group_id) || (type.grant_group_id !== null && mayGrantFlag(call, type));
}

export function mayGrantFlag(call: Call, type: FlagType): boolean {
  return isInRequiredGroup(call, type.grant_group_id);
}

/** True if the requester is in the group that a flag type requires; null: none is required. */
function isInRequiredGroup({ store }: Call, groupId: number | null): boolean {
  if (groupId === null) return true;
  return store.get("SELECT group_id FROM viewer_groups WHERE group_id = ?", [groupId]) !== undefined;
}

type FlagRow = Omit<SetFlag, "setter" | "requestee"> & {
  readonly bug_id: number;
  readonly setter_id: number;
  readonly setter: string;
  readonly requestee_id: number | null;
  readonly requestee: string | null;
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
  return groupByBug(call.store.all<FlagRow>(OF_BUGS, [ids]), (row) => presentFlag(call, row));
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

/** Stores the changed flags of a bug, or of one of its attachments. */
export function saveFlags(
  { store, now }: Call,
  bugId: number,
  attachmentId: number | null,
  before: Flags,
  after: Flags,
): void {
  for (const { id } of differenceBy(before, after, (flag) => flag.id))
    store.run("DELETE FROM flags WHERE id = ?", [id]);
  for (const flag of after) {
    const previous = before.find((other) => other.id === flag.id && flag.id !== 0);
    if (JSON.stringify(previous) === JSON.stringify(flag)) continue;
    const { id, type_id: type, status, setter, requestee } = flag;
    const row = { bugId, attachmentId, id, type, status, setter: setter.id, requestee: requestee?.id ?? null, now };
    store.run(previous ? UPDATE : INSERT, row);
  }
}

const INSERT = `
  INSERT INTO flags (bug_id, attachment_id, type_id, status, setter_id, requestee_id, creation_date, modification_date)
  VALUES (@bugId, @attachmentId, @type, @status, @setter, @requestee, @now, @now)`;
const UPDATE = `UPDATE flags SET type_id = @type, status = @status, setter_id = @setter, requestee_id = @requestee,
  modification_date = @now WHERE id = @id`;

/** Update of flags. New requestees are added to CC. The flags of a new bug are edited when it is stored. */
export const updateBugFlags: UpdateStep = (context, draft) => {
  if (isNew(draft)) return draft;
  const { after } = draft;
  const flags = editFlags(context, after, after.flags, "bug");
  return withBug(draft, { flags, cc: addRequesteesToCc(after.cc, after.flags, flags) });
};

/** The flags of a bug or of one of its attachments, after the edits of a request. @see Bugzilla/Flag.pm, set_flag */
export function editFlags(
  { call, input, user }: WriteContext,
  bug: Bug,
  flags: Flags,
  target: FlagType["target"],
): Flags {
  const sent = input["flags"] ?? [];
  if (!Array.isArray(sent)) throw faults.wrongShape("flags", "a list of objects");
  const edits = sent.map((item: Json) => readFlagEdit(call, item));
  const context = { call, types: flagTypesOfBug(call, bug, target), setter: user, bugId: bug.id };
  return edits.reduce((list, edit) => applyFlagEdit(list, edit, context), flags);
}

/** An edit of a flag; what was not sent is "". */
type FlagEdit = ReturnType<typeof readFlagEdit>;

/** The flag types for the bug's product and component, and the requester. */
type FlagContext = {
  readonly call: Call;
  readonly types: readonly FlagType[];
  readonly setter: Person;
  readonly bugId: number;
};

/** A CC list with the new requestees of flags; the list itself if there are none. */
export function addRequesteesToCc(cc: readonly Person[], before: Flags, after: Flags): readonly Person[] {
  const requests = differenceBy(after, before, (flag) => `${flag.id} ${flag.requestee?.id ?? ""}`);
  const people = requests.flatMap(({ requestee }) => requestee ?? []);
  return people.length === 0 ? cc : uniqueById([...cc, ...people]);
}

/** @throws Fault object_does_not_exist for an unknown requestee */
function readFlagEdit(call: Call, item: Json) {
  if (!isObject(item)) throw faults.wrongShape("flags", "a list of objects");
  const read = (name: string) => asText(item[name], `flags.${name}`).trim();
  const readUnlessZero = (name: string) => (isTruthy(item, name) ? read(name) : "");
  const login = read("requestee");
  return {
    id: readUnlessZero("id"),
    type_id: readUnlessZero("type_id"),
    name: readUnlessZero("name"),
    status: read("status"),
    requestee: login === "" ? null : findPerson(call, login),
    isNew: isTruthy(item, "new"),
  };
}

/** Refuses a requestee who may not see the bug, or set the flag. @throws Fault other */
function checkRequestee({ call, bugId }: FlagContext, type: FlagType, person: Person): void {
  if (!maySeeBug(call, person.id, bugId))
    throw new Fault(
      "other",
      `You asked ${displayName(call, person)} for ${type.name} on bug ${bugId}, but that bug has been restricted to users in certain groups, and the user you asked isn't in all the groups to which the bug has been restricted. Please choose someone else to ask, or make the bug accessible to users on its CC: list and add that user to the list.`,
    );
  const groups = groupsOfUser(call.store, person.id);
  if (type.grant_group_id !== null && !groups.some(({ id }) => id === type.grant_group_id))
    throw new Fault(
      "other",
      `${displayName(call, person)} does not have permission to set the flag ${type.name}. Please choose someone else to ask.`,
    );
}

function displayName({ store }: Call, { id, login }: Person): string {
  const name = store.values<string>("SELECT real_name FROM users WHERE id = ?", [id])[0] ?? "";
  return name === "" ? login : `${name} <${login}>`;
}

/** The flags after an edit, which sets, changes or clears a flag. @throws Fault if it is refused */
function applyFlagEdit(flags: Flags, edit: FlagEdit, context: FlagContext): Flags {
  const { flag: existing, type } = findFlagAndType(flags, edit, context);
  if (!existing && edit.status === "X") return flags;
  const flag = existing ?? newFlag(flags, type, context);
  const changed = updateFlag(flag, edit, type, context);
  const all = existing ? flags.map((other) => (other === flag ? changed : other)) : [...flags, changed];
  return all.filter(({ status }) => status !== "X");
}

/** The flag type that an edit names, and its stored flag, unless there is none or `new` is set. */
function findFlagAndType(flags: Flags, edit: FlagEdit, { types }: FlagContext) {
  if (edit.id !== "") {
    const flag = flags.find(({ id }) => String(id) === edit.id);
    const type = types.find(({ id }) => id === flag?.type_id);
    if (!flag || !type) throw faults.noSuchId("flag", edit.id);
    return { flag, type };
  }
  const byId = types.find(({ id }) => String(id) === edit.type_id);
  if (edit.type_id !== "" && !byId) throw faults.noSuchId("flagtype", edit.type_id);
  const type = byId ?? findTypeByName(types, edit.name);
  const isNamed = (flag: SetFlag) => (byId ? flag.type_id === byId.id : flag.name === type.name);
  const named = edit.isNew ? [] : flags.filter((flag) => isNamed(flag) && flag.id !== 0);
  if (named.length > 1)
    throw new Fault(
      "flag_not_unique",
      `The flag '${edit.type_id || type.name}' has been set multiple times. You must specify the id value to update the flag.`,
    );
  return { flag: named[0], type };
}

function findTypeByName(types: readonly FlagType[], name: string): FlagType {
  if (name === "")
    throw new Fault(
      "param_required",
      "The function Bugzilla::Flag->set_flag requires a id/type_id argument, and that argument was not set.",
    );
  const [type, second] = types.filter((candidate) => candidate.name === name);
  if (!type) throw faults.noSuchObject("flagtype", name);
  if (second)
    throw new Fault(
      "flag_type_not_unique",
      `The flag type '${name}' matches several flag types. You must specify the type id value to update or add a flag.`,
    );
  return type;
}

function newFlag(flags: Flags, type: FlagType, { setter }: FlagContext): SetFlag {
  if (!type.is_active)
    throw new Fault(
      "flag_type_inactive",
      `The flag type ${type.name} is inactive and cannot be used to create new flags.`,
    );
  if (!type.is_multiplicable && flags.some((flag) => flag.type_id === type.id))
    throw new Fault("other", `You cannot have several ${type.name} flags for this bug.`);
  return { id: 0, type_id: type.id, name: type.name, status: "", setter, requestee: null };
}

function updateFlag(flag: SetFlag, edit: FlagEdit, type: FlagType, context: FlagContext): SetFlag {
  const { status } = edit;
  const isNewRequest = status === "?" && flag.status !== "?";
  if (!["?", "+", "-", "X"].includes(status) || (isNewRequest && !type.is_requestable))
    throw new Fault("flag_status_invalid", `The flag status ${status === "" ? "" : `${status} `}is invalid.`);
  const requestee = status === "?" ? edit.requestee : null;
  if (requestee && requestee.id !== flag.requestee?.id) {
    if (!type.is_requesteeble)
      throw new Fault("flag_type_requestee_disabled", `You can't ask a specific person for ${type.name}.`);
    checkRequestee(context, type, requestee);
  }
  if (status === flag.status) return { ...flag, requestee };
  checkStatusRight(context.call, status, type);
  return { ...flag, status, requestee, setter: context.setter };
}

const VERBS: Readonly<Record<string, string>> = { "+": "grant", "-": "deny", "?": "request" };

// Clearing requires no right on the flag type.
function checkStatusRight(call: Call, status: string, type: FlagType): void {
  const isPermitted = status === "X" || mayGrantFlag(call, type) || (status === "?" && mayRequestFlag(call, type));
  if (!isPermitted)
    throw new Fault(
      "flag_update_denied",
      `You tried to ${VERBS[status]} ${type.name}. Only a user with the required permissions may make this change.`,
    );
}

/**
 * The flags of a bug whose product or component changed: kept if their type applies, moved to a type of the same name, or
 * removed.
 * @see Bugzilla/Flag.pm, force_retarget
 */
export function flagsAfterMove(call: Call, bug: Bug): SetFlag[] {
  const types = flagTypesOfBug(call, bug, "bug");
  return bug.flags.flatMap((flag) => {
    const type = types.find(({ id }) => id === flag.type_id) ?? types.find(({ name }) => name === flag.name);
    return type ? { ...flag, type_id: type.id } : [];
  });
}
