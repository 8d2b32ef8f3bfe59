import type { ServerFacts } from "../api/delivery/server-facts.ts";
import type { RowSupport } from "../api/facts/row-support.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import type { Secret } from "../secret.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import type { Json, Request } from "../wire/exchange.ts";

/** Access to a network tracker while logging in. */
export type LoginAccess = {
  /** Sends requests with a credential, or anonymously. The credential is redacted from all output. */
  readonly sendAs: (credential?: StyledKey) => (request: Request) => Promise<Json>;
  /** The configured key, from the first source that has one. */
  readonly key: () => Promise<KnownKey | undefined>;
  /** Support of rows by the tracker, determined by requests sent like this. */
  readonly rowsFor: (send: SendRequest) => RowSupport;
  /** Facts learned from the responses to these requests. */
  readonly serverFacts: ServerFacts;
  /** Redacts a password from all output. */
  readonly hide: (password: Secret) => void;
};

/** A key or token and its authentication style. */
export type StyledKey = { readonly style: AuthStyle; readonly key: Secret };

/** A key and what is known about it. */
type KnownKey = {
  key: Secret;
  source: string;
  boundTo: string;
  style?: AuthStyle | undefined; // undefined: not determined yet
  user?: string | undefined;
};
