import { AUTH_STYLES } from "../../wire/exchange.ts";
import { type Noun, row } from "../verb.ts";

export const AUTH: Noun = {
  name: "auth",
  about: "Log in and out of a tracker.",
  verbs: [
    row({
      name: "login",
      about: "Log in to a tracker with an API key.",
      args: [{ name: "address", optional: true }],
      connects: async () => (await import("./login.ts")).flagsForLogin,
      details: `The address is a host, or the URL of any page of the tracker. The first tracker becomes the default one; with --profile it becomes the tracker of that profile.

The key is read from a hidden prompt, or with --api-key-file. It is stored for this tracker only: in the desktop keyring
if there is one, else in a file that only you can read.

How the tracker accepts the key is detected and stored: ${Object.entries(AUTH_STYLES)
        .map(([style, about]) => `${style} (${about})`)
        .join(", ")}.`,
      flags: () => [
        { name: "login", value: "<login>", about: "your login, if the tracker cannot report it", group: "Login" },
      ],
      examples: [
        { line: "bt auth login bugs.example.org", about: "prompt for the key" },
        { line: "bt auth login bugzilla.example.com/bugs --profile work", about: "a second tracker" },
        { line: "pass show bugs | bt auth login --api-key-file -", about: "read the key from a password store" },
      ],
      needs: "tracker",
      run: async () => (await import("./login.ts")).runLogin,
    }),
    row({
      name: "status",
      aliases: ["whoami"],
      about: "Show your login and rights on the tracker; exits 4 if you are not logged in.",
      details: `The first line names the tracker, your login and the source of the key. Below are the tracker's version, your
rights, what you cannot do and why, and unfinished jobs. --fields user checks only the login.`,
      flags: () => [],
      output: "settings",
      examples: [
        { line: "bt auth status", about: "check your login and the tracker" },
        { line: "bt auth status --fields user", about: "only your login" },
      ],
      needs: "tracker",
      run: async () => (await import("./status.ts")).showAuthStatus,
    }),
    row({
      name: "logout",
      about: "Delete the stored login for a tracker.",
      details: "Mirrors of the tracker stay: bt mirror drop deletes them.",
      flags: () => [],
      examples: [{ line: "bt auth logout", about: "delete the stored login" }],
      needs: "tracker",
      run: async () => (await import("./login.ts")).runLogout,
    }),
  ],
};
