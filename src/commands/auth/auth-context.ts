import type { SendRequest } from "../../api/operations/operation.ts";
import type { Host } from "../../config/files.ts";
import type { Io } from "../../io.ts";
import type { Secret } from "../../secret.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";

/** Context of the `bt auth` verbs: the tracker under any credential, the user's terminal, and the machine. */
export type AuthContext = {
  baseUrl: string;
  /** Sends requests with a credential, or anonymously; the credential is redacted from all output. */
  sendAs: (credential?: { style: AuthStyle; key: Secret }) => SendRequest;
  /** False if the tracker said that it has no pages for people. */
  hasWebPages: () => boolean;
  /** Prompts the user. Undefined without a terminal. */
  prompt: Io["prompt"] | undefined;
  report: (sentence: string) => Promise<void>;
  /** Other parts of the configuration that use the login, in words. */
  sharedBy?: string[];
  host: Host;
};
