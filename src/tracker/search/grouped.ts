import { Fault } from "../fault.ts";
import type { Asking } from "./asking.ts";
import { type ChangeRow, changedBug } from "./changes.ts";
import { valueTest } from "./compare/compare.ts";
import { operatorOf } from "./compare/operators.ts";
import type { Condition, Row } from "./condition.ts";
import { checkField, sourceOf } from "./fields/find.ts";
import { aboutBug } from "./fields/source.ts";
import { all, not, type Sql } from "./sql.ts";

/** What a group joined by AND_G says: all of its rows, which name one field, are met by one change, or by one value. */
export function oneThing(asking: Asking, parts: readonly Condition[]): Sql | undefined {
  const rows = parts.map(readRow);
  const [first] = rows;
  if (!first) return undefined;
  checkGroup(asking, rows, first.row.field);
  const changes = rows.flatMap(changeRowOf);
  const values = rows.flatMap((row) => valueTestOf(asking, row));
  return all([
    ...(changes.length > 0 ? [changedBug(asking, changes)] : []),
    ...(values.length > 0 ? [aboutBug(sourceOf(asking, first.row.field), all(values))] : []),
  ]);
}

type Grouped = { readonly row: Row; readonly isNegated: boolean };

function readRow(condition: Condition): Grouped {
  const isNegated = condition.kind === "not";
  const row = isNegated ? condition.part : condition;
  if (row.kind !== "row") throw new Fault(400, 32000, "Conditions joined by AND_G cannot hold further groups.");
  return { row, isNegated };
}

// Fields of which one change or value cannot be told from another.
const UNFIT: ReadonlySet<string> = new Set([
  "attach_data.thedata",
  "classification",
  "commenter",
  "component",
  "content",
  "longdescs.count",
  "owner_idle_time",
  "product",
]);

function checkGroup(asking: Asking, rows: readonly Grouped[], field: string): void {
  checkField(asking, field);
  if (UNFIT.has(field)) throw new Fault(400, 32000, `Conditions on the "${field}" field cannot be joined by AND_G.`);
  const other = rows.find(({ row }) => row.field !== field);
  if (other) {
    throw new Fault(
      400,
      32000,
      `Conditions joined by AND_G must all be on one field; here are "${field}" and "${other.row.field}".`,
    );
  }
}

function changeRowOf({ row, isNegated }: Grouped): readonly ChangeRow[] {
  const operator = operatorOf(row.operator);
  return operator.asks === "change" ? [{ row, change: operator.change, isNegated }] : [];
}

function valueTestOf(asking: Asking, { row, isNegated }: Grouped): readonly Sql[] {
  const operator = operatorOf(row.operator);
  if (operator.asks === "change") return [];
  if (operator.asks !== "value") {
    throw new Fault(400, 32000, `The operator "${row.operator}" cannot be used in conditions joined by AND_G.`);
  }
  const test = valueTest({ asking, source: sourceOf(asking, row.field), operator: operator.positive, row });
  return [operator.isNegative === isNegated ? test : not(test)];
}
