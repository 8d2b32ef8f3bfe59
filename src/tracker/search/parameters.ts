import { FIELD_TYPE } from "../../wire/field-types.ts";
import { PERSON_ROLES } from "../../wire/search-names.ts";
import { FIELD_MAP, FIELDS } from "../fields.ts";
import { Fault } from "../http/fault.ts";
import { readTimestamp } from "../timestamps.ts";
import { type Condition, type Criterion, createCriterion, type Join, joinConditions, negateIf } from "./condition.ts";
import { isSwitchedOn, joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "./context.ts";
import { isSearchDate } from "./dates.ts";
import { searchableFields } from "./search-fields.ts";

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
  return [
    isSelect(context, field)
      ? { ...createCriterion(field, operator, text), items }
      : createCriterion(field, operator, text),
  ];
}

const PHRASES = FIELDS.filter(({ json, family }) => json && family === "text");

const DEFAULT_OPERATORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PHRASES.map(({ chart }) => [chart, "allwordssubstr"])),
  content: "matches",
  keywords: "allwords",
};

// Parameters that become rows; `longdesc` only without `longdesc_type`.
function isRole(field: string, values: ParameterValues): boolean {
  return ROLE_FIELDS.includes(field) && !(field === "longdesc" && values.has("longdesc_type"));
}

function isTime(field: string): boolean {
  return field === "creation_ts" || field === "delta_ts";
}

const SELECTS: ReadonlySet<string> = new Set(
  FIELDS.filter(({ family }) => family === "choice" || family === "ranked").map(({ chart }) => chart),
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
  return [{ ...createCriterion("bug_status", "anyexact", items.join(",")), items }];
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

/**
 * Conditions of `chfield` (repeatable; `[Bug creation]` too), `chfieldvalue`, `chfieldfrom` and `chfieldto`: a single change
 * of one of the fields to the value between the dates. Dates alone are about the last change.
 * @see Bugzilla/Search.pm, _special_parse_chfield
 */
export function changedConditions(context: SearchContext, values: ParameterValues): Condition[] {
  const fields = nonEmptyTexts(values, "chfield").map((field) => (field === "[Bug creation]" ? "creation_ts" : field));
  const to = joinedText(values, "chfieldvalue");
  const from = readDateParameter(context, values, "chfieldfrom");
  const before = readDateParameter(context, values, "chfieldto");
  reportUselessFields(context, { hasFields: fields.length > 0, isLimited: `${to}${from}${before}` !== "" });
  const changes: Condition[] = [];
  for (const field of fields) {
    const oneChange: Condition[] = [];
    if (to !== "") oneChange.push(createCriterion(field, "changedto", to));
    if (from !== "") oneChange.push(createCriterion(field, "changedafter", from));
    if (before !== "") oneChange.push(createCriterion(field, "changedbefore", endOfDay(before)));
    changes.push(joinConditions("AND_G", oneChange));
  }
  const lastChange: Condition[] = [];
  if (from !== "") lastChange.push(createCriterion("delta_ts", "greaterthaneq", from));
  if (before !== "" && fields.length === 0 && to === "")
    lastChange.push(createCriterion("delta_ts", "lessthaneq", before));
  return [...lastChange, joinConditions("OR", changes)];
}

// `now` is no limit.
function readDateParameter(context: SearchContext, values: ParameterValues, name: string): string {
  const text = joinedText(values, name).toLowerCase();
  if (text !== "" && !isSearchDate(text, context.now)) context.reportIgnored(name, `'${text}' is not a date`);
  return text === "now" ? "" : text;
}

function reportUselessFields(
  { reportIgnored }: SearchContext,
  { hasFields, isLimited }: { hasFields: boolean; isLimited: boolean },
): void {
  if (hasFields && !isLimited) reportIgnored("chfield", "it needs a value or a date");
}

function endOfDay(date: string): string {
  return /^\d{4}-\d{1,2}-\d{1,2}$/.test(date) ? `${date} 23:59:59` : date;
}

/** Conditions of `email1` with `emailtype1`: a matching user in one of the enabled roles (`emailcc1=1`). */
export function peopleConditions(context: SearchContext, values: ParameterValues): Condition[] {
  return [...values.keys()]
    .flatMap((name) => /^email(\d+)$/.exec(name)?.[1] ?? [])
    .flatMap((id) => {
      const user = joinedText(values, `email${id}`);
      const type = joinedText(values, `emailtype${id}`) || "anyexact";
      const roles = ROLE_FIELDS.filter((role) => isSwitchedOn(values, `email${role}${id}`));
      if (user === "" || roles.length === 0) {
        context.reportIgnored(`email${id}`, "it needs a name and a role");
        return [];
      }
      return [
        joinConditions(
          "OR",
          roles.map((role) =>
            createCriterion(role === "longdesc" ? "commenter" : role, type === "exact" ? "equals" : type, user),
          ),
        ),
      ];
    });
}

/** Conditions of the first and the last day of the deadline, both inclusive. */
export function dueDayConditions(values: ParameterValues): Condition[] {
  const found: Condition[] = [];
  for (const [parameter, operator] of DEADLINE_LIMITS) {
    const day = joinedText(values, parameter);
    if (day !== "") found.push(createCriterion("deadline", operator, day));
  }
  return found;
}

const DEADLINE_LIMITS = [
  ["deadlinefrom", "greaterthaneq"],
  ["deadlineto", "lessthaneq"],
] as const;

/** The parameters that limit the deadline. */
export const DUE_DAY_PARAMETERS: readonly string[] = DEADLINE_LIMITS.map(([name]) => name);

/**
 * Condition of the rows `f1 o1 v1 n1`, grouped by OP and CP, and of the people and time parameters, which become rows
 * numbered after the count of the given ones. As in Bugzilla, they overwrite given rows if those are numbered with gaps.
 * @throws Fault other_fatal for a CP without OP
 * @see Bugzilla/Search.pm, _boolean_charts and _custom_search
 */
export function chartRowConditions(context: SearchContext, values: ParameterValues): Condition {
  const rows = new Map<string, ChartRow>();
  for (const name of values.keys()) {
    const id = /^f(\d+)$/.exec(name)?.[1];
    if (id !== undefined) rows.set(id, readChartRow(values, id));
  }
  const first = rows.size + 1;
  for (const [index, added] of [...timeRows(context, values), ...roleRows(values)].entries()) {
    const id = String(first + index);
    const overwritten = rows.get(id);
    if (overwritten)
      context.reportIgnored(`f${id}`, "people and times count as rows too; number the rows from 1 without gaps");
    rows.set(id, { join: "AND", isNegated: false, ...overwritten, ...added });
  }
  return nestRows(context, readJoin(joinedText(values, "j_top")), rows);
}

type AddedRow = { field: string; operator: string; text: string };

type ChartRow = AddedRow & { isNegated: boolean; join: Join };

function readChartRow(values: ParameterValues, id: string): ChartRow {
  return {
    field: joinedText(values, `f${id}`),
    operator: joinedText(values, `o${id}`),
    text: joinedText(values, `v${id}`),
    isNegated: isSwitchedOn(values, `n${id}`),
    join: readJoin(joinedText(values, `j${id}`)),
  };
}

function readJoin(text: string): Join {
  return text === "OR" || text === "AND_G" ? text : "AND";
}

function timeRows(context: SearchContext, values: ParameterValues): AddedRow[] {
  const found: AddedRow[] = [];
  for (const { field, parameter } of TIMES) {
    const byChartName = nonEmptyTexts(values, field);
    const texts = values.get(parameter)?.map(readTimestamp) ?? byChartName;
    if (texts.length > 1) context.reportIgnored(parameter, "only one time can be given");
    if (texts.length !== 0) found.push({ field, operator: "greaterthaneq", text: texts.join(",") });
  }
  return found;
}

const TIMES = [
  { field: "delta_ts", parameter: "last_change_time" },
  { field: "creation_ts", parameter: "creation_time" },
] as const;

function roleRows(values: ParameterValues): AddedRow[] {
  const found: AddedRow[] = [];
  for (const field of ROLE_FIELDS.filter((role) => role !== "longdesc" || !values.has("longdesc_type"))) {
    const texts = [...(field === "reporter" ? nonEmptyTexts(values, "creator") : []), ...nonEmptyTexts(values, field)];
    if (texts.length !== 0) found.push({ field, operator: "anywordssubstr", text: texts.join(" ") });
  }
  return found;
}

type OpenGroup = { join: Join; isNegated: boolean; parts: Condition[] };

// A missing CP at the end is allowed, a CP without OP is not.
function nestRows(context: SearchContext, join: Join, rows: ReadonlyMap<string, ChartRow>): Condition {
  const top: OpenGroup = { join, isNegated: false, parts: [] };
  const stack = [top];
  for (const [id, row] of [...rows].sort(([a], [b]) => Number(a) - Number(b))) {
    if (row.field === "OP") {
      stack.push({ ...row, parts: [] });
    } else if (row.field === "CP") {
      closeGroup(stack, id);
    } else {
      stack.at(-1)?.parts.push(...rowConditions(context, id, row));
    }
  }
  while (stack.length > 1) {
    closeGroup(stack, "");
  }
  return joinConditions(top.join, top.parts);
}

function closeGroup(stack: OpenGroup[], id: string): void {
  const closed = stack.pop();
  const outer = stack.at(-1);
  if (!closed || !outer) {
    throw new Fault("other_fatal", `Search argument f${id} is "CP" but there is no matching "OP" before it.`);
  }
  outer.parts.push(negateIf(closed.isNegated, joinConditions(closed.join, closed.parts)));
}

function rowConditions(context: SearchContext, id: string, row: ChartRow): Condition[] {
  const { field, operator, text, isNegated } = row;
  const isComplete = isCompleteRow(field, operator, text);
  if (!isComplete) context.reportIgnored(`f${id}`, "a row needs a field, an operator and a value");
  return isComplete ? [negateIf(isNegated, createCriterion(field, operator, text))] : [];
}

function isCompleteRow(field: string, operator: string, text: string): boolean {
  return field !== "" && operator !== "" && (text !== "" || /^is(not)?empty$/.test(operator));
}

/** Fields whose plain parameters become rows: people, and comments. */
export const ROLE_FIELDS: readonly string[] = [...PERSON_ROLES.keys()];
