import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";
import { JQ_FLAG } from "../shared/flags.ts";

export const API_FLAGS = [
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

/** Input of `bt api`. */
export type ApiInput = InputOf<typeof API_FLAGS>;
