import type { Verb } from "../commands/verb.ts";
import { BtError } from "../errors.ts";
import type { Session } from "../session/session.ts";

/**
 * The session of a command on a mirror: one that keeps writes, for commands that can do so.
 * @throws BtError of kind usage for other commands that write
 */
export async function writableSession(session: Session, verb: Verb, isWriting: boolean): Promise<Session> {
  const { mirror } = session;
  if (verb.isKeptOffline && mirror?.queueing) return mirror.queueing(session);
  if (mirror && isWriting) throw mirror.readOnly();
  return session;
}

/** The error of a command that keeps writes: bugs that are not created yet by their temporary names. */
export async function namedError(error: unknown): Promise<unknown> {
  if (!(error instanceof BtError)) return error;
  return (await import("../api/offline/temporary-names.ts")).withNamesInError(error);
}
