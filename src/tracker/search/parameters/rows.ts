import { Fault } from "../../fault.ts";
import { readTime } from "../../times.ts";
import type { Asking } from "../asking.ts";
import { type Condition, group, type Join, row, turned } from "../condition.ts";
import { ROLES } from "./roles.ts";
import { filledTexts, isSwitchedOn, oneText, type Values } from "./values.ts";

/**
 * The conditions of the rows `f1 o1 v1 n1`, grouped by OP and CP, and of the parameters that count as rows: people and
 * times. Those get the numbers behind the number of rows, so that gaps between the rows' own numbers are dangerous: a
 * row that stands there already is overwritten, as the recorded server does it.
 */
export function rowConditions(asking: Asking, values: Values): Condition {
  const lines = new Map(
    [...values.keys()].flatMap((name) => /^f(\d+)$/.exec(name)?.[1] ?? []).map((id) => [id, readLine(values, id)]),
  );
  const first = lines.size + 1;
  for (const [index, added] of [...timeLines(asking, values), ...roleLines(values)].entries()) {
    const id = String(first + index);
    const overwritten = lines.get(id);
    if (overwritten) asking.ignore(`f${id}`, "people and times count as rows too; number the rows from 1 without gaps");
    lines.set(id, { join: "AND", isNegated: false, ...overwritten, ...added });
  }
  return grouped(asking, joinOf(oneText(values, "j_top")), lines);
}

type Line = {
  readonly field: string;
  readonly operator: string;
  readonly text: string;
  readonly isNegated: boolean;
  readonly join: Join;
};

function readLine(values: Values, id: string): Line {
  return {
    field: oneText(values, `f${id}`),
    operator: oneText(values, `o${id}`),
    text: oneText(values, `v${id}`),
    isNegated: isSwitchedOn(values, `n${id}`),
    join: joinOf(oneText(values, `j${id}`)),
  };
}

function joinOf(text: string): Join {
  return text === "OR" || text === "AND_G" ? text : "AND";
}

type Added = Pick<Line, "field" | "operator" | "text">;

function timeLines(asking: Asking, values: Values): readonly Added[] {
  return TIMES.flatMap(({ field, parameter }) => {
    const inner = filledTexts(values, field);
    const given = values.get(parameter)?.map(readTime) ?? inner;
    if (given.length > 1) asking.ignore(parameter, "only one time can be given");
    return given.length === 0 ? [] : [{ field, operator: "greaterthaneq", text: given.join(",") }];
  });
}

const TIMES = [
  { field: "delta_ts", parameter: "last_change_time" },
  { field: "creation_ts", parameter: "creation_time" },
] as const;

function roleLines(values: Values): readonly Added[] {
  return ROLES.filter((field) => field !== "longdesc" || !values.has("longdesc_type")).flatMap((field) => {
    const given = [...(field === "reporter" ? filledTexts(values, "creator") : []), ...filledTexts(values, field)];
    return given.length === 0 ? [] : [{ field, operator: "anywordssubstr", text: given.join(" ") }];
  });
}

type Open = { readonly join: Join; readonly isNegated: boolean; readonly parts: Condition[] };

// A group may stay open to the end, but none may end that did not begin.
function grouped(asking: Asking, join: Join, lines: ReadonlyMap<string, Line>): Condition {
  const top: Open = { join, isNegated: false, parts: [] };
  const stack = [top];
  for (const [id, line] of [...lines].sort(([a], [b]) => Number(a) - Number(b))) {
    if (line.field === "OP") {
      stack.push({ ...line, parts: [] });
    } else if (line.field === "CP") {
      close(stack, id);
    } else {
      stack.at(-1)?.parts.push(...conditionOf(asking, id, line));
    }
  }
  while (stack.length > 1) {
    close(stack, "");
  }
  return group(top.join, top.parts);
}

function close(stack: Open[], id: string): void {
  const ended = stack.pop();
  const outer = stack.at(-1);
  if (!ended || !outer) {
    throw new Fault(400, 68000, `Search argument f${id} is "CP" but there is no matching "OP" before it.`);
  }
  outer.parts.push(turned(ended.isNegated, group(ended.join, ended.parts)));
}

function conditionOf(asking: Asking, id: string, line: Line): readonly Condition[] {
  const { field, operator, text, isNegated } = line;
  const isWhole = field !== "" && operator !== "" && (text !== "" || /^is(not)?empty$/.test(operator));
  if (!isWhole) asking.ignore(`f${id}`, "a row needs a field, an operator and a value");
  return isWhole ? [turned(isNegated, row(field, operator, text))] : [];
}
