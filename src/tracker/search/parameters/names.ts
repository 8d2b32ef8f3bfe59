import { FIELD_NAMES } from "../../../wire/names.ts";
import type { Asking } from "../asking.ts";
import { fieldsSeen } from "../fields/find.ts";

/** The fields that a request may name as parameters: by the parameter's name, the chart name. */
export function parameterNames(asking: Asking): ReadonlyMap<string, string> {
  const fields = fieldsSeen(asking);
  const seen = new Set(fields);
  const own = fields.map((chart) => [chart.replaceAll(".", "_"), chart] as const);
  const mapped = FIELD_NAMES.filter(({ api, chart }) => MAPPED.has(api) && seen.has(chart));
  return new Map([...own, ...mapped.map(({ api, chart }) => [api, chart] as const)]);
}

/** The parameter by which a field is known inside the server; `short_desc_type` and the like are named after it. */
export function innerName(chart: string): string {
  return chart.replaceAll(".", "_");
}

// The names of bug JSON that a search understands; it knows the others (groups, flags) by their inner names only.
const MAPPED: ReadonlySet<string> = new Set([
  "id",
  "summary",
  "status",
  "severity",
  "platform",
  "url",
  "whiteboard",
  "creator",
  "creation_time",
  "last_change_time",
  "depends_on",
  "blocks",
  "is_confirmed",
  "is_cc_accessible",
  "is_creator_accessible",
  "tags",
]);
