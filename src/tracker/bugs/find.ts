import { asViewer, type Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { textsInPathAndInput } from "../http/input.ts";
import type { Store } from "../store/store.ts";

/**
 * Ids of the bugs named in the path and in `ids`, in order, repeated texts once.
 * @throws Fault param_required, improper_bug_id_field_value, bug_id_does_not_exist or bug_access_denied
 */
export function requestedBugIds(call: Call, placeholder = "id"): number[] {
  const texts = textsInPathAndInput(call, placeholder, "ids");
  if (texts.length === 0) throw faults.parameterMissing("ids");
  return [...new Set(texts)].map((text) => findBugId(call, text));
}

/**
 * The id of the bug with this number or alias.
 * @throws Fault bug_id_does_not_exist or improper_bug_id_field_value if there is none, bug_access_denied for the number
 * of a bug that the requester may not see. The alias of such a bug counts as unknown, so that it is not disclosed.
 */
export function findBugId(call: Call, text: string): number {
  const name = text.trim();
  const id = /^\d+$/.test(name) ? existingBugId(call, name) : visibleAliasOwner(call.store, name);
  if (id === undefined && name === "")
    throw new Fault("improper_bug_id_field_value", "You must enter a valid bug number!");
  if (id === undefined) throw faults.noSuchAlias(name);
  if (isBugVisible(call.store, id)) return id;
  const hint = call.requester.user
    ? ""
    : " To see this bug, you must first log in to an account with the appropriate permissions.";
  throw new Fault("bug_access_denied", `You are not authorized to access bug #${name}.${hint}`);
}

function existingBugId({ store }: Call, digits: string): number {
  const id = Number(digits);
  if (!Number.isSafeInteger(id) || !store.get("SELECT id FROM bugs WHERE id = ?", [id])) throw faults.noSuchBug(digits);
  return id;
}

export function isBugVisible(store: Store, id: number): boolean {
  return store.get("SELECT id FROM visible_bugs WHERE id = ?", [id]) !== undefined;
}

/** True if another user than the requester may see a bug, as it is stored. */
export function maySeeBug(call: Call, userId: number, bugId: number): boolean {
  return asViewer(call, userId, () => isBugVisible(call.store, bugId));
}

/** Id of the bug with this alias; undefined if there is none or the requester may not see it. */
export function visibleAliasOwner(store: Store, alias: string): number | undefined {
  const owner = aliasOwner(store, alias);
  return owner !== undefined && isBugVisible(store, owner) ? owner : undefined;
}

/** Id of the bug with this alias, visible or not; undefined if there is none. */
export function aliasOwner(store: Store, alias: string): number | undefined {
  return store.values("SELECT bug_id FROM bug_aliases WHERE alias = ?", [alias])[0];
}
