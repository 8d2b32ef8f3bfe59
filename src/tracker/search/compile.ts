import type { Asking } from "./asking.ts";
import { changedBug } from "./changes.ts";
import { valueTest } from "./compare/compare.ts";
import { type Asks, operatorOf } from "./compare/operators.ts";
import { wordsOf } from "./compare/words.ts";
import type { Condition, Group, Row } from "./condition.ts";
import { UNSET_DAY, UNSET_MOMENT } from "./dates.ts";
import { checkField, sourceOf } from "./fields/find.ts";
import { aboutBug, type Kind, type Source } from "./fields/source.ts";
import { oneThing } from "./grouped.ts";
import { isSpecial, specialTest } from "./special.ts";
import { all, any, not, type Sql, sql } from "./sql.ts";

/**
 * What a condition says about the row `bug` of visible_bugs; undefined when it asks for nothing. No test is ever NULL, so
 * that a "not" can go down to the rows.
 */
export function compile(asking: Asking, condition: Condition, isTurned = false): Sql | undefined {
  if (condition.kind === "not") return compile(asking, condition.part, !isTurned);
  if (condition.kind === "group" && condition.join !== "AND_G") {
    const parts = condition.parts.flatMap((part) => compile(asking, part, isTurned) ?? []);
    return parts.length === 0 ? undefined : JOINS[condition.join][isTurned ? "turned" : "plain"](parts);
  }
  const test = leafTest(asking, condition);
  return test && isTurned ? not(test) : test;
}

const JOINS = { AND: { plain: all, turned: any }, OR: { plain: any, turned: all } } as const;

function leafTest(asking: Asking, leaf: Row | Group): Sql | undefined {
  return leaf.kind === "row" ? rowTest(asking, leaf) : oneThing(asking, leaf.parts);
}

function rowTest(asking: Asking, row: Row): Sql {
  checkField(asking, row.field);
  const operator = operatorOf(row.operator);
  if (isSpecial(row.field, operator)) return specialTest(asking, row, operator);
  if (operator.asks === "change") return changedBug(asking, [{ row, change: operator.change }]);
  const source = sourceOf(asking, row.field);
  return operator.asks === "value" ? valued(asking, source, [row, operator]) : empty(source, operator.isNegative);
}

function valued(asking: Asking, source: Source, [row, operator]: readonly [Row, Asks<"value">]): Sql {
  const { positive, isNegative } = operator;
  const test = (text: string) => valueTest({ asking, source, operator: positive, row: { ...row, text } });
  if (isNegative && DENIED_ONE_BY_ONE.has(row.field)) return aboutBug(source, not(test(row.text)));
  if (positive.includes("words") && wordsOf(row.text).length === 0) asking.ignore(row.field, "it has no words");
  const isSpread = source.isList === true && positive.startsWith("allwords");
  const texts = isSpread ? wordsOf(row.text) : [row.text];
  const found = all(texts.map((text) => aboutBug(source, test(text))));
  return isNegative ? not(found) : found;
}

/**
 * Where a negative operator asks for a value that is not like this, as on a real server: a bug needs an alias, or a comment,
 * of which it is true. Elsewhere, and for a row that is negated as a whole, no value may be like this.
 */
const DENIED_ONE_BY_ONE: ReadonlySet<string> = new Set(["alias", "longdesc"]);

function empty(source: Source, isNegative: boolean): Sql {
  const isThere = source.link
    ? aboutBug(source, source.isThere ?? sql`1`)
    : sql`${source.value} <> ${UNSET[source.kind]}`;
  return isNegative ? isThere : not(isThere);
}

const UNSET: Readonly<Record<Kind, string | number>> = {
  text: "",
  person: "",
  number: 0,
  day: UNSET_DAY,
  moment: UNSET_MOMENT,
};
