import type { Ask } from "../../../api/operation.ts";
import type { Host } from "../../../config/host.ts";
import { usage } from "../../../errors.ts";
import type { Secret } from "../../../secret.ts";
import type { AuthStyle } from "../../../wire/auth-style.ts";

/** What the verbs of `bt auth` need: the tracker under any credential, the person at the terminal, the machine. */
export type Desk = {
  readonly baseUrl: string;
  /** The tracker asked with a key or token in a style, or anonymously; what is shown is hidden from all output first. */
  readonly askAs: (credential?: { readonly style: AuthStyle; readonly key: Secret }) => Ask;
  /** Hides a password from all output. */
  readonly hide: (password: Secret) => void;
  /** Asks the person; `hidden` does not show what is typed. Undefined where there is no terminal. */
  readonly prompt: ((question: string, options?: { readonly hidden?: boolean }) => Promise<string>) | undefined;
  readonly say: (sentence: string) => Promise<void>;
  readonly host: Host;
};

/** How something is asked: whether what is typed is shown, what to type instead of answering, and why it has to be asked. */
type Question = { readonly hidden?: boolean; readonly instead: string; readonly why?: string };

/** Asks the person, or says what to give instead where nobody can be asked. */
export async function prompted(desk: Desk, question: string, asking: Question): Promise<string> {
  const { hidden = false, instead, why } = asking;
  if (desk.prompt) return desk.prompt(question, { hidden });
  const noTerminal = "there is no terminal to ask on";
  throw usage(why ? `${why}, and ${noTerminal}` : noTerminal, instead);
}
