import type { VerbRow } from "../verb.ts";
import { API_FLAGS } from "./flags.ts";

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
  exits: ["unknown", "partial"],
  run: async () => (await import("./api.ts")).runApi,
};
