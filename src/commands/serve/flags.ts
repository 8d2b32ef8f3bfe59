import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const SERVE_FLAGS = [
  {
    name: "data",
    value: "<file>",
    about: "SQLite file to serve; created if missing",
    completes: "file",
    group: "Data",
  },
  { name: "demo", about: "a fresh in-memory demo", group: "Data" },
  {
    name: "port",
    value: "<number>",
    least: 0,
    about: "port to listen on (default 8090); 0 for any free port",
    group: "Network",
  },
  {
    name: "listen",
    value: "<address>",
    about: "listen on this address instead of loopback",
    group: "Network",
  },
  {
    name: "mail",
    value: "<where>",
    about: "send mail about changes: smtp://HOST:PORT, or a folder for .eml files",
    completes: "file",
    group: "Mail",
  },
  { name: "log", about: "log requests to stderr", group: "Network" },
] as const satisfies readonly CommandFlag[];

/** Input of `bt serve`. */
export type ServeInput = InputOf<typeof SERVE_FLAGS>;
