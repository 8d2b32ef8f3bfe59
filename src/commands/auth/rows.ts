import { AUTH_STYLES } from "../../wire/auth-style.ts";
import type { Noun, Verb } from "../verb.ts";

/** The verbs of logging in. */
export const AUTH: Noun = {
  name: "auth",
  about: "Log in to a tracker, see who you are there, log out.",
  get verbs() {
    return [LOGIN, STATUS, LOGOUT];
  },
};

const LOGIN: Verb = {
  name: "login",
  about: "Log in to a tracker with an API key, and keep the key for this tracker alone.",
  details: `The key is asked for without being shown, or read with --api-key-file. How the tracker takes keys is found out by proof
and remembered: ${Object.values(AUTH_STYLES).join("; ")}.
It is kept in the keyring of the desktop if there is one, else in a file that only you can read.`,
  flags: [
    {
      name: "login",
      value: "<login>",
      about: "your login there, where the tracker cannot tell it itself",
      group: "Login",
    },
    { name: "password", about: "log in with login and password; what is kept is a token", group: "Login" },
    { name: "import", about: "take the key that python-bugzilla or pybugz keeps for this tracker", group: "Login" },
    {
      name: "style",
      value: "<style>",
      about: "how the tracker takes the key, instead of finding it out",
      choices: ["header", "bearer", "query"],
      group: "Login",
    },
  ],
  examples: [
    { line: "bt auth login --base-url https://bugs.example.org", about: "asks for the key" },
    { line: "pass show bugs | bt auth login --api-key-file -", about: "the key from a password store" },
  ],
  run: async () => (await import("./verbs.ts")).runLogin,
};

const STATUS: Verb = {
  name: "status",
  aliases: ["whoami"],
  about: "Say who the tracker takes you for, by proof, and where the key comes from; exits 4 when you are anonymous.",
  flags: [],
  output: "settings",
  examples: [{ line: "bt auth status", about: "who am I there?" }],
  run: async () => (await import("./verbs.ts")).runStatus,
};

const LOGOUT: Verb = {
  name: "logout",
  about: "Forget the login for a tracker; a login token is ended there too.",
  flags: [],
  examples: [{ line: "bt auth logout", about: "forget it" }],
  run: async () => (await import("./verbs.ts")).runLogout,
};
