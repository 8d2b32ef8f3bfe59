import type { Json } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Bug, NamedItem, Person, SetFlag } from "../bug.ts";
import { isNew, type UpdateStep, type WriteContext, withBug } from "../bugs/draft.ts";
import { maySeeBug } from "../bugs/find.ts";
import type { Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { findPerson, groupsOfUser } from "../http/requester.ts";
import { asText, differenceBy, uniqueBy } from "../values.ts";
import { type FlagType, type FlagTypeWithRights, flagTypesOfBug } from "./flags.ts";

/** Update of flags. New requestees are added to CC. The flags of a new bug are edited when it is stored. */
export const updateBugFlags: UpdateStep = (context, draft) => {
  if (isNew(draft)) return draft;
  const { after } = draft;
  const flags = editFlags(context, after, after.flags, "bug");
  return withBug(draft, { flags, cc: withRequestees(after.cc, after.flags, flags) });
};

/** The flags of a bug or of one of its attachments, after the edits of a request. @see Bugzilla/Flag.pm, set_flag */
export function editFlags(
  { call, input, user }: WriteContext,
  bug: Bug,
  flags: readonly SetFlag[],
  target: FlagType["target"],
): readonly SetFlag[] {
  const edits = readFlagEdits(call, input["flags"]);
  if (edits.length === 0) return flags;
  const context = { call, types: flagTypesOfBug(call, bug, target), setter: user, bugId: bug.id };
  return edits.reduce((list, edit) => applyFlagEdit(list, edit, context), flags);
}

/** One flag edit as sent, with `requestee` resolved. */
type FlagEdit = {
  readonly id?: string;
  readonly type_id?: string;
  readonly name?: string;
  readonly status: string;
  readonly requestee: Person | null;
  readonly isNew: boolean;
};

/** The flag types of the product and component of a bug, the requester, and what the flags are set on. */
type FlagContext = {
  readonly call: Call;
  readonly types: readonly FlagTypeWithRights[];
  readonly setter: Person;
  readonly bugId: number;
};

/** A CC list with the new requestees of flags; itself without such. */
export function withRequestees(
  cc: readonly Person[],
  before: readonly SetFlag[],
  after: readonly SetFlag[],
): readonly Person[] {
  const requests = differenceBy(after, before, (flag) => `${flag.id} ${flag.requestee?.id ?? ""}`);
  const people = requests.flatMap(({ requestee }) => requestee ?? []);
  return people.length === 0 ? cc : uniqueBy([...cc, ...people], ({ id }) => id);
}

/** Flag edits as sent; none without a value. @throws Fault param_required or object_does_not_exist */
function readFlagEdits(call: Call, value: Json | undefined): FlagEdit[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw faults.wrongShape("flags", "a list of objects");
  return value.map((item: Json) => readFlagEdit(call, item));
}

function readFlagEdit(call: Call, item: Json): FlagEdit {
  if (!isObject(item)) throw faults.wrongShape("flags", "a list of objects");
  const textOf = (name: string) => asText(item[name], `flags.${name}`).trim();
  const login = textOf("requestee");
  const named = ["id", "type_id", "name"].filter((name) => isFlagSet(item, name));
  return {
    ...Object.fromEntries(named.map((name) => [name, textOf(name)])),
    status: textOf("status"),
    requestee: login === "" ? null : findPerson(call, login),
    isNew: isFlagSet(item, "new"),
  };
}

/** Refuses a requestee who may not see the bug, or set the flag. @throws Fault other */
function checkRequestee({ call, bugId }: FlagContext, type: FlagTypeWithRights, person: Person): void {
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
  const name = String(store.get("SELECT real_name FROM users WHERE id = ?", [id])?.["real_name"] ?? "");
  return name === "" ? login : `${name} <${login}>`;
}

/**
 * The flags after one edit, which sets, changes or clears one.
 * @throws Fault object_does_not_exist, one of the flag errors or other if the edit is invalid or not permitted
 * @see Bugzilla/Flag.pm, set_flag
 */
function applyFlagEdit(flags: readonly SetFlag[], edit: FlagEdit, context: FlagContext): readonly SetFlag[] {
  const target = findTarget(flags, edit, context);
  if (!target.flag && edit.status === "X") return flags;
  const flag = target.flag ?? newFlag(flags, target.type, context);
  const changed = updateFlag(flag, edit, target.type, context);
  const flagsLeft = flags.map((other) => (other === flag ? changed : other)).filter(({ status }) => status !== "X");
  return target.flag ? flagsLeft : [...flags, changed];
}

type Target = { flag: SetFlag | undefined; type: FlagTypeWithRights };

// The stored flag by id, type or name; none with `new`.
function findTarget(flags: readonly SetFlag[], edit: FlagEdit, { types }: FlagContext): Target {
  if (edit.id !== undefined) {
    const flag = flags.find(({ id }) => String(id) === edit.id);
    const type = types.find(({ id }) => id === flag?.type_id);
    if (!flag || !type) throw faults.noSuchId("flag", edit.id);
    return { flag, type };
  }
  const byId = types.find(({ id }) => String(id) === edit.type_id);
  if (edit.type_id !== undefined && !byId) throw faults.noSuchId("flagtype", edit.type_id);
  const type = byId ?? typeByName(types, edit.name);
  const isSame = (flag: SetFlag) => (byId ? flag.type_id === byId.id : flag.name === type.name);
  const set = edit.isNew ? [] : flags.filter((flag) => isSame(flag) && flag.id !== 0);
  if (set.length > 1)
    throw new Fault(
      "flag_not_unique",
      `The flag '${edit.type_id ?? type.name}' has been set multiple times. You must specify the id value to update the flag.`,
    );
  return { flag: set[0], type };
}

function typeByName(types: readonly FlagTypeWithRights[], name: string | undefined): FlagTypeWithRights {
  if (name === undefined)
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

function newFlag(flags: readonly SetFlag[], type: FlagTypeWithRights, { setter }: FlagContext): SetFlag {
  if (!type.is_active)
    throw new Fault(
      "flag_type_inactive",
      `The flag type ${type.name} is inactive and cannot be used to create new flags.`,
    );
  if (!type.is_multiplicable && flags.some((flag) => flag.type_id === type.id))
    throw new Fault("other", `You cannot have several ${type.name} flags for this bug.`);
  return { id: 0, type_id: type.id, name: type.name, status: "", setter, requestee: null };
}

function updateFlag(flag: SetFlag, edit: FlagEdit, type: FlagTypeWithRights, context: FlagContext): SetFlag {
  const { status } = edit;
  if (!["?", "+", "-", "X"].includes(status) || (status === "?" && flag.status !== "?" && !type.is_requestable))
    throw new Fault("flag_status_invalid", `The flag status ${status === "" ? "" : `${status} `}is invalid.`);
  const requestee = status === "?" ? edit.requestee : null;
  if (requestee && requestee.id !== flag.requestee?.id) {
    if (!type.is_requesteeble)
      throw new Fault("flag_type_requestee_disabled", `You can't ask a specific person for ${type.name}.`);
    checkRequestee(context, type, requestee);
  }
  if (status === flag.status) return { ...flag, requestee };
  checkStatusRight(status, type);
  return { ...flag, status, requestee, setter: context.setter };
}

const VERBS: Readonly<Record<string, string>> = { "+": "grant", "-": "deny", "?": "request" };

// Clearing requires no right on the flag type.
function checkStatusRight(status: string, type: FlagTypeWithRights): void {
  const isPermitted = status === "X" || type.mayGrant || (status === "?" && type.mayRequest);
  if (!isPermitted)
    throw new Fault(
      "flag_update_denied",
      `You tried to ${VERBS[status]} ${type.name}. Only a user with the required permissions may make this change.`,
    );
}

/**
 * The flags after the bug's product or component changed: kept if their type applies, moved to a type of the same name, or
 * removed.
 * @see Bugzilla/Flag.pm, force_retarget
 */
export function flagsAfterMove(flags: readonly SetFlag[], types: readonly NamedItem[]): SetFlag[] {
  const moved: SetFlag[] = [];
  for (const flag of flags) {
    const type = types.find(({ id }) => id === flag.type_id) ?? types.find(({ name }) => name === flag.name);
    if (type) moved.push({ ...flag, type_id: type.id });
  }
  return moved;
}
