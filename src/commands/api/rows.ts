import { SENDING_FLAGS } from "../shared-flags.ts";
import type { Verb } from "../verb.ts";

/** The raw way to the interface, for everything that no verb wraps. */
export const API: Verb = {
  name: "api",
  about: "Send one request and print the answer as it came.",
  args: [{ name: "method-or-path" }, { name: "path", optional: true }],
  details: `The method is GET unless it stands before the path. -f pairs go into the query of a GET and into the JSON body of a
POST or PUT, as text; -F pairs too, with true, false, null, numbers and JSON read as such. A name given again makes a list.
The key of the tracker travels along as in every other command.`,
  flags: [
    { name: "field", short: "f", value: "<name=value>", many: true, about: "a parameter, as text", group: "Request" },
    {
      name: "typed-field",
      short: "F",
      value: "<name=value>",
      many: true,
      about: "a parameter, read as JSON",
      group: "Request",
    },
    {
      name: "input",
      value: "<file>",
      about: "send this file, or standard input with -, as the body",
      completes: "file",
      group: "Request",
    },
    { name: "include", short: "i", about: "print the status and the headers too", group: "Result" },
    ...SENDING_FLAGS,
  ],
  examples: [
    { line: "bt api /rest/version", about: "the tracker's version" },
    { line: "bt api GET /rest/bug/12 -f include_fields=id,summary", about: "one bug, two fields" },
    { line: "bt api /rest/field/bug/bug_status", about: "a field" },
  ],
  run: async () => (await import("./api.ts")).runApi,
};
