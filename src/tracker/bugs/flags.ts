import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Bug, Person, SetFlag } from "../bug.ts";
import { applyFlagEdit, type FlagEdit } from "../flags/rules.ts";
import { flagTypesOfBug } from "../flags/types.ts";
import type { Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { findPerson } from "../http/requester.ts";
import { uniqueBy } from "../unique-by.ts";
import { mayGrantFlagsOfType, maySeeBug } from "../users/visibility.ts";
import { asText } from "../values.ts";
import { isNew, type UpdateStep, withBug } from "./draft.ts";
import { differenceBy } from "./list-edit.ts";

/**
 * Update of flags. New requestees are added to CC.
 * @see Bugzilla/Flag.pm, set_flag
 */
export const updateBugFlags: UpdateStep = ({ call, input, user }, draft) => {
  const edits = isNew(draft) ? [] : readFlagEdits(call, input["flags"]);
  if (edits.length === 0) return draft;
  const { before, after } = draft;
  const context = {
    types: flagTypesOfBug(call, after),
    setter: user,
    checkRequestee: (person: Person, type: { readonly id: number; readonly name: string }) =>
      checkRequestee(call, { person, type, bug: before }),
  };
  const flags = edits.reduce((list, edit) => applyFlagEdit(list, edit, context), after.flags);
  return withBug(draft, { flags, cc: withRequestees(after.cc, after.flags, flags) });
};

/** A CC list with the new requestees of flags. */
export function withRequestees(
  cc: readonly Person[],
  before: readonly SetFlag[],
  after: readonly SetFlag[],
): readonly Person[] {
  const requests = differenceBy(after, before, (flag) => `${flag.id} ${flag.requestee?.id ?? ""}`);
  return uniqueBy([...cc, ...requests.flatMap(({ requestee }) => requestee ?? [])], ({ id }) => id);
}

/** Flag edits as sent; none without a value. @throws Fault param_required or object_does_not_exist */
export function readFlagEdits(call: Call, value: Json | undefined): FlagEdit[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw faults.wrongShape("flags", "a list of objects");
  return value.map((item: Json) => readFlagEdit(call, item));
}

function readFlagEdit(call: Call, item: Json): FlagEdit {
  if (!isObject(item)) throw faults.wrongShape("flags", "a list of objects");
  const textOf = (name: string) => asText(item[name], `flags.${name}`).trim();
  const login = textOf("requestee");
  return {
    ...flagReference(item, textOf),
    status: textOf("status"),
    requestee: login === "" ? null : findPerson(call, login),
    isNew: isFlagSet(item, "new"),
  };
}

function flagReference(item: JsonObject, textOf: (name: string) => string) {
  return Object.fromEntries(
    ["id", "type_id", "name"].filter((name) => isFlagSet(item, name)).map((name) => [name, textOf(name)]),
  );
}

type FlagRequest = {
  person: Person;
  type: { id: number; name: string };
  bug: Bug;
};

/** Refuses a requestee who may not see the bug or set the flag. @throws Fault other */
export function checkRequestee(call: Call, { person, type, bug }: FlagRequest): void {
  if (!maySeeBug(call, person.id, bug.id)) {
    throw new Fault(
      "other",
      `You asked ${displayName(call, person)} for ${type.name} on bug ${bug.id}, but that bug has been restricted to users in certain groups, and the user you asked isn't in all the groups to which the bug has been restricted. Please choose someone else to ask, or make the bug accessible to users on its CC: list and add that user to the list.`,
    );
  }
  if (!mayGrantFlagsOfType(call, person.id, type.id)) {
    throw new Fault(
      "other",
      `${displayName(call, person)} does not have permission to set the flag ${type.name}. Please choose someone else to ask.`,
    );
  }
}

function displayName({ store }: Call, { id, login }: Person): string {
  const name = String(store.get("SELECT real_name FROM users WHERE id = ?", [id])?.["real_name"] ?? "");
  return name === "" ? login : `${name} <${login}>`;
}
