import type { Json } from "../wire/exchange.ts";
import type { Listing } from "./column.ts";
import { stable } from "./stable.ts";
import { escapeJson } from "./text.ts";
import type { View } from "./view.ts";

/**
 * Prints values of the wire, in the order in which equal answers are equal byte for byte: `json` as one array (indented at a terminal, in one line for a
 * program), `ndjson` as one line each. What could drive a terminal is escaped the way JSON does it, so the value stays exact.
 */
export function documents(format: "json" | "ndjson", view: View): Listing<Json> {
  return format === "ndjson" ? lines : array(view.terminal ? INDENTED : COMPACT);
}

const lines: Listing<Json> = {
  head: () => "",
  page: (values) => escapeJson(values.map((value) => `${JSON.stringify(stable(value))}\n`).join("")),
  tail: () => "",
};

type Style = {
  readonly write: (value: Json) => string;
  readonly between: string;
  readonly before: string;
  readonly after: string;
};
const COMPACT: Style = { write: (value) => JSON.stringify(stable(value)), between: ",", before: "", after: "" };
const INDENTED: Style = {
  write: (value) => JSON.stringify(stable(value), null, 2).replaceAll("\n", "\n  "),
  between: ",\n  ",
  before: "\n  ",
  after: "\n",
};

function array(style: Style): Listing<Json> {
  let empty = true;
  return {
    head: () => "[",
    page: (values) => {
      if (values.length === 0) return "";
      const lead = empty ? style.before : style.between;
      empty = false;
      return escapeJson(lead + values.map(style.write).join(style.between));
    },
    tail: () => (empty ? "]\n" : `${style.after}]\n`),
  };
}
