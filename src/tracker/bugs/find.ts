import type { Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { textValues } from "../http/input.ts";
import type { Store } from "../store/store.ts";

/** The ids of the bugs that a request names in its path and in `ids`, in the order named; the same text counts once. */
export function requestedBugIds(call: Call, part = "id"): readonly number[] {
  const path = call.path[part];
  const named = [...(path === undefined ? [] : [path]), ...textValues(call.input, "ids")];
  if (named.length === 0) throw faults.parameterMissing("ids");
  return [...new Set(named)].map((text) => findBugId(call, text));
}

/**
 * The id of the bug that a number or an alias names.
 * @throws Fault 101 or 100 when there is none, 102 for the number of a bug that the requester may not see; the alias of
 *   such a bug is refused as an unknown one, since a number says nothing and an alias does
 */
export function findBugId(call: Call, text: string): number {
  const name = text.trim();
  const id = /^\d+$/.test(name) ? existing(call, name) : visibleAliasOwner(call.store, name);
  if (id === undefined) throw unknownAlias(name);
  if (isBugVisible(call.store, id)) return id;
  const login = call.requester.user
    ? ""
    : " To see this bug, you must first log in to an account with the appropriate permissions.";
  throw new Fault(401, 102, `You are not authorized to access bug #${name}.${login}`);
}

function existing({ store }: Call, digits: string): number {
  const id = Number(digits);
  if (!Number.isSafeInteger(id) || !store.get("SELECT id FROM bugs WHERE id = ?", [id])) throw faults.noSuchBug(digits);
  return id;
}

function unknownAlias(name: string): Fault {
  return name === "" ? new Fault(400, 100, "You must enter a valid bug number!") : faults.noSuchAlias(name);
}

/** Whether the requester may see a bug. */
export function isBugVisible(store: Store, id: number): boolean {
  return store.get("SELECT id FROM visible_bugs WHERE id = ?", [id]) !== undefined;
}

/** The id of the bug with this alias, if the requester may see that bug. */
export function visibleAliasOwner(store: Store, alias: string): number | undefined {
  const owner = aliasOwner(store, alias);
  return owner !== undefined && isBugVisible(store, owner) ? owner : undefined;
}

/** The id of the bug that has an alias, whoever may see it. */
export function aliasOwner(store: Store, alias: string): number | undefined {
  return store.get<{ readonly bug_id: number }>("SELECT bug_id FROM bug_aliases WHERE alias = ?", [alias])?.bug_id;
}
