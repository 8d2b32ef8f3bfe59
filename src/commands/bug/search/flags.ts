import type { CommandFlag } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { criteriaFlags, SORT } from "../../shared/criteria/flags.ts";
import { WEB } from "../../shared/flags.ts";

const RESULT_FLAGS = [
  SORT,
  {
    name: "all",
    about: "no result limit; also allows a search without criteria",
    group: "Result",
  },
  { name: "count", about: "print only the number of bugs", group: "Result" },
  {
    name: "by",
    value: "<fields>",
    many: true,
    about: "count bugs by one or two fields: component,severity",
    group: "Result",
    completes: "field names",
  },
  { name: "explain", about: "print the query and its request, and send nothing", group: "Result" },
  WEB,
  {
    name: "max",
    value: "<number>",
    least: 0,
    about: "list all bugs, and exit with 1 if there are more",
    group: "Result",
  },
  { name: "fail-empty", about: "exit with 1 if no bug matches", group: "Result" },
] as const satisfies readonly CommandFlag[];

export function searchFlags() {
  return [...criteriaFlags(), ...RESULT_FLAGS];
}

/** Input of `bt bug search`. */
export type SearchInput = InputOf<ReturnType<typeof searchFlags>>;
