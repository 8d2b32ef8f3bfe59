import { FIELD_TYPE } from "../../wire/field-types.ts";
import { PERSON_ROLES } from "../../wire/search-names.ts";
import { legalValues } from "../bug-fields/values.ts";
import { FIELD_MAP, FIELDS } from "../fields.ts";
import { isEnabled } from "../http/call.ts";
import { Fault, readTimestamp } from "../values.ts";
import { isSearchDate } from "./compare.ts";
import {
  type Condition,
  type Criterion,
  createCriterion,
  type Join,
  joinConditions,
  joinedText,
  negateIf,
  nonEmptyTexts,
  type ParameterValues,
  type SearchContext,
} from "./condition.ts";
import { quicksearchCondition } from "./quicksearch.ts";
import { searchableFields } from "./search-fields.ts";

/** The condition of all parameters of a search. */
export function searchCondition(context: SearchContext, values: ParameterValues): Condition {
  const hasStatus = ["status", "bug_status", "resolution"].some((name) => joinedText(values, name) !== "");
  return joinConditions("AND", [
    ...(values.has("quicksearch") ? [quicksearchCondition(context, joinedText(values, "quicksearch"), hasStatus)] : []),
    ...plainConditions(context, values),
    ...changedConditions(context, values),
    ...nonEmptyCriteria([
      ["deadline", "greaterthaneq", joinedText(values, "deadlinefrom")],
      ["deadline", "lessthaneq", joinedText(values, "deadlineto")],
    ]),
    rowsCondition(context, values),
  ]);
}

/** Conditions of the plain parameters (`product=Firefox`), under any of their names. */
function plainConditions(context: SearchContext, values: ParameterValues): Condition[] {
  return [...fieldParameters(context)].flatMap(([name, field]) => {
    if (!values.has(name) || isRowParameter(field, values)) return [];
    // an empty resolution finds open bugs, by the specification; Bugzilla has `---` for that
    const texts = (values.get(name) ?? []).map((text) => text.trim());
    const items = texts.filter((text) => text !== "" || field === "resolution");
    if (items.length === 0) {
      context.reportIgnored(name, "it is empty");
      return [];
    }
    const operator = joinedText(values, typeParameter(field)) || defaultOperator(field);
    if (field === "bug_status" && operator === "anyexact") return statusCriteria(context, name, items);
    return [createCriterion(field, operator, items.join(","), hasLegalValues(context, field) ? items : undefined)];
  });
}

function defaultOperator(field: string): string {
  if (field === "content") return "matches";
  if (field === "keywords") return "allwords";
  return FIELDS.some(({ chart, json, family }) => chart === field && json && family === "text")
    ? "allwordssubstr"
    : "anyexact";
}

/** True if a field's parameter becomes a row: people, times, `longdesc` without `longdesc_type`. */
function isRowParameter(field: string, values: ParameterValues): boolean {
  if (TIMES.some((time) => time.field === field)) return true;
  return ROLE_FIELDS.includes(field) && !(field === "longdesc" && values.has("longdesc_type"));
}

/** True for fields with legal values, which may contain commas. */
function hasLegalValues({ customFields }: SearchContext, field: string): boolean {
  const type = customFields.get(field)?.type;
  return CHOICE_CHARTS.has(field) || type === FIELD_TYPE.select || type === FIELD_TYPE.multiSelect;
}

const CHOICE_CHARTS: ReadonlySet<string> = new Set(
  FIELDS.filter(({ family }) => family === "choice" || family === "ranked").map(({ chart }) => chart),
);

/** The criterion of status names, `__open__` and `__closed__`; none if they name all, or no known one. */
function statusCriteria(context: SearchContext, parameter: string, words: readonly string[]): Criterion[] {
  const statuses = legalValues(context.store, "bug_status");
  const allowed = new Set(["__open__", "__closed__", "__all__", ...statuses.map(({ name }) => name)]);
  const unknown = words.find((word) => !allowed.has(word));
  if (unknown !== undefined) context.reportIgnored(parameter, `there is no status '${unknown}'`);
  const named = statuses
    .filter(({ name, is_open }) => words.includes(name) || words.includes(is_open ? "__open__" : "__closed__"))
    .map(({ name }) => name);
  const isAny = words.includes("__all__") || named.length === 0 || named.length === statuses.length;
  return isAny ? [] : [createCriterion("bug_status", "anyexact", named.join(","), named)];
}

/** Chart names of the fields that can be search parameters, by the names of the parameters. */
function fieldParameters(context: SearchContext): ReadonlyMap<string, string> {
  const fields = searchableFields(context);
  return new Map([
    ...fields.map((chart) => [chart.replaceAll(".", "_"), chart] as const),
    ...[...FIELD_MAP].flatMap(([chart, name]) => (fields.includes(chart) ? [[name, chart] as const] : [])),
  ]);
}

function typeParameter(chart: string): string {
  return `${chart.replaceAll(".", "_")}_type`;
}

/**
 * Conditions of `chfield` (repeatable), `chfieldvalue`, `chfieldfrom` and `chfieldto`: a single change of one of the fields to
 * the value between the dates. Dates alone are about the last change.
 * @see Bugzilla/Search.pm, _special_parse_chfield
 */
function changedConditions(context: SearchContext, values: ParameterValues): Condition[] {
  const fields = nonEmptyTexts(values, "chfield").map((field) => (field === "[Bug creation]" ? "creation_ts" : field));
  const value = joinedText(values, "chfieldvalue");
  const start = readDateText(context, values, "chfieldfrom");
  const end = readDateText(context, values, "chfieldto");
  if (fields.length > 0 && value === "" && start === "" && end === "")
    context.reportIgnored("chfield", "it needs a value or a date");
  const endOfDay = /^\d{4}-\d{1,2}-\d{1,2}$/.test(end) ? `${end} 23:59:59` : end;
  const changes = fields.map((field) => {
    const sameChange = nonEmptyCriteria([
      [field, "changedto", value],
      [field, "changedafter", start],
      [field, "changedbefore", endOfDay],
    ]);
    return joinConditions("AND_G", sameChange);
  });
  const lastChange = nonEmptyCriteria([
    ["delta_ts", "greaterthaneq", start], // implied by a change since
    ["delta_ts", "lessthaneq", fields.length === 0 && value === "" ? end : ""],
  ]);
  return [...lastChange, joinConditions("OR", changes)];
}

/** Text of a date parameter, even if no date; "" if not sent or `now`, which limits nothing. */
function readDateText(context: SearchContext, values: ParameterValues, name: string): string {
  const text = joinedText(values, name).toLowerCase();
  if (text !== "" && !isSearchDate(text, context.now)) context.reportIgnored(name, `'${text}' is not a date`);
  return text === "now" ? "" : text;
}

function nonEmptyCriteria(
  criteria: readonly (readonly [field: string, operator: string, text: string])[],
): Criterion[] {
  return criteria.filter(([, , text]) => text !== "").map((criterion) => createCriterion(...criterion));
}

type ParameterRow = { readonly field: string; readonly operator: string; readonly text: string };

/** A row `f1 o1 v1`; `n1` negates it, and `j1` joins the group that it opens. */
type Row = ParameterRow & { readonly isNegated: boolean; readonly join: Join };

/**
 * Condition of the rows `f1 o1 v1 n1`, grouped by OP and CP, and of the parameters of people and times, which become rows with
 * the next numbers after the count of rows. As in Bugzilla, they overwrite rows that are numbered with gaps.
 * @throws Fault other_fatal for a CP without OP
 * @see Bugzilla/Search.pm, _boolean_charts and _custom_search
 */
function rowsCondition(context: SearchContext, values: ParameterValues): Condition {
  const ids = [...values.keys()].flatMap((name) => /^f(\d+)$/.exec(name)?.[1] ?? []);
  const rows = new Map(ids.map((id) => [id, readRow(values, id)]));
  const first = rows.size + 1;
  for (const [index, added] of [...timeRows(context, values), ...roleRows(values)].entries()) {
    const id = String(first + index);
    const overwritten = rows.get(id);
    if (overwritten)
      context.reportIgnored(`f${id}`, "people and times count as rows too; number the rows from 1 without gaps");
    rows.set(id, { join: "AND", isNegated: false, ...overwritten, ...added });
  }
  return groupRows(context, readJoin(joinedText(values, "j_top")), rows);
}

function readRow(values: ParameterValues, id: string): Row {
  return {
    field: joinedText(values, `f${id}`),
    operator: joinedText(values, `o${id}`),
    text: joinedText(values, `v${id}`),
    isNegated: isEnabled(joinedText(values, `n${id}`)),
    join: readJoin(joinedText(values, `j${id}`)),
  };
}

function readJoin(text: string): Join {
  return text === "OR" || text === "AND_G" ? text : "AND";
}

function timeRows(context: SearchContext, values: ParameterValues): ParameterRow[] {
  return TIMES.flatMap(({ field, parameter }) => {
    const texts = values.get(parameter)?.map(readTimestamp) ?? nonEmptyTexts(values, field);
    if (texts.length > 1) context.reportIgnored(parameter, "only one time can be given");
    return texts.length === 0 ? [] : [{ field, operator: "greaterthaneq", text: texts.join(",") }];
  });
}

const TIMES = [
  { field: "delta_ts", parameter: "last_change_time" },
  { field: "creation_ts", parameter: "creation_time" },
] as const;

function roleRows(values: ParameterValues): ParameterRow[] {
  return ROLE_FIELDS.flatMap((field) => {
    const names = field === "reporter" ? ["creator", field] : [field];
    const texts = isRowParameter(field, values) ? names.flatMap((name) => nonEmptyTexts(values, name)) : [];
    return texts.length === 0 ? [] : [{ field, operator: "anywordssubstr", text: texts.join(" ") }];
  });
}

/** Fields whose plain parameters become rows: people, and comments. */
const ROLE_FIELDS: readonly string[] = PERSON_ROLES;

/** A group whose CP is not read yet. */
type OpenGroup = { readonly join: Join; readonly isNegated: boolean; readonly parts: Condition[] };

// A missing CP at the end is allowed, a CP without OP is not.
function groupRows(context: SearchContext, join: Join, rows: ReadonlyMap<string, Row>): Condition {
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
  while (stack.length > 1) closeGroup(stack, "");
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

function rowConditions(context: SearchContext, id: string, { field, operator, text, isNegated }: Row): Condition[] {
  const isComplete = field !== "" && operator !== "" && (text !== "" || /^is(not)?empty$/.test(operator));
  if (!isComplete) context.reportIgnored(`f${id}`, "a row needs a field, an operator and a value");
  return isComplete ? [negateIf(isNegated, createCriterion(field, operator, text))] : [];
}

export function reportUnknownParameters(context: SearchContext, values: ParameterValues): void {
  const fields = fieldParameters(context);
  const supported = new Set([...fields.keys(), ...[...fields.values()].map(typeParameter), ...OTHER_PARAMETERS]);
  for (const name of values.keys()) {
    if (!supported.has(name) && !ROW_PARAMETER.test(name))
      context.reportIgnored(name, "there is no such parameter of a search");
  }
}

const ROW_PARAMETER = /^[fovnj]\d+$/;

const OTHER_PARAMETERS: readonly string[] = [
  // the search itself
  ...["chfield", "chfieldfrom", "chfieldto", "chfieldvalue", "deadlinefrom", "deadlineto"],
  ...["j_top", "limit", "offset", "order", "quicksearch"],
  // the response; python-bugzilla sends `permissive` of Get Bug along
  ...["callback", "exclude_fields", "include_fields", "permissive"],
  // beside credentials
  ...["Bugzilla_restrictlogin", "restrict_login"],
  // parameters of the web interface's URLs
  ...["columnlist", "ctype", "known_name", "list_id", "query_based_on", "query_format"],
];
