import type { SendRequest } from "../../api/operations/operation.ts";
import type { RowSupport } from "../../api/search/row-support.ts";
import type { Host } from "../../config/files.ts";
import type { Io } from "../../io.ts";
import type { Secret } from "../../secret.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";

/** Context of the `bt auth` verbs: the tracker under any credential, the user's terminal, and the machine. */
export type AuthContext = {
  readonly baseUrl: string;
  /** Sends requests with a credential, or anonymously; the credential is redacted from all output. */
  readonly sendAs: (credential?: { readonly style: AuthStyle; readonly key: Secret }) => SendRequest;
  readonly rowsFor: (send: SendRequest) => RowSupport;
  /** False if the tracker said that it has no pages for people. */
  readonly hasWebPages: () => boolean;
  /** Redacts a password from all output. */
  readonly hide: (password: Secret) => void;
  /** Prompts the user. Undefined without a terminal. */
  readonly prompt: Io["prompt"] | undefined;
  readonly say: (sentence: string) => Promise<void>;
  /** Other parts of the configuration that use the login, in words. */
  readonly sharedBy?: readonly string[];
  readonly host: Host;
};
