import { Fault } from "../../fault.ts";
import type { Row } from "../condition.ts";
import { listed, type Sql, sql } from "../sql.ts";
import type { Positive } from "./operators.ts";
import { itemsOf, wordsOf } from "./words.ts";

/** What an operator says about a number; undefined when it looks at the number as a text. */
export function numberTest(operator: Positive, row: Row, field: Field): Sql | undefined {
  const compare = COMPARE[operator];
  if (compare) return compare(field.value, readNumber(row.text, field));
  const items = ITEMS[operator]?.(row);
  return items && sql`${field.value} IN ${listed(items.filter(isNumber).map(Number))}`;
}

/** The field that is compared: its value, and its name for people. */
export type Field = { readonly value: Sql; readonly name: () => string };

const COMPARE: Partial<Readonly<Record<Positive, (value: Sql, number: number) => Sql>>> = {
  equals: (value, number) => sql`${value} = ${number}`,
  lessthan: (value, number) => sql`${value} < ${number}`,
  lessthaneq: (value, number) => sql`${value} <= ${number}`,
  greaterthan: (value, number) => sql`${value} > ${number}`,
  greaterthaneq: (value, number) => sql`${value} >= ${number}`,
};

// A whole word of a number is the number.
const ITEMS: Partial<Readonly<Record<Positive, (row: Row) => readonly string[]>>> = {
  anyexact: (row) => itemsOf(row).flatMap(wordsOf),
  anywords: ({ text }) => wordsOf(text),
};

/** Whether a text is a number. */
export function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text);
}

function readNumber(text: string, { name }: Field): number {
  if (!isNumber(text)) throw new Fault(400, 52, `The value '${text}' in the ${name()} field is not a numeric value.`);
  return Number(text);
}
