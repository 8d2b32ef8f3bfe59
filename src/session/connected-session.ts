import type { FactStore } from "../api/facts.ts";
import type { FileTrust } from "../config/files.ts";
import type { SettingValues } from "../config/settings.ts";
import type { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "./session.ts";

/** Session of a command; `close` ends what it opened, after the error of a command that failed. */
export type ConnectedSession = {
  readonly session: Session;
  readonly close: (failure?: unknown) => Promise<void>;
};

/**
 * Treatment of a local tracker whose file does not exist: create it, imitate a new one in memory, or fail. Default: creates
 * the file of `local:`, and fails for a path, which may be mistyped.
 */
export type MissingFile = "create" | "imitate" | "refuse";

/** Requirements of a command: the tracker itself in place of a mirror, and the treatment of a missing file. */
export type SessionNeeds = {
  tracker?: boolean | undefined;
  missingFile?: MissingFile | undefined;
  isDryRun?: boolean; // nothing is created, only imitated
};

/** Mirrors for a session: to read from one in place of the tracker. */
export type Mirrors = {
  readonly connectMirror: (reading: MirrorReading, io: Io) => Promise<ConnectedSession>;
  readonly findMirrorFor: (account: MirroredAccount, io: Io) => string;
  readonly notTheTrackerError: (chosenBy: MirrorChoice) => BtError;
};

/** A mirror to read from, and the settings of the session. */
export type MirrorReading = FileTrust & {
  readonly name: string;
  readonly chosenBy: MirrorChoice;
  readonly memory?: FactStore | undefined; // of the account, for the bugs that it has read
  readonly settings: SettingValues;
  readonly minuteOf: Io["minuteOf"]; // in the zone of printed times
};

/** Part of a command that makes it read from a mirror: `--offline`, BT_OFFLINE, or an address. */
export type MirrorChoice = "flag" | "variable" | "address";

/** A tracker on the network and its login: null without one, undefined if it is unknown. */
export type MirroredAccount = { readonly baseUrl: string; readonly login: string | null | undefined };
