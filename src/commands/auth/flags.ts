import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const LOGIN_FLAGS = [
  {
    name: "login",
    value: "<login>",
    about: "your login, if the tracker cannot report it",
    group: "Login",
  },
  { name: "web", short: "w", about: "open the page where API keys are created", group: "Login" },
] as const satisfies readonly CommandFlag[];

export type LoginInput = InputOf<typeof LOGIN_FLAGS>;
