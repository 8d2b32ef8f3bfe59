import type { Verb } from "../verb.ts";

/** The embedded tracker on a port. */
export const SERVE: Verb = {
  name: "serve",
  about: "Serve the embedded tracker over HTTP, on this machine only.",
  details: `The data is the file that local: uses, another one with --data, or the demo in memory with --demo. At the first start
of a tracker of your own its owner's key is made, shown once, and kept beside the file. The demo lets everybody read.
Any client of Bugzilla's REST interface can talk to it, bt included: bt --base-url http://127.0.0.1:PORT ...
A search with a parameter, a status or a date that is none is refused; other trackers answer it with every bug. One that
takes more than 5 seconds is ended, and nobody else waits for it (in --demo, which is in memory, everybody does).`,
  flags: [
    {
      name: "data",
      value: "<file>",
      about: "the SQLite file to serve; made when it is not there",
      completes: "file",
      group: "Data",
    },
    { name: "demo", about: "the demo, anew in memory", group: "Data" },
    { name: "port", value: "<number>", about: "the port (8090); 0 takes any that is free", group: "Network" },
    {
      name: "listen",
      value: "<address>",
      about: "listen on this address instead of loopback; others can then reach it",
      group: "Network",
    },
    {
      name: "mail-to",
      value: "<folder>",
      about: "drop the mails that changes cause into this folder, as .eml files",
      completes: "file",
      group: "Mail",
    },
    {
      name: "compat",
      about: "answer searches with unknown names and unreadable dates as other trackers do, by ignoring them",
      group: "Data",
    },
    { name: "log", about: "say every request on standard error", group: "Network" },
  ],
  offline: true,
  examples: [
    { line: "bt serve --demo", about: "the demo, for any client" },
    { line: "bt serve --data team.db --port 8090", about: "a tracker of your own" },
  ],
  run: async () => (await import("./serve.ts")).runServe,
};
