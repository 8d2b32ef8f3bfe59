import { BtError } from "../errors.ts";
import type { Connection } from "../session/connection.ts";

/** Runs a command on the mirror of its tracker; on the tracker if there is no recent one, or if the mirror lacks something. */
export async function runOnMirror(connection: Connection, runOn: (chosen: Connection) => Promise<void>): Promise<void> {
  const mirror = await connection.session.mirrored?.("results");
  if (!mirror) return runOn(connection);
  try {
    await runOn(mirror);
    await connection.close();
  } catch (error) {
    if (!(error instanceof BtError && error.facts.beyondMirror)) throw error;
    await runOn(connection);
  }
}
