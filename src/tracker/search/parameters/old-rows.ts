import type { Asking } from "../asking.ts";
import { type Condition, group, type Row, row, turned } from "../condition.ts";
import { isSwitchedOn, oneText, type Values } from "./values.ts";

/**
 * The conditions of the old rows, `field0-1-2` with `type0-1-2` and `value0-1-2`: charts of ANDs of ORs, in this order of
 * numbers; `negate0` turns a chart round.
 */
export function oldRowConditions(asking: Asking, values: Values): readonly Condition[] {
  const places = [...values.keys()].flatMap(
    (name) => /^field(\d+)-(\d+)-(\d+)$/.exec(name)?.slice(1, 4).join("-") ?? [],
  );
  return grouped(places, 1).map(([chart, inChart]) => {
    const ands = grouped(inChart, 2).map(([, inAnd]) =>
      group(
        "OR",
        inAnd.flatMap((place) => oldRow(asking, values, place)),
      ),
    );
    return turned(isSwitchedOn(values, `negate${chart}`), group("AND", ands));
  });
}

/** Places by their first numbers. */
function grouped(places: readonly string[], numbers: number): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const place of places) {
    const start = place.split("-").slice(0, numbers).join("-");
    groups.set(start, [...(groups.get(start) ?? []), place]);
  }
  return [...groups];
}

function oldRow(asking: Asking, values: Values, place: string): readonly Row[] {
  const [field, operator, text] = ["field", "type", "value"].map((part) => oneText(values, `${part}${place}`));
  if (!field || !operator || !text) {
    asking.ignore(`field${place}`, "a row needs a field, an operator and a value");
    return [];
  }
  return [row(field, operator, text)];
}
