import { createServerFacts, type ServerFacts } from "../api/delivery/server-facts.ts";
import { skippingUnknownPaths } from "../api/facts/optional-paths.ts";
import { type RowSupport, rowSupport } from "../api/facts/row-support.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { responseReader } from "../api/response/response.ts";
import type { Secret } from "../secret.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import {
  configuredStyle,
  type NetworkConfig,
  openNetworkAs,
  openTrackerMemory,
  type StyledKey,
} from "./network-tracker.ts";

/** Access to a network tracker while logging in. */
export type LoginAccess = {
  /** Sends requests with a credential, or anonymously. The credential is redacted from all output. */
  readonly sendAs: (credential?: StyledKey) => SendRequest;
  /** The configured key, from the first source that has one. */
  readonly key: () => Promise<KnownKey | undefined>;
  /** Support of rows by the tracker, determined by requests sent like this. */
  readonly rowsFor: (send: SendRequest) => RowSupport;
  /** Facts learned from the responses to these requests. */
  readonly serverFacts: ServerFacts;
  /** Redacts a password from all output. */
  readonly hide: (password: Secret) => void;
};

/** A key, its origin, and the facts stored with it. */
type KnownKey = {
  key: Secret;
  source: string;
  boundTo: string;
  style?: AuthStyle | undefined; // undefined: not determined yet
  user?: string | undefined;
};

/** Idle connections close by themselves. */
export function loginAccess(config: NetworkConfig): LoginAccess {
  const { baseUrl } = config;
  const memory = openTrackerMemory(config);
  const read = responseReader(memory);
  const facts = createServerFacts(config.io.ticks);
  return {
    sendAs(credential?: StyledKey) {
      if (credential) config.secrets.learn(credential.key.reveal());
      const network = openNetworkAs(credential && { ...credential, boundTo: baseUrl }, config);
      const send: SendRequest = async (request) => {
        const response = await (await network).exchange(request);
        facts.observe(response);
        return read(response, request);
      };
      return skippingUnknownPaths(send);
    },
    serverFacts: facts,
    rowsFor: (send) => rowSupport(send, memory, { now: config.io.now, refresh: config.flags.refresh === true }),
    async key() {
      const found = await config.key();
      return found && { ...found, style: found.style ?? configuredStyle(config) };
    },
    hide: (password) => config.secrets.learn(password.reveal()),
  };
}
