import type { Asking } from "./asking.ts";
import { changedBug } from "./changes.ts";
import { valueTest } from "./compare/compare.ts";
import { type Asks, operatorOf } from "./compare/operators.ts";
import { wordsOf } from "./compare/words.ts";
import type { Condition, Row } from "./condition.ts";
import { UNSET_DAY, UNSET_MOMENT } from "./dates.ts";
import { checkField, sourceOf } from "./fields/find.ts";
import { aboutBug, type Kind, type Source } from "./fields/source.ts";
import { oneThing } from "./grouped.ts";
import { isSpecial, specialTest } from "./special.ts";
import { all, any, not, type Sql, sql } from "./sql.ts";

/** What a condition says about the row `bug` of visible_bugs; undefined when it asks for nothing. Never NULL. */
export const compile = (asking: Asking, condition: Condition): Sql | undefined => {
  if (condition.kind === "row") {
    return rowTest(asking, condition);
  }
  if (condition.kind === "not") {
    const part = compile(asking, condition.part);
    return part && not(part);
  }
  if (condition.join === "AND_G") {
    return oneThing(asking, condition.parts);
  }
  const parts = condition.parts.flatMap((part) => compile(asking, part) ?? []);
  return parts.length === 0 ? undefined : { AND: all, OR: any }[condition.join](parts);
};

const rowTest = (asking: Asking, row: Row): Sql => {
  checkField(asking, row.field);
  const operator = operatorOf(row.operator);
  if (isSpecial(row.field, operator)) {
    return specialTest(asking, row, operator);
  }
  if (operator.asks === "change") {
    return changedBug(asking, [{ row, change: operator.change }]);
  }
  const source = sourceOf(asking, row.field);
  return operator.asks === "value" ? valued(asking, source, [row, operator]) : empty(source, operator.isNegative);
};

const valued = (asking: Asking, source: Source, [row, operator]: readonly [Row, Asks<"value">]): Sql => {
  const { positive, isNegative } = operator;
  const test = (text: string) => valueTest({ asking, source, operator: positive, row: { ...row, text } });
  // As on the recorded server, "no alias like this" still wants a bug to have an alias.
  if (isNegative && row.field === "alias") {
    return aboutBug(source, not(test(row.text)));
  }
  const isSpread = source.isList === true && positive.startsWith("allwords");
  const texts = isSpread ? wordsOf(row.text) : [row.text];
  const found = all(texts.map((text) => aboutBug(source, test(text))));
  return isNegative ? not(found) : found;
};

const empty = (source: Source, isNegative: boolean): Sql => {
  const isThere = source.link ? aboutBug(source, sql`1`) : sql`${source.value} <> ${UNSET[source.kind]}`;
  return isNegative ? isThere : not(isThere);
};

const UNSET: Readonly<Record<Kind, string | number>> = {
  text: "",
  person: "",
  number: 0,
  day: UNSET_DAY,
  moment: UNSET_MOMENT,
};
