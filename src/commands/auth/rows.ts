import { SETTINGS } from "../../config/settings.ts";
import { AUTH_STYLES } from "../../wire/auth-style.ts";
import type { CommandFlag, Noun, Verb } from "../verb.ts";

/** Verbs of `bt auth`. */
export const AUTH: Noun = {
  name: "auth",
  about: "Log in and out of a tracker.",
  get verbs() {
    return [LOGIN, STATUS, LOGOUT];
  },
};

const CONNECTION_FLAGS: readonly CommandFlag[] = [
  { name: "timeout", value: "<seconds>", about: SETTINGS.timeout.about, group: "Connection" },
  { name: "retry", value: "<times>", about: SETTINGS.retry.about, group: "Connection" },
  { name: "max-size", value: "<MiB>", about: SETTINGS.max_size.about, group: "Connection" },
  { name: "proxy", value: "<url>", about: SETTINGS.proxy.about, group: "Connection" },
  { name: "ca-file", value: "<file>", about: SETTINGS.ca_file.about, completes: "file", group: "Connection" },
];

const LOGIN: Verb = {
  name: "login",
  about: "Log in to a tracker with an API key, and store the key for this tracker only.",
  args: [{ name: "address", optional: true, completes: "trackers" }],
  connects: async () => (await import("./address.ts")).loginFlags,
  details: `The address may be a host, the URL of any page of the tracker, or the name of a public one, such as mozilla. The first
tracker becomes the default one; with --profile it becomes the tracker of that profile.

The key is read from a hidden prompt, or with --api-key-file. bt tests which way of sending it the tracker accepts, and
remembers that: ${Object.values(AUTH_STYLES).join("; ")}.
The key is stored in the desktop keyring if there is one, else in a file that only you can read. The flags of the
connection are stored as settings of the profile, or of the default tracker.`,
  flags: [
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
      about: "how to send the key, instead of detecting it",
      choices: ["header", "bearer", "query"],
      group: "Login",
    },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    { line: "bt auth login bugs.example.org", about: "prompt for the key" },
    { line: "bt auth login bugzilla.example.com/bugs --profile work", about: "a second tracker" },
    { line: "pass show bugs | bt auth login --api-key-file -", about: "read the key from a password store" },
  ],
  needs: "tracker",
  run: async () => (await import("./verbs.ts")).runLogin,
};

const STATUS: Verb = {
  name: "status",
  aliases: ["whoami"],
  about: "Show who you are on the tracker, and what it has and lacks for you; exits 4 if anonymous.",
  details: `The first line names the user and the source of the key. Below are problems to solve, what the tracker lacks and what that
costs, what it has, and what bt uses on this machine. All requests are reads. --json has the same as "facts"; without that field, only the login is verified.`,
  flags: [],
  output: "settings",
  examples: [
    { line: "bt auth status", about: "check your login and the tracker" },
    { line: "bt auth status --fields user", about: "only your login" },
  ],
  needs: "tracker",
  run: async () => (await import("./status.ts")).showAuthStatus,
};

const LOGOUT: Verb = {
  name: "logout",
  about: "Delete the stored login for a tracker, and revoke its login token.",
  details:
    "Mirrors of that tracker are kept, unless you confirm their deletion on a terminal; elsewhere they are listed.",
  flags: [],
  examples: [{ line: "bt auth logout", about: "delete the stored login" }],
  needs: "tracker",
  run: async () => (await import("./verbs.ts")).runLogout,
};
