import { Fault } from "../../http/fault.ts";
import { readTimestamp } from "../../timestamps.ts";
import { type Condition, type Criterion, criterion, type Join, joinConditions, negateIf } from "../condition.ts";
import { isSwitchedOn, joinedText, nonEmptyTexts, type ParameterValues, type SearchContext } from "../context.ts";

/**
 * The conditions of the rows `f1 o1 v1 n1`, grouped by OP and CP, and of the parameters that count as rows: people and
 * times. Those get the numbers behind the number of rows, so that gaps between the rows' own numbers are dangerous: a
 * row that stands there already is overwritten, as the recorded server does it.
 */
export function chartRowConditions(asking: SearchContext, values: ParameterValues): Condition {
  const lines = new Map(
    [...values.keys()].flatMap((name) => /^f(\d+)$/.exec(name)?.[1] ?? []).map((id) => [id, readChartRow(values, id)]),
  );
  const first = lines.size + 1;
  for (const [index, added] of [...timeRows(asking, values), ...roleRows(values)].entries()) {
    const id = String(first + index);
    const overwritten = lines.get(id);
    if (overwritten) asking.ignore(`f${id}`, "people and times count as rows too; number the rows from 1 without gaps");
    lines.set(id, { join: "AND", isNegated: false, ...overwritten, ...added });
  }
  return nestRows(asking, joinOf(joinedText(values, "j_top")), lines);
}

type ChartRow = {
  readonly field: string;
  readonly operator: string;
  readonly text: string;
  readonly isNegated: boolean;
  readonly join: Join;
};

function readChartRow(values: ParameterValues, id: string): ChartRow {
  return {
    field: joinedText(values, `f${id}`),
    operator: joinedText(values, `o${id}`),
    text: joinedText(values, `v${id}`),
    isNegated: isSwitchedOn(values, `n${id}`),
    join: joinOf(joinedText(values, `j${id}`)),
  };
}

function joinOf(text: string): Join {
  return text === "OR" || text === "AND_G" ? text : "AND";
}

type AddedRow = Pick<ChartRow, "field" | "operator" | "text">;

function timeRows(asking: SearchContext, values: ParameterValues): readonly AddedRow[] {
  return TIMES.flatMap(({ field, parameter }) => {
    const inner = nonEmptyTexts(values, field);
    const given = values.get(parameter)?.map(readTimestamp) ?? inner;
    if (given.length > 1) asking.ignore(parameter, "only one time can be given");
    return given.length === 0 ? [] : [{ field, operator: "greaterthaneq", text: given.join(",") }];
  });
}

const TIMES = [
  { field: "delta_ts", parameter: "last_change_time" },
  { field: "creation_ts", parameter: "creation_time" },
] as const;

function roleRows(values: ParameterValues): readonly AddedRow[] {
  return ROLE_FIELDS.filter((field) => field !== "longdesc" || !values.has("longdesc_type")).flatMap((field) => {
    const given = [...(field === "reporter" ? nonEmptyTexts(values, "creator") : []), ...nonEmptyTexts(values, field)];
    return given.length === 0 ? [] : [{ field, operator: "anywordssubstr", text: given.join(" ") }];
  });
}

type OpenGroup = { readonly join: Join; readonly isNegated: boolean; readonly parts: Condition[] };

// A group may stay open to the end, but none may end that did not begin.
function nestRows(asking: SearchContext, join: Join, lines: ReadonlyMap<string, ChartRow>): Condition {
  const top: OpenGroup = { join, isNegated: false, parts: [] };
  const stack = [top];
  for (const [id, line] of [...lines].sort(([a], [b]) => Number(a) - Number(b))) {
    if (line.field === "OP") {
      stack.push({ ...line, parts: [] });
    } else if (line.field === "CP") {
      closeGroup(stack, id);
    } else {
      stack.at(-1)?.parts.push(...conditionOf(asking, id, line));
    }
  }
  while (stack.length > 1) {
    closeGroup(stack, "");
  }
  return joinConditions(top.join, top.parts);
}

function closeGroup(stack: OpenGroup[], id: string): void {
  const ended = stack.pop();
  const outer = stack.at(-1);
  if (!ended || !outer) {
    throw new Fault(400, 68000, `Search argument f${id} is "CP" but there is no matching "OP" before it.`);
  }
  outer.parts.push(negateIf(ended.isNegated, joinConditions(ended.join, ended.parts)));
}

function conditionOf(asking: SearchContext, id: string, line: ChartRow): readonly Condition[] {
  const { field, operator, text, isNegated } = line;
  const isWhole = field !== "" && operator !== "" && (text !== "" || /^is(not)?empty$/.test(operator));
  if (!isWhole) asking.ignore(`f${id}`, "a row needs a field, an operator and a value");
  return isWhole ? [negateIf(isNegated, criterion(field, operator, text))] : [];
}

/** The fields whose plain parameters become rows: people, by any part of their names, and what comments say. */
export const ROLE_FIELDS: readonly string[] = ["assigned_to", "reporter", "qa_contact", "longdesc", "cc"];

/**
 * The conditions of the old rows, `field0-1-2` with `type0-1-2` and `value0-1-2`: charts of ANDs of ORs, in this order of
 * numbers; `negate0` turns a chart round.
 */
export function oldChartRowConditions(asking: SearchContext, values: ParameterValues): readonly Condition[] {
  const places = [...values.keys()].flatMap(
    (name) => /^field(\d+)-(\d+)-(\d+)$/.exec(name)?.slice(1, 4).join("-") ?? [],
  );
  return groupPlaces(places, 1).map(([chart, inChart]) => {
    const ands = groupPlaces(inChart, 2).map(([, inAnd]) =>
      joinConditions(
        "OR",
        inAnd.flatMap((place) => readOldRow(asking, values, place)),
      ),
    );
    return negateIf(isSwitchedOn(values, `negate${chart}`), joinConditions("AND", ands));
  });
}

/** Places by their first numbers. */
function groupPlaces(places: readonly string[], numbers: number): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const place of places) {
    const start = place.split("-").slice(0, numbers).join("-");
    groups.set(start, [...(groups.get(start) ?? []), place]);
  }
  return [...groups];
}

function readOldRow(asking: SearchContext, values: ParameterValues, place: string): readonly Criterion[] {
  const [field, operator, text] = ["field", "type", "value"].map((part) => joinedText(values, `${part}${place}`));
  if (!field || !operator || !text) {
    asking.ignore(`field${place}`, "a row needs a field, an operator and a value");
    return [];
  }
  return [criterion(field, operator, text)];
}
