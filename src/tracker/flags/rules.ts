import type { Person, SetFlag } from "../bugs/bug.ts";
import { Fault, faults } from "../http/fault.ts";

/** A flag type as changes of flags need to know it, with what the requester may do with it. */
export type SettableFlagType = {
  readonly id: number;
  readonly name: string;
  readonly is_active: boolean;
  readonly is_requestable: boolean;
  readonly is_requesteeble: boolean;
  readonly is_multiplicable: boolean;
  readonly mayRequest: boolean;
  readonly mayGrant: boolean;
};

/** One wished change as it was sent; `requestee` resolved. */
export type FlagEdit = {
  readonly id?: string;
  readonly type_id?: string;
  readonly name?: string;
  readonly status: string;
  readonly requestee: Person | null;
  readonly isNew: boolean;
};

/** Where flags are changed: the types that fit the bug, who changes, and whether somebody may be asked about this bug. */
export type FlagContext = {
  readonly types: readonly SettableFlagType[];
  readonly setter: Person;
  readonly refuseRequestee: (person: Person, type: SettableFlagType) => void;
};

/** The flags after one change: one set, changed or cleared. */
export function applyFlagEdit(flags: readonly SetFlag[], wish: FlagEdit, scene: FlagContext): readonly SetFlag[] {
  const target = findTarget(flags, wish, scene);
  if (!target.flag && wish.status === "X") return flags;
  const flag = target.flag ?? newFlag(flags, target.type, scene);
  const changed = changedFlag(flag, wish, { ...scene, type: target.type });
  const kept = flags.map((known) => (known === flag ? changed : known)).filter(({ status }) => status !== "X");
  return target.flag ? kept : [...flags, changed];
}

type Target = { readonly flag: SetFlag | undefined; readonly type: SettableFlagType };

// Which stored flag is meant: by its own id, by its type, or by its name; `new` always means one more.
function findTarget(flags: readonly SetFlag[], wish: FlagEdit, { types }: FlagContext): Target {
  if (wish.id !== undefined) {
    const flag = flags.find(({ id }) => String(id) === wish.id);
    const type = types.find(({ id }) => id === flag?.type_id);
    if (!flag || !type) throw faults.noSuchId("flag", wish.id);
    return { flag, type };
  }
  const type = wish.type_id === undefined ? namedType(types, wish.name) : numberedType(types, wish.type_id);
  const isMeant = wish.type_id === undefined ? sameName(type) : sameType(type);
  const set = wish.isNew ? [] : flags.filter((flag) => isMeant(flag) && flag.id !== 0);
  if (set.length > 1) {
    throw new Fault(
      400,
      132,
      `The flag '${wish.type_id ?? type.name}' has been set multiple times. You must specify the id value to update the flag.`,
    );
  }
  return { flag: set[0], type };
}

function sameName({ name }: SettableFlagType) {
  return (flag: SetFlag): boolean => flag.name === name;
}

function sameType({ id }: SettableFlagType) {
  return (flag: SetFlag): boolean => flag.type_id === id;
}

function numberedType(types: readonly SettableFlagType[], id: string): SettableFlagType {
  const type = types.find((known) => String(known.id) === id);
  if (!type) throw faults.noSuchId("flagtype", id);
  return type;
}

function namedType(types: readonly SettableFlagType[], name: string | undefined): SettableFlagType {
  if (name === undefined) {
    throw new Fault(
      400,
      50,
      "The function Bugzilla::Flag->set_flag requires a id/type_id argument, and that argument was not set.",
    );
  }
  const [type, second] = types.filter((known) => known.name === name);
  if (!type) throw faults.noSuchObject("flagtype", name);
  if (second) {
    throw new Fault(
      400,
      133,
      `The flag type '${name}' matches several flag types. You must specify the type id value to update or add a flag.`,
    );
  }
  return type;
}

function newFlag(flags: readonly SetFlag[], type: SettableFlagType, { setter }: FlagContext): SetFlag {
  if (!type.is_active) {
    throw new Fault(400, 134, `The flag type ${type.name} is inactive and cannot be used to create new flags.`);
  }
  if (!type.is_multiplicable && flags.some(sameType(type))) {
    throw new Fault(400, 32000, `You cannot have several ${type.name} flags for this bug.`);
  }
  return { id: 0, type_id: type.id, name: type.name, status: "", setter, requestee: null };
}

type FlagTypeContext = FlagContext & { readonly type: SettableFlagType };

function changedFlag(flag: SetFlag, { status, requestee: asked }: FlagEdit, place: FlagTypeContext): SetFlag {
  const { type, setter } = place;
  if (!["?", "+", "-", "X"].includes(status) || (status === "?" && flag.status !== "?" && !type.is_requestable)) {
    throw new Fault(400, 129, `The flag status ${status === "" ? "" : `${status} `}is invalid.`);
  }
  const requestee = status === "?" ? asked : null;
  if (requestee && requestee.id !== flag.requestee?.id) refuseAsking(requestee, place);
  if (status !== flag.status) {
    refuseSetting(status, type);
    return { ...flag, status, requestee, setter };
  }
  return { ...flag, requestee };
}

function refuseAsking(requestee: Person, { type, refuseRequestee }: FlagTypeContext): void {
  if (!type.is_requesteeble) throw new Fault(400, 131, `You can't ask a specific person for ${type.name}.`);
  refuseRequestee(requestee, type);
}

const VERBS: Readonly<Record<string, string>> = { "+": "grant", "-": "deny", "?": "request" };

// Clearing is open to whoever may change the bug's flags at all.
function refuseSetting(status: string, type: SettableFlagType): void {
  const may = status === "X" || type.mayGrant || (status === "?" && type.mayRequest);
  if (!may) {
    throw new Fault(
      400,
      130,
      `You tried to ${VERBS[status]} ${type.name}. Only a user with the required permissions may make this change.`,
    );
  }
}

/** The flags of a bug in a new place: kept where their type fits there, handed to a type of the same name, or dropped. */
export function flagsAfterMove(flags: readonly SetFlag[], types: readonly SettableFlagType[]): readonly SetFlag[] {
  return flags.flatMap((flag) => {
    const type = types.find(({ id }) => id === flag.type_id) ?? types.find(({ name }) => name === flag.name);
    return type ? [{ ...flag, type_id: type.id }] : [];
  });
}
