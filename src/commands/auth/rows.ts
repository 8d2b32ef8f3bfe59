import { AUTH_STYLES } from "../../wire/auth-style.ts";
import type { Noun, VerbRow } from "../verb.ts";
import { LOGIN_FLAGS } from "./input.ts";

/** Verbs of `bt auth`. */
export const AUTH: Noun = {
  name: "auth",
  about: "Log in and out of a tracker.",
  get verbs() {
    return [LOGIN, STATUS, LOGOUT];
  },
};

const LOGIN: VerbRow<typeof LOGIN_FLAGS> = {
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
  flags: LOGIN_FLAGS,
  examples: [
    { line: "bt auth login bugs.example.org", about: "prompt for the key" },
    { line: "bt auth login bugzilla.example.com/bugs --profile work", about: "a second tracker" },
    { line: "pass show bugs | bt auth login --api-key-file -", about: "read the key from a password store" },
  ],
  needs: "tracker",
  exits: ["no"],
  run: async () => (await import("./login.ts")).runLogin,
};

const STATUS: VerbRow = {
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

const LOGOUT: VerbRow = {
  name: "logout",
  about: "Delete the stored login for a tracker, and revoke its login token.",
  details:
    "Mirrors of that tracker are kept, unless you confirm their deletion on a terminal; elsewhere they are listed.",
  flags: [],
  examples: [{ line: "bt auth logout", about: "delete the stored login" }],
  needs: "tracker",
  run: async () => (await import("./login.ts")).runLogout,
};
