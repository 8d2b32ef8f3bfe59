import type { BtError } from "../errors.ts";
import type { KeepWrite } from "./offline-queue.ts";
import type { Session } from "./session.ts";

/** Session of a command; `close` ends its connections, after the error of a command that failed. */
export type Connection = {
  readonly session: Session;
  readonly close: (failure?: unknown) => Promise<void>;
};

/** Use of a mirror in place of its tracker: for results, which have to be complete and recent, or for suggestions. */
export type MirrorUse = "results" | "suggestions";

/** A mirror behind a session: its name, the error for writes, and with `--offline` the session that keeps them. */
export type MirrorOfSession = {
  readonly name: string;
  readonly readOnly: () => BtError;
  readonly keep?: KeepWrite | undefined; // of the session that keeps writes
  readonly queueing?: ((session: Session) => Promise<Session>) | undefined;
};
