import type { CommandFlag } from "../../command-flag.ts";
import { JQ_FLAG } from "../shared/flags.ts";
import type { VerbRow } from "../verb.ts";

const API_FLAGS = [
  { name: "method", short: "X", value: "<method>", about: "method, also as the first argument", group: "Request" },
  { name: "field", short: "f", value: "<name=value>", many: true, about: "add a string parameter", group: "Request" },
  {
    name: "typed-field",
    short: "F",
    value: "<name=value>",
    many: true,
    about: "add a parameter parsed as JSON",
    group: "Request",
  },
  {
    name: "input",
    value: "<file>",
    about: 'request body from a file ("-" for stdin)',
    completes: "file",
    group: "Request",
  },
  { name: "paginate", about: "print every page of a search, one document after the other", group: "Result" },
  { name: "include", short: "i", about: "include response status and headers", group: "Result" },
  { ...JQ_FLAG, about: "filter the response with a jq expression", group: "Result" },
] as const satisfies readonly CommandFlag[];

/** `bt api`: raw requests, for everything without a verb. */
export const API: VerbRow<typeof API_FLAGS> = {
  name: "api",
  about: "Send one request and print the response body.",
  args: [{ name: "method-or-path" }, { name: "path", optional: true }],
  details: `The default method is GET. -f adds a string parameter: to the query of a GET, to the JSON body of a POST or PUT. -F
does the same and parses true, false, null, numbers and JSON. A repeated name makes a list. Your API key is sent, as by
any other command.`,
  flags: API_FLAGS,
  examples: [
    { line: "bt api /rest/version", about: "the tracker's version" },
    { line: "bt api GET /rest/bug/12 -f include_fields=id,summary", about: "one bug, two fields" },
    { line: "bt api /rest/field/bug/bug_status", about: "a field and its values" },
    {
      line: "bt api /rest/bug --paginate -f product=Lantern -f limit=20 --jq '.bugs[].id'",
      about: "every page of a search",
    },
  ],
  run: async () => (await import("./api.ts")).runApi,
};
