import type { Json } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Bug, Person, SetFlag } from "../bug.ts";
import { isNew, type UpdateStep, type WriteContext, withBug } from "../bugs/draft.ts";
import { maySeeBug } from "../bugs/find.ts";
import { differenceBy } from "../bugs/list-edit.ts";
import type { Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { findPerson, groupsOfUser } from "../http/requester.ts";
import { uniqueBy } from "../unique-by.ts";
import { asText } from "../values.ts";
import { applyFlagEdit, type FlagEdit, type FlagTypeWithRights } from "./rules.ts";
import { flagTypesOfBug } from "./types.ts";

/** Update of flags. New requestees are added to CC. The flags of a new bug are edited when it is stored. */
export const updateBugFlags: UpdateStep = (context, draft) => {
  if (isNew(draft)) return draft;
  const { after } = draft;
  const flags = editFlags(context, after, after.flags);
  return withBug(draft, { flags, cc: withRequestees(after.cc, after.flags, flags) });
};

/** An attachment whose flags are edited. */
export type FlaggedAttachment = { readonly id: number; readonly is_private: number };

/** The flags of a bug or of one of its attachments, after the edits of a request. @see Bugzilla/Flag.pm, set_flag */
export function editFlags(
  { call, input, user }: WriteContext,
  bug: Bug,
  flags: readonly SetFlag[],
  attachment?: FlaggedAttachment,
): readonly SetFlag[] {
  const edits = readFlagEdits(call, input["flags"]);
  if (edits.length === 0) return flags;
  const context = {
    types: flagTypesOfBug(call, bug, attachment ? "attachment" : "bug"),
    setter: user,
    checkRequestee: (person: Person, type: FlagTypeWithRights) =>
      checkRequestee(call, { person, type, bugId: bug.id, attachment }),
  };
  return edits.reduce((list, edit) => applyFlagEdit(list, edit, context), flags);
}

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

type FlagRequest = {
  readonly person: Person;
  readonly type: FlagTypeWithRights;
  readonly bugId: number;
  readonly attachment: FlaggedAttachment | undefined;
};

/** Refuses a requestee who may not see the bug or the attachment, or set the flag. @throws Fault other */
function checkRequestee(call: Call, { person, type, bugId, attachment }: FlagRequest): void {
  const { insidergroup } = call.parameters;
  const groups = groupsOfUser(call.store, person.id);
  if (!maySeeBug(call, person.id, bugId))
    throw new Fault(
      "other",
      `You asked ${displayName(call, person)} for ${type.name} on bug ${bugId}, but that bug has been restricted to users in certain groups, and the user you asked isn't in all the groups to which the bug has been restricted. Please choose someone else to ask, or make the bug accessible to users on its CC: list and add that user to the list.`,
    );
  if (type.grant_group_id !== null && !groups.some(({ id }) => id === type.grant_group_id))
    throw new Fault(
      "other",
      `${displayName(call, person)} does not have permission to set the flag ${type.name}. Please choose someone else to ask.`,
    );
  if (attachment?.is_private === 1 && !groups.some(({ name }) => name === insidergroup))
    throw new Fault(
      "other",
      `You asked ${person.login} for ${type.name} on bug ${bugId}, attachment ${attachment.id}, but that attachment is restricted to users in the ${insidergroup} group, and the user you asked isn't in that group. Please choose someone else to ask, or make the attachment public.`,
    );
}

function displayName({ store }: Call, { id, login }: Person): string {
  const name = String(store.get("SELECT real_name FROM users WHERE id = ?", [id])?.["real_name"] ?? "");
  return name === "" ? login : `${name} <${login}>`;
}
