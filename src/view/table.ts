import Table from "cli-table3";

/**
 * Cells side by side without borders; cells may have several lines and are already escaped, wrapped and painted. For
 * what fits a screen: time is quadratic in the number of rows.
 */
export function gridText(rows: string[][]): string {
  if (rows.length === 0) return "";
  const table = new Table({ chars: NO_BORDERS, style: NO_STYLE });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

const SIDES = ["top", "bottom", "left", "right"];
const JOINTS = SIDES.slice(0, 3).flatMap((side) => SIDES.map((other) => `${side}-${other}`));
const NO_BORDERS = Object.fromEntries(
  [...SIDES, ...JOINTS, "mid", "left-mid", "mid-mid", "right-mid", "top-mid", "bottom-mid", "middle"].map((part) => [
    part,
    "",
  ]),
);
const NO_STYLE = { head: [], border: [], "padding-left": 0, "padding-right": 2 };
