import type { CommandFlag } from "../../command-flag.ts";
import type { VerbRow } from "../verb.ts";

const SERVE_FLAGS = [
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

/** `bt serve`: serves the embedded tracker over HTTP. */
export const SERVE: VerbRow<typeof SERVE_FLAGS> = {
  name: "serve",
  about: "Serve a tracker of your own over HTTP, by default on this machine only.",
  details: `The data is the file of local:, another file with --data, or an in-memory demo with --demo. The first start of a new
tracker creates its owner's API key, prints it once, and stores it next to the file. The demo is readable without a login.
Any client of Bugzilla's REST API can connect, including bt: bt --base-url http://127.0.0.1:PORT ...

Searches with unknown parameters, unknown statuses or invalid dates are rejected, where Bugzilla may return every bug.
Requests are processed one after the other. Mail that cannot be sent is kept for three days, and sent after the next
change or start.`,
  flags: () => SERVE_FLAGS,
  offline: true,
  examples: [
    { line: "bt serve --demo", about: "the demo, on port 8090" },
    { line: "bt serve --data team.db --port 8090", about: "a tracker of your own" },
    { line: "bt serve --data team.db --mail smtp://localhost:25", about: "with mail about changes" },
  ],
  run: async () => (await import("./serve.ts")).runServe,
};
