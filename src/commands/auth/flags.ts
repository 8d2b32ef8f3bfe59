import type { CommandFlag } from "../../command-flag.ts";
import { CONNECTION_FLAGS } from "../../session/connection-settings.ts";
import type { InputOf } from "../input.ts";

export const LOGIN_FLAGS = [
  {
    name: "login",
    value: "<login>",
    about: "your login, if the tracker cannot report it",
    group: "Login",
  },
  { name: "password", about: "log in with a password; only a token is stored", group: "Login" },
  { name: "web", short: "w", about: "open the page where API keys are created", group: "Login" },
  { name: "import", about: "import the API key of python-bugzilla or pybugz", group: "Login" },
  {
    name: "style",
    value: "<style>",
    about: "how to send the key: header, bearer or query (default detected)",
    choices: ["header", "bearer", "query"],
    group: "Login",
  },
  ...CONNECTION_FLAGS,
] as const satisfies readonly CommandFlag[];

/** Input of `bt auth login`. */
export type LoginInput = InputOf<typeof LOGIN_FLAGS>;
