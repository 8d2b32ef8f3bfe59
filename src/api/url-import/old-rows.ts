import type { QueryPair } from "../query/chart.ts";

/** Whether a parameter belongs to the old form of the custom search: `field0-0-0`, `type0-0-0`, `value0-0-0`, `negate0`. */
export function isOldRowPart(name: string): boolean {
  return OLD_PART.test(name) || /^negate\d+$/.test(name);
}

/**
 * The old form as numbered rows. In `field2-1-0` the first number is a chart (all must hold, each may be negated), the second
 * a line of it (all must hold), the third an alternative within the line.
 */
export function modernRows(pairs: readonly QueryPair[]): readonly QueryPair[] {
  const found = new Map(pairs.filter(([name]) => isOldRowPart(name)));
  const places = [...found.keys()].flatMap((name) => placeOf(name) ?? []).sort(byPlace);
  const slots = distinct(places.map(([chart]) => chart)).flatMap((chart) => {
    const lines = distinct(places.filter(([one]) => one === chart).map(([, line]) => line));
    const inside = lines.flatMap((line) => [
      [
        ["f", "OP"],
        ["j", "OR"],
      ],
      ...places.filter(([one, other]) => one === chart && other === line).map((place) => rowAt(place, found)),
      [["f", "CP"]],
    ]);
    const negation = found.get(`negate${chart}`) === "1" ? [["n", "1"]] : [];
    return [[["f", "OP"], ...negation], ...inside, [["f", "CP"]]];
  });
  return slots.flatMap((slot, index) =>
    slot.map(([letter, value]): QueryPair => [`${letter}${index + 1}`, value ?? ""]),
  );
}

type Place = readonly [chart: number, line: number, alternative: number];

const OLD_PART = /^(?:field|type|value)(\d+)-(\d+)-(\d+)$/;

function placeOf(name: string): readonly Place[] | undefined {
  const [, chart, line, alternative] = /^field/.test(name) ? (OLD_PART.exec(name) ?? []) : [];
  return chart === undefined ? undefined : [[Number(chart), Number(line), Number(alternative)]];
}

function byPlace(one: Place, other: Place): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function rowAt(place: Place, found: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const part = (name: string): string => found.get(`${name}${place.join("-")}`) ?? "";
  return [
    ["f", part("field")],
    ["o", part("type")],
    ["v", part("value")],
  ];
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)];
}
