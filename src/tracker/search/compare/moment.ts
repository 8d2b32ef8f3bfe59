import type { Row } from "../condition.ts";
import { isDate, readDay, readMoment } from "../dates.ts";
import { any, type Sql, sql } from "../sql.ts";
import type { Positive } from "./operators.ts";
import { itemsOf } from "./words.ts";

/** What an operator says about a moment or a day; undefined when it looks at it as a text. */
export function momentTest(operator: Positive, row: Row, value: Timed): Sql | undefined {
  if (operator === "anyexact") return any(itemsOf(row).map((item) => sql`${value.value} = ${read(item, value)}`));
  return COMPARE[operator]?.(value.value, row.text.toLowerCase() === LAST_CHANGE ? CHANGED : read(row.text, value));
}

/** Whether every value of a row on a moment can be read; otherwise the row compares with nothing. */
export function areDates(row: Row, now: string): boolean {
  return itemsOf(row).every((item) => isDate(item, now) || item.toLowerCase() === LAST_CHANGE);
}

/** The value of a field of times, and when and where it is asked for. */
export type Timed = { readonly value: Sql; readonly kind: "moment" | "day"; readonly now: string };

const LAST_CHANGE = "%last_changed%";
const CHANGED = sql`bug.last_change_time`;

function read(text: string, { kind, now }: Timed): string {
  return kind === "day" ? readDay(text, now) : readMoment(text, now);
}

const COMPARE: Partial<Readonly<Record<Positive, (value: Sql, time: Sql | string) => Sql>>> = {
  equals: (value, time) => sql`${value} = ${time}`,
  lessthan: (value, time) => sql`${value} < ${time}`,
  lessthaneq: (value, time) => sql`${value} <= ${time}`,
  greaterthan: (value, time) => sql`${value} > ${time}`,
  greaterthaneq: (value, time) => sql`${value} >= ${time}`,
};
