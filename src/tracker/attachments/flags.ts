import type { Bug, Person, SetFlag } from "../bugs/bug.ts";
import { flagNames } from "../bugs/diff.ts";
import { checkRequestee, readFlagEdits } from "../bugs/flags.ts";
import { logActivity } from "../bugs/history.ts";
import { differenceBy, uniqueBy } from "../bugs/list-edit.ts";
import { loadFlags } from "../bugs/load.ts";
import { saveFlags } from "../bugs/save.ts";
import { applyFlagEdit, type SettableFlagType } from "../flags/rules.ts";
import { settableFlagTypes } from "../flags/types.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { groupsOfUser } from "../users/requester.ts";
import type { User } from "../users/user.ts";

/** An attachment whose flags are edited, with its bug. */
export type FlaggedAttachment = { readonly id: number; readonly isPrivate: boolean; readonly bug: Bug };

/**
 * Applies the `flags` of a request to an attachment, and adds new requestees to CC; returns what was removed and added.
 * @see Bugzilla/Flag.pm, set_flag
 */
export function editAttachmentFlags(
  call: Call,
  setter: User,
  attachment: FlaggedAttachment,
): readonly [removed: string, added: string] {
  const { store, now } = call;
  const { bug, id } = attachment;
  const context = {
    types: settableFlagTypes(call, bug, "attachment"),
    setter,
    checkRequestee: (person: Person, type: SettableFlagType) => {
      checkRequestee(call, { person, type, bug });
      checkInsider(call, { person, type, attachment });
    },
  };
  const before = loadFlags(store, bug.id, id);
  let after: readonly SetFlag[] = before;
  for (const edit of readFlagEdits(call, call.input["flags"])) after = applyFlagEdit(after, edit, context);
  saveFlags({ store, now }, { bugId: bug.id, attachmentId: id, before, after });
  addToCc(call, setter, { bug, people: newRequestees(before, after) });
  return flagNames(before, after);
}

type Request = {
  person: Person;
  type: SettableFlagType;
  attachment: FlaggedAttachment;
};

function checkInsider({ store, parameters }: Call, { person, type, attachment }: Request): void {
  if (!attachment.isPrivate) return;
  if (groupsOfUser(store, person.id).some(({ name }) => name === parameters.insidergroup)) return;
  throw new Fault(
    400,
    32000,
    `You asked ${person.login} for ${type.name} on bug ${attachment.bug.id}, attachment ${attachment.id}, but that attachment is restricted to users in the ${parameters.insidergroup} group, and the user you asked isn't in that group. Please choose someone else to ask, or make the attachment public.`,
  );
}

function newRequestees(before: SetFlag[], after: readonly SetFlag[]): Person[] {
  const changed = differenceBy(after, before, (flag) => `${flag.id} ${flag.requestee?.id ?? ""}`);
  return uniqueBy(
    changed.flatMap(({ requestee }) => requestee ?? []),
    ({ id }) => id,
  );
}

type NewCc = { bug: Bug; readonly people: readonly Person[] };

function addToCc({ store, now }: Call, setter: User, { bug, people }: NewCc): void {
  const added = differenceBy(people, bug.cc, ({ id }) => id);
  for (const { id } of added) store.run("INSERT INTO bug_cc (bug_id, user_id) VALUES (?, ?)", [bug.id, id]);
  if (added.length === 0) return;
  const logins = added.map(({ login }) => login).join(", ");
  logActivity(store, { bugId: bug.id, userId: setter.id, time: now, field: "cc", removed: "", added: logins });
}
