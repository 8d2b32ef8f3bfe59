import { PERSON_ROLES } from "../../../wire/search-names.ts";
import { Fault } from "../../http/fault.ts";
import { readTimestamp } from "../../timestamps.ts";
import { type Condition, type Criterion, criterion, type Join, joinConditions, negateIf } from "../condition.ts";
import { isSwitchedOn, joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "../context.ts";

/**
 * Condition of the rows `f1 o1 v1 n1`, grouped by OP and CP, and of the people and time parameters, which become rows
 * numbered after the count of the given ones. As in Bugzilla, they overwrite given rows if those are numbered with gaps.
 * @throws Fault 68000 for a CP without OP
 * @see Bugzilla/Search.pm, _boolean_charts and _custom_search
 */
export function chartRowConditions(context: SearchContext, values: ParameterValues): Condition {
  const rows = new Map(
    [...values.keys()].flatMap((name) => /^f(\d+)$/.exec(name)?.[1] ?? []).map((id) => [id, readChartRow(values, id)]),
  );
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
  for (const field of ROLE_FIELDS.filter((field) => field !== "longdesc" || !values.has("longdesc_type"))) {
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
    throw new Fault(400, 68000, `Search argument f${id} is "CP" but there is no matching "OP" before it.`);
  }
  outer.parts.push(negateIf(closed.isNegated, joinConditions(closed.join, closed.parts)));
}

function rowConditions(context: SearchContext, id: string, row: ChartRow): Condition[] {
  const { field, operator, text, isNegated } = row;
  const isComplete = isCompleteRow(field, operator, text);
  if (!isComplete) context.reportIgnored(`f${id}`, "a row needs a field, an operator and a value");
  return isComplete ? [negateIf(isNegated, criterion(field, operator, text))] : [];
}

function isCompleteRow(field: string, operator: string, text: string): boolean {
  return field !== "" && operator !== "" && (text !== "" || /^is(not)?empty$/.test(operator));
}

/** Fields whose plain parameters become rows: people, and comments. */
export const ROLE_FIELDS: readonly string[] = [...PERSON_ROLES.keys()];

/**
 * Conditions of boolean charts, `field0-1-2` with `type0-1-2` and `value0-1-2`: numbers of chart, AND and OR; `negate0`
 * negates a chart.
 */
export function oldChartRowConditions(context: SearchContext, values: ParameterValues): Condition[] {
  const positions = [...values.keys()].flatMap(
    (name) => /^field(\d+)-(\d+)-(\d+)$/.exec(name)?.slice(1, 4).join("-") ?? [],
  );
  return groupPositions(positions, 1).map(([chart, chartPositions]) => {
    const ands = groupPositions(chartPositions, 2).map(([, orPositions]) =>
      joinConditions(
        "OR",
        orPositions.flatMap((position) => readOldRow(context, values, position)),
      ),
    );
    return negateIf(isSwitchedOn(values, `negate${chart}`), joinConditions("AND", ands));
  });
}

/** Positions grouped by their first `length` numbers. */
function groupPositions(positions: string[], length: number): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const position of positions) {
    const start = position.split("-").slice(0, length).join("-");
    groups.set(start, [...(groups.get(start) ?? []), position]);
  }
  return [...groups];
}

function readOldRow(context: SearchContext, values: ParameterValues, position: string): Criterion[] {
  const part = (name: string): string => joinedText(values, `${name}${position}`);
  const [field, operator, text] = [part("field"), part("type"), part("value")];
  if (!isCompleteRow(field, operator, text)) {
    context.reportIgnored(`field${position}`, "a row needs a field, an operator and a value");
    return [];
  }
  return [criterion(field, operator, text)];
}
