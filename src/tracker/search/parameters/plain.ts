import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { FIELD_MAP, FIELDS } from "../../fields.ts";
import { type Condition, type Criterion, criterion } from "../condition.ts";
import { joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "../context.ts";
import { searchableFields } from "../fields.ts";
import { ROLE_FIELDS } from "./rows.ts";

/** Conditions of the plain parameters (`product=Firefox`), under any of their names. */
export function plainConditions(context: SearchContext, values: ParameterValues): Condition[] {
  return [...fieldParameters(context)].flatMap(([name, field]) => {
    if (!values.has(name) || isRole(field, values) || isTime(field)) return [];
    const sent = field === "resolution" ? resolutions(values, name) : nonEmptyTexts(values, name);
    if (sent.length === 0) {
      context.reportIgnored(name, "it is empty");
      return [];
    }
    return plainCriterion(context, {
      name,
      field,
      values: sent,
      type: joinedText(values, `${chartParameterName(field)}_type`),
    });
  });
}

/** An empty resolution finds open bugs, as the specification wants it; Bugzilla ignores it, and has `---` for that. */
function resolutions(values: ParameterValues, name: string): string[] {
  return (values.get(name) ?? []).map((text) => text.trim() || "---");
}

type PlainParameter = {
  name: string;
  field: string;
  values: string[];
  type: string; // operator from `FIELD_type`, or ""
};

function plainCriterion(context: SearchContext, { name, field, values, type }: PlainParameter): Criterion[] {
  const operator = type || (DEFAULT_OPERATORS[field] ?? "anyexact");
  if (field === "bug_status" && operator === "anyexact") return statusCriteria(context, name, values);
  const items = field === "resolution" ? values.map((item) => (item === "---" ? "" : item)) : values;
  const text = items.join(",");
  return [isSelect(context, field) ? { ...criterion(field, operator, text), items } : criterion(field, operator, text)];
}

const PHRASES = FIELDS.filter(({ json, family }) => json && family === "text");

const DEFAULT_OPERATORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PHRASES.map(({ chart }) => [chart, "allwordssubstr"])),
  content: "matches",
  keywords: "allwords",
};

// Parameters that rows.ts turns into rows; `longdesc` only without `longdesc_type`.
function isRole(field: string, values: ParameterValues): boolean {
  return ROLE_FIELDS.includes(field) && !(field === "longdesc" && values.has("longdesc_type"));
}

function isTime(field: string): boolean {
  return field === "creation_ts" || field === "delta_ts";
}

const SELECTS: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ chart, family }) => (family === "choice" || family === "ranked" ? [chart] : [])),
);

// Values of these fields are names that may contain commas.
function isSelect({ customFields }: SearchContext, field: string): boolean {
  const type = customFields.get(field)?.type;
  return SELECTS.has(field) || type === FIELD_TYPE.select || type === FIELD_TYPE.multiSelect;
}

/** Criterion of `status`: exact names, `__open__` and `__closed__`. Unknown names are ignored; all statuses are no criterion. */
function statusCriteria(context: SearchContext, parameter: string, sent: string[]): Criterion[] {
  const statuses = context.store.all<Status>(STATUSES);
  const matching = statuses.filter(
    ({ name, is_open }) => sent.includes(name) || sent.includes(is_open === 1 ? "__open__" : "__closed__"),
  );
  const unknown = sent.find((name) => !STATUS_WORDS.has(name) && !statuses.some((status) => status.name === name));
  if (unknown !== undefined) context.reportIgnored(parameter, `there is no status '${unknown}'`);
  if (sent.includes("__all__") || matching.length === 0 || matching.length === statuses.length) return [];
  const items = matching.map(({ name }) => name);
  return [{ ...criterion("bug_status", "anyexact", items.join(",")), items }];
}

type Status = { name: string; is_open: number };

const STATUSES = `SELECT field_values.name, is_open FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' ORDER BY field_values.sort_key`;

const STATUS_WORDS: ReadonlySet<string> = new Set(["__open__", "__closed__", "__all__"]);

/** Chart names of the fields that can be search parameters, by parameter name. */
export function fieldParameters(context: SearchContext): ReadonlyMap<string, string> {
  const fields = searchableFields(context);
  const searchable = new Set(fields);
  const byChartName = fields.map((chart) => [chart.replaceAll(".", "_"), chart] as const);
  const byWireName = [...FIELD_MAP].filter(([chart]) => searchable.has(chart));
  return new Map([...byChartName, ...byWireName.map(([chart, name]) => [name, chart] as const)]);
}

/** Parameter name of a field by its chart name; `short_desc_type` and the like derive from it. */
export function chartParameterName(chart: string): string {
  return chart.replaceAll(".", "_");
}
