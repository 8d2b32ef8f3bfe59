import { idOf } from "../setup/lookup.ts";
import { type Act, saveActivity, type Telling } from "./telling.ts";

/** Sets, changes and clears flags: `review?(mei)`, `review+`, `needinfoX`. */
export function tellFlags(telling: Telling, act: Act, flags: readonly string[]): void {
  for (const text of flags) {
    const [, name = "", status = "", requestee] = /^([\w-]+)([?+X-])(?:\((\w+)\))?$/.exec(text) ?? [];
    tellFlag(telling, act, { name, status, requestee });
  }
}

type Said = { readonly name: string; readonly status: string; readonly requestee: string | undefined };
type Known = { readonly id: number; readonly status: string; readonly requestee: string | null };

function tellFlag(telling: Telling, act: Act, { name, status, requestee }: Said): void {
  const { store, user } = telling;
  const typeId = idOf(store, "flag type", name);
  const known = store.get<Known>(
    `SELECT flags.id, status, login AS requestee FROM flags LEFT JOIN users ON users.id = requestee_id
     WHERE bug_id = ? AND type_id = ?`,
    [act.bugId, typeId],
  );
  const requesteeId = requestee === undefined ? null : user(requestee);
  if (known) store.run("DELETE FROM flags WHERE id = ?", [known.id]);
  if (status !== "X") {
    store.run(
      `INSERT INTO flags (type_id, bug_id, status, setter_id, requestee_id, creation_date, modification_date)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [typeId, act.bugId, status, act.userId, requesteeId, act.time, act.time],
    );
  }
  saveActivity(telling, act, {
    field: "flagtypes.name",
    removed: known ? shown(name, known.status, known.requestee) : "",
    added: status === "X" ? "" : shown(name, status, requestee === undefined ? null : `${requestee}@example.org`),
  });
}

function shown(name: string, status: string, requestee: string | null): string {
  return `${name}${status}${requestee === null ? "" : `(${requestee})`}`;
}
