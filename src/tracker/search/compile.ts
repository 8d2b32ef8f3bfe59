import { Fault } from "../http/fault.ts";
import { type ChangeCriterion, historyTest } from "./compare/history.ts";
import { splitWords } from "./compare/text.ts";
import { valueTest } from "./compare/value.ts";
import {
  type Condition,
  type ConditionGroup,
  type Criterion,
  findOperator,
  type OperatorOn,
  type SearchOperator,
} from "./condition.ts";
import type { SearchContext } from "./context.ts";
import { readChangeTime, UNSET_DAY, UNSET_MOMENT } from "./dates.ts";
import { bugTest, type ValueKind, type ValueSource } from "./field-source.ts";
import { checkSearchField, fieldSource, notComparable } from "./fields.ts";
import { fulltextTest } from "./fulltext.ts";
import { and, not, or, type Sql, sql } from "./sql.ts";

/**
 * What a condition says about the row `bug` of visible_bugs; undefined when it asks for nothing. No test is ever NULL, so
 * that a "not" can go down to the rows.
 */
export function compileCondition(asking: SearchContext, condition: Condition, isTurned = false): Sql | undefined {
  if (condition.kind === "not") return compileCondition(asking, condition.part, !isTurned);
  if (condition.kind === "group" && condition.join !== "AND_G") {
    const parts = condition.parts.flatMap((part) => compileCondition(asking, part, isTurned) ?? []);
    return parts.length === 0 ? undefined : JOINS[condition.join][isTurned ? "turned" : "plain"](parts);
  }
  const test = leafTest(asking, condition);
  return test && isTurned ? not(test) : test;
}

const JOINS = { AND: { plain: and, turned: or }, OR: { plain: or, turned: and } } as const;

function leafTest(asking: SearchContext, leaf: Criterion | ConditionGroup): Sql | undefined {
  return leaf.kind === "row" ? criterionTest(asking, leaf) : singleMatchTest(asking, leaf.parts);
}

function criterionTest(asking: SearchContext, row: Criterion): Sql {
  checkSearchField(asking, row.field);
  const operator = findOperator(row.operator);
  if (isSpecial(row.field, operator)) return specialTest(asking, row, operator);
  if (operator.asks === "change") return historyTest(asking, [{ row, change: operator.change }]);
  const source = fieldSource(asking, row.field);
  return operator.asks === "value"
    ? comparisonTest(asking, source, [row, operator])
    : emptinessTest(source, operator.isNegative);
}

function comparisonTest(
  asking: SearchContext,
  source: ValueSource,
  [row, operator]: readonly [Criterion, OperatorOn<"value">],
): Sql {
  const { positive, isNegative } = operator;
  const test = (text: string) => valueTest({ asking, source, operator: positive, row: { ...row, text } });
  if (isNegative && DENIED_ONE_BY_ONE.has(row.field)) return bugTest(source, not(test(row.text)));
  if (positive.includes("words") && splitWords(row.text).length === 0) asking.ignore(row.field, "it has no words");
  const isSpread = source.isList === true && positive.startsWith("allwords");
  const texts = isSpread ? splitWords(row.text) : [row.text];
  const found = and(texts.map((text) => bugTest(source, test(text))));
  return isNegative ? not(found) : found;
}

/**
 * Where a negative operator asks for a value that is not like this, as on a real server: a bug needs an alias, or a comment,
 * of which it is true. Elsewhere, and for a row that is negated as a whole, no value may be like this.
 */
const DENIED_ONE_BY_ONE: ReadonlySet<string> = new Set(["alias", "longdesc"]);

function emptinessTest(source: ValueSource, isNegative: boolean): Sql {
  const isThere = source.link
    ? bugTest(source, source.isThere ?? sql`1`)
    : sql`${source.value} <> ${UNSET[source.kind]}`;
  return isNegative ? isThere : not(isThere);
}

const UNSET: Readonly<Record<ValueKind, string | number>> = {
  text: "",
  person: "",
  number: 0,
  day: UNSET_DAY,
  moment: UNSET_MOMENT,
};

/** What a group joined by AND_G says: all of its rows, which name one field, are met by one change, or by one value. */
function singleMatchTest(asking: SearchContext, parts: readonly Condition[]): Sql | undefined {
  const rows = parts.map(groupedCriterion);
  const [first] = rows;
  if (!first) return undefined;
  checkGroup(asking, rows, first.row.field);
  const changes = rows.flatMap(changeRowOf);
  const values = rows.flatMap((row) => valueTestOf(asking, row));
  return and([
    ...(changes.length > 0 ? [historyTest(asking, changes)] : []),
    ...(values.length > 0 ? [bugTest(fieldSource(asking, first.row.field), and(values))] : []),
  ]);
}

type GroupedCriterion = { readonly row: Criterion; readonly isNegated: boolean };

function groupedCriterion(condition: Condition): GroupedCriterion {
  const isNegated = condition.kind === "not";
  const row = isNegated ? condition.part : condition;
  if (row.kind !== "row") throw new Fault(400, 32000, "Conditions joined by AND_G cannot hold further groups.");
  return { row, isNegated };
}

// Fields of which one change or value cannot be told from another.
const NOT_GROUPABLE: ReadonlySet<string> = new Set([
  "attach_data.thedata",
  "classification",
  "commenter",
  "component",
  "content",
  "longdescs.count",
  "owner_idle_time",
  "product",
]);

function checkGroup(asking: SearchContext, rows: readonly GroupedCriterion[], field: string): void {
  checkSearchField(asking, field);
  if (NOT_GROUPABLE.has(field))
    throw new Fault(400, 32000, `Conditions on the "${field}" field cannot be joined by AND_G.`);
  const other = rows.find(({ row }) => row.field !== field);
  if (other) {
    throw new Fault(
      400,
      32000,
      `Conditions joined by AND_G must all be on one field; here are "${field}" and "${other.row.field}".`,
    );
  }
}

function changeRowOf({ row, isNegated }: GroupedCriterion): readonly ChangeCriterion[] {
  const operator = findOperator(row.operator);
  return operator.asks === "change" ? [{ row, change: operator.change, isNegated }] : [];
}

function valueTestOf(asking: SearchContext, { row, isNegated }: GroupedCriterion): readonly Sql[] {
  const operator = findOperator(row.operator);
  if (operator.asks === "change") return [];
  if (operator.asks !== "value") {
    throw new Fault(400, 32000, `The operator "${row.operator}" cannot be used in conditions joined by AND_G.`);
  }
  const test = valueTest({ asking, source: fieldSource(asking, row.field), operator: operator.positive, row });
  return [operator.isNegative === isNegated ? test : not(test)];
}

/** Whether a row is about something that has no values to compare: the full text, or how long an assignee was idle. */
function isSpecial(field: string, operator: SearchOperator): boolean {
  return field === "content" || field === "owner_idle_time" || operator.asks === "fulltext";
}

/** What such a row says about the bug. */
function specialTest(asking: SearchContext, row: Criterion, operator: SearchOperator): Sql {
  return row.field === "owner_idle_time" ? idleTest(asking, row, operator) : contentTest(row, operator);
}

function contentTest(row: Criterion, operator: SearchOperator): Sql {
  if (row.field !== "content" || operator.asks !== "fulltext") {
    throw new Fault(
      400,
      32000,
      'The "content" field can only be used with "matches" search and the "matches" search can only be used with the "content" field.',
    );
  }
  const found = fulltextTest(row.text);
  return operator.isNegative ? not(found) : found;
}

/** Whether the assignee has said or changed anything, anywhere, since a moment. */
function idleTest({ now }: SearchContext, row: Criterion, operator: SearchOperator): Sql {
  const order = operator.asks === "value" ? operator.positive : "";
  if (!/^(less|greater)/.test(order)) throw notComparable(row.field);
  const since = readChangeTime(row.text, now);
  const active = sql`bug.assigned_to_id IN (
    SELECT creator_id FROM visible_comments WHERE creation_time > ${since}
    UNION SELECT user_id FROM visible_activity WHERE time > ${since})`;
  return order.startsWith("less") ? active : not(active);
}
