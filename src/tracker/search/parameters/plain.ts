import { FIELD_NAMES } from "../../../wire/search-names.ts";
import { FIELD_TYPE } from "../../bug-fields/custom-fields.ts";
import { type Condition, type Criterion, criterion } from "../condition.ts";
import { joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "../context.ts";
import { searchableFields } from "../fields.ts";
import { ROLE_FIELDS } from "./rows.ts";

/** The conditions of the plain parameters (`product=Firefox`): one a parameter, whichever of its names is used. */
export function plainConditions(asking: SearchContext, values: ParameterValues): readonly Condition[] {
  return [...fieldParameters(asking)].flatMap(([name, field]) => {
    if (!values.has(name) || isRole(field, values) || isTime(field)) return [];
    const given = nonEmptyTexts(values, name);
    if (given.length === 0) {
      asking.ignore(name, field === "resolution" ? "it is empty; say --- for open bugs" : "it is empty");
      return [];
    }
    return plainRow(asking, { name, field, given, type: joinedText(values, `${chartParameterName(field)}_type`) });
  });
}

type Given = {
  readonly name: string;
  readonly field: string;
  readonly given: readonly string[];
  readonly type: string; // the operator that was asked for, or ""
};

function plainRow(asking: SearchContext, { name, field, given, type }: Given): readonly Criterion[] {
  const operator = type || (DEFAULT_OPERATORS[field] ?? "anyexact");
  if (field === "bug_status" && operator === "anyexact") return statusCriteria(asking, name, given);
  const items = field === "resolution" ? given.map((item) => (item === "---" ? "" : item)) : given;
  const text = items.join(",");
  return [isSelect(asking, field) ? { ...criterion(field, operator, text), items } : criterion(field, operator, text)];
}

const DEFAULT_OPERATORS: Readonly<Record<string, string>> = {
  bug_file_loc: "allwordssubstr",
  content: "matches",
  keywords: "allwords",
  short_desc: "allwordssubstr",
  status_whiteboard: "allwordssubstr",
};

// These are turned into rows (roles.ts), unless a type says how comments are meant.
function isRole(field: string, values: ParameterValues): boolean {
  return ROLE_FIELDS.includes(field) && !(field === "longdesc" && values.has("longdesc_type"));
}

function isTime(field: string): boolean {
  return field === "creation_ts" || field === "delta_ts";
}

const SELECTS: ReadonlySet<string> = new Set([
  "bug_severity",
  "bug_status",
  "classification",
  "component",
  "op_sys",
  "priority",
  "product",
  "rep_platform",
  "resolution",
  "target_milestone",
  "version",
]);

// The values of these are names that may hold commas.
function isSelect({ custom }: SearchContext, field: string): boolean {
  const type = custom.get(field)?.type;
  return SELECTS.has(field) || type === FIELD_TYPE.select || type === FIELD_TYPE.multiSelect;
}

/** The condition of `status`: exact names, `__open__` and `__closed__`; names of no status are dropped, all are no condition. */
function statusCriteria(asking: SearchContext, parameter: string, given: readonly string[]): readonly Criterion[] {
  const legal = asking.store.all<Status>(STATUSES);
  const wanted = legal.filter(
    ({ name, is_open }) => given.includes(name) || given.includes(is_open === 1 ? "__open__" : "__closed__"),
  );
  const unknown = given.find((name) => !STATUS_WORDS.has(name) && !legal.some((status) => status.name === name));
  if (unknown !== undefined) asking.ignore(parameter, `there is no status '${unknown}'`);
  if (given.includes("__all__") || wanted.length === 0 || wanted.length === legal.length) return [];
  const items = wanted.map(({ name }) => name);
  return [{ ...criterion("bug_status", "anyexact", items.join(",")), items }];
}

type Status = { readonly name: string; readonly is_open: number };

const STATUSES = `SELECT field_values.name, is_open FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' ORDER BY field_values.sort_key`;

const STATUS_WORDS: ReadonlySet<string> = new Set(["__open__", "__closed__", "__all__"]);

/** The fields that a request may name as parameters: by the parameter's name, the chart name. */
export function fieldParameters(asking: SearchContext): ReadonlyMap<string, string> {
  const fields = searchableFields(asking);
  const seen = new Set(fields);
  const own = fields.map((chart) => [chart.replaceAll(".", "_"), chart] as const);
  const mapped = FIELD_NAMES.filter(({ api, chart }) => MAPPED.has(api) && seen.has(chart));
  return new Map([...own, ...mapped.map(({ api, chart }) => [api, chart] as const)]);
}

/** The parameter by which a field is known inside the server; `short_desc_type` and the like are named after it. */
export function chartParameterName(chart: string): string {
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
