import type { SendRequest } from "../api/operations/operation.ts";
import type { RowSupport } from "../api/search/row-support.ts";
import type { BtError } from "../errors.ts";
import type { Secret } from "../secret.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import type { Json, Request } from "../wire/exchange.ts";
import type { Session } from "./session.ts";

/** Session of a command; `close` ends its connections, after the error of a command that failed. */
export type Connection = {
  readonly session: Session;
  readonly close: (failure?: unknown) => Promise<void>;
};

/**
 * Treatment of a local tracker whose file does not exist: create it, imitate a new one in memory, or fail. Default: creates
 * the file of `local:`, and fails for a path, which may be mistyped.
 */
export type MissingFile = "create" | "imitate" | "refuse";

/** Requirements of a command: the tracker itself in place of a mirror, and the treatment of a missing file. */
export type ConnectionNeeds = {
  readonly tracker?: boolean | undefined;
  readonly missingFile?: MissingFile | undefined;
  readonly isDryRun?: boolean; // nothing is created, only imitated
};

/** A mirror behind a session: its name, and the error for writes. */
export type MirrorOfSession = {
  readonly name: string;
  readonly readOnly: () => BtError;
};

/** Access to a network tracker while logging in. */
export type LoginAccess = {
  /** Sends requests with a credential, or anonymously. The credential is redacted from all output. */
  readonly askAs: (credential?: StyledKey) => (request: Request) => Promise<Json>;
  /** The configured key, from the first source that has one. */
  readonly key: () => Promise<KnownKey | undefined>;
  /** What is known about the tracker's searches, and found out by requests sent like this. */
  readonly rowsFor: (ask: SendRequest) => RowSupport;
  /** False if a response said that the tracker has no pages for people. */
  readonly hasWebPages: () => boolean;
  /** Redacts a password from all output. */
  readonly hide: (password: Secret) => void;
};

/** A key or token and its authentication style. */
export type StyledKey = { readonly style: AuthStyle; readonly key: Secret };

/** A key and what is known about it. */
type KnownKey = {
  readonly key: Secret;
  readonly source: string;
  readonly boundTo: string;
  readonly style?: AuthStyle | undefined; // undefined: not determined yet
  readonly user?: string | undefined;
};
