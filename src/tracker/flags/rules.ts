import type { Person, SetFlag } from "../bug.ts";
import { Fault, faults } from "../http/fault.ts";

/** A flag type, and the requester's rights on its flags. */
export type FlagTypeWithRights = {
  readonly id: number;
  readonly name: string;
  readonly is_active: boolean;
  readonly is_requestable: boolean;
  readonly is_requesteeble: boolean;
  readonly is_multiplicable: boolean;
  readonly grant_group_id: number | null;
  readonly mayRequest: boolean;
  readonly mayGrant: boolean;
};

/** One requested flag edit as sent, with `requestee` resolved. */
export type FlagEdit = {
  id?: string;
  type_id?: string;
  name?: string;
  status: string;
  requestee: Person | null;
  isNew: boolean;
};

/** Flag types of the bug's product and component, the requester, and the check of a requestee, which throws a Fault. */
export type FlagContext = {
  types: FlagTypeWithRights[];
  setter: Person;
  checkRequestee: (person: Person, type: FlagTypeWithRights) => void;
};

/**
 * The flags after one edit, which sets, changes or clears one.
 * @throws Fault object_does_not_exist, one of the flag errors or other if the edit is invalid or not permitted
 * @see Bugzilla/Flag.pm, set_flag
 */
export function applyFlagEdit(flags: readonly SetFlag[], edit: FlagEdit, context: FlagContext): readonly SetFlag[] {
  const target = findTarget(flags, edit, context);
  if (!target.flag && edit.status === "X") return flags;
  const flag = target.flag ?? newFlag(flags, target.type, context);
  const changed = updateFlag(flag, edit, { ...context, type: target.type });
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
  if (set.length > 1) {
    throw new Fault(
      "flag_not_unique",
      `The flag '${edit.type_id ?? type.name}' has been set multiple times. You must specify the id value to update the flag.`,
    );
  }
  return { flag: set[0], type };
}

function typeByName(types: FlagTypeWithRights[], name: string | undefined): FlagTypeWithRights {
  if (name === undefined) {
    throw new Fault(
      "param_required",
      "The function Bugzilla::Flag->set_flag requires a id/type_id argument, and that argument was not set.",
    );
  }
  const [type, second] = types.filter((candidate) => candidate.name === name);
  if (!type) throw faults.noSuchObject("flagtype", name);
  if (second) {
    throw new Fault(
      "flag_type_not_unique",
      `The flag type '${name}' matches several flag types. You must specify the type id value to update or add a flag.`,
    );
  }
  return type;
}

function newFlag(flags: readonly SetFlag[], type: FlagTypeWithRights, { setter }: FlagContext): SetFlag {
  if (!type.is_active) {
    throw new Fault(
      "flag_type_inactive",
      `The flag type ${type.name} is inactive and cannot be used to create new flags.`,
    );
  }
  if (!type.is_multiplicable && flags.some((flag) => flag.type_id === type.id)) {
    throw new Fault("other", `You cannot have several ${type.name} flags for this bug.`);
  }
  return { id: 0, type_id: type.id, name: type.name, status: "", setter, requestee: null };
}

type FlagTypeContext = FlagContext & { type: FlagTypeWithRights };

function updateFlag(flag: SetFlag, { status, requestee: requested }: FlagEdit, context: FlagTypeContext): SetFlag {
  const { type, setter } = context;
  if (!["?", "+", "-", "X"].includes(status) || (status === "?" && flag.status !== "?" && !type.is_requestable)) {
    throw new Fault("flag_status_invalid", `The flag status ${status === "" ? "" : `${status} `}is invalid.`);
  }
  const requestee = status === "?" ? requested : null;
  if (requestee && requestee.id !== flag.requestee?.id) checkNewRequestee(requestee, context);
  if (status !== flag.status) {
    checkStatusRight(status, type);
    return { ...flag, status, requestee, setter };
  }
  return { ...flag, requestee };
}

function checkNewRequestee(requestee: Person, { type, checkRequestee }: FlagTypeContext): void {
  if (!type.is_requesteeble)
    throw new Fault("flag_type_requestee_disabled", `You can't ask a specific person for ${type.name}.`);
  checkRequestee(requestee, type);
}

const VERBS: Readonly<Record<string, string>> = { "+": "grant", "-": "deny", "?": "request" };

// Clearing requires no right on the flag type.
function checkStatusRight(status: string, type: FlagTypeWithRights): void {
  const isPermitted = status === "X" || type.mayGrant || (status === "?" && type.mayRequest);
  if (!isPermitted) {
    throw new Fault(
      "flag_update_denied",
      `You tried to ${VERBS[status]} ${type.name}. Only a user with the required permissions may make this change.`,
    );
  }
}

/**
 * The flags after the bug's product or component changed: kept if their type applies, moved to a type of the same name, or
 * removed.
 * @see Bugzilla/Flag.pm, force_retarget
 */
export function flagsAfterMove(flags: readonly SetFlag[], types: FlagTypeWithRights[]): SetFlag[] {
  const moved: SetFlag[] = [];
  for (const flag of flags) {
    const type = types.find(({ id }) => id === flag.type_id) ?? types.find(({ name }) => name === flag.name);
    if (type) moved.push({ ...flag, type_id: type.id });
  }
  return moved;
}
