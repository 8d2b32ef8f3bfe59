import { Fault } from "../http/fault.ts";
import { userIdNamed } from "./compare/person.ts";
import { splitWords } from "./compare/text.ts";
import { isNumber, valueTest } from "./compare/value.ts";
import {
  type ChangeOperator,
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
 * A condition, or its negation, as SQL test of the row `bug` of visible_bugs; undefined for an empty condition. Tests are
 * never NULL, so that NOT can be pushed down to the criteria.
 */
export function compileCondition(context: SearchContext, condition: Condition, isNegated = false): Sql | undefined {
  if (condition.kind === "not") return compileCondition(context, condition.part, !isNegated);
  if (condition.kind === "group" && condition.join !== "AND_G") {
    const parts = condition.parts.flatMap((part) => compileCondition(context, part, isNegated) ?? []);
    return parts.length === 0 ? undefined : JOINS[condition.join][isNegated ? "negated" : "plain"](parts);
  }
  const test = leafTest(context, condition);
  return test && isNegated ? not(test) : test;
}

const JOINS = { AND: { plain: and, negated: or }, OR: { plain: or, negated: and } } as const;

function leafTest(context: SearchContext, condition: Criterion | ConditionGroup): Sql | undefined {
  return condition.kind === "criterion" ? criterionTest(context, condition) : singleMatchTest(context, condition.parts);
}

function criterionTest(context: SearchContext, criterion: Criterion): Sql {
  checkSearchField(context, criterion.field);
  const operator = findOperator(criterion.operator);
  if (isSpecial(criterion.field, operator)) return specialTest(context, criterion, operator);
  if (operator.about === "change") return historyTest(context, [{ criterion, change: operator.change }]);
  const source = fieldSource(context, criterion.field);
  return operator.about === "value"
    ? comparisonTest(context, source, [criterion, operator])
    : emptinessTest(context, source, criterion, operator.isNegative);
}

function comparisonTest(
  context: SearchContext,
  source: ValueSource,
  [criterion, operator]: [Criterion, OperatorOn<"value">],
): Sql {
  const { positive, isNegative } = operator;
  const test = (text: string) => valueTest({ context, source, operator: positive, criterion: { ...criterion, text } });
  if (isNegative && NEGATED_PER_VALUE.has(criterion.field)) return bugTest(source, not(test(criterion.text)));
  if (positive.includes("words") && splitWords(criterion.text).length === 0)
    context.reportIgnored(criterion.field, "it has no words");
  const isSpread = source.isList === true && positive.startsWith("allwords");
  const texts = isSpread ? splitWords(criterion.text) : [criterion.text];
  const found = and(texts.map((text) => bugTest(source, test(text))));
  return isNegative ? not(found) : found;
}

/**
 * Fields whose negative operators match a bug with any value that does not match (Bugzilla does not exclude bugs by these
 * fields). Elsewhere, and for negated rows, a bug matches if none of its values does.
 */
const NEGATED_PER_VALUE: ReadonlySet<string> = new Set(["alias", "longdesc"]);

function emptinessTest(context: SearchContext, source: ValueSource, criterion: Criterion, isNegative: boolean): Sql {
  const isSet = source.link ? bugTest(source, source.isSet ?? sql`1`) : notEmptyTest(context, source, criterion);
  return isNegative ? isSet : not(isSet);
}

/** Text of characters that a tracker's database ignores is empty for it. */
function notEmptyTest(context: SearchContext, source: ValueSource, criterion: Criterion): Sql {
  if (source.kind !== "text" || (context.folding ?? "case") === "case")
    return sql`${source.value} <> ${UNSET[source.kind]}`;
  return not(valueTest({ context, source, operator: "equals", criterion: { ...criterion, text: "" } }));
}

const UNSET: Readonly<Record<ValueKind, string | number>> = {
  text: "",
  person: "",
  number: 0,
  day: UNSET_DAY,
  moment: UNSET_MOMENT,
};

/** SQL test of an AND_G group: one change or one value of its field meets all criteria. */
function singleMatchTest(context: SearchContext, parts: readonly Condition[]): Sql | undefined {
  const rows = parts.map(groupedCriterion);
  const [first] = rows;
  if (!first) return undefined;
  checkGroup(context, rows, first.criterion.field);
  const changes = rows.flatMap(changeCriterionOf);
  const values = rows.flatMap((criterion) => valueTestOf(context, criterion));
  return and([
    ...(changes.length > 0 ? [historyTest(context, changes)] : []),
    ...(values.length > 0 ? [bugTest(fieldSource(context, first.criterion.field), and(values))] : []),
  ]);
}

type GroupedCriterion = { criterion: Criterion; isNegated: boolean };

function groupedCriterion(condition: Condition): GroupedCriterion {
  const isNegated = condition.kind === "not";
  const criterion = isNegated ? condition.part : condition;
  if (criterion.kind !== "criterion") throw new Fault(400, 32000, "Conditions joined by AND_G cannot contain groups.");
  return { criterion, isNegated };
}

// Fields without single values or changes that a group could be about.
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

// Of these fields, the changes can be grouped.
const CHANGES_GROUPABLE: ReadonlySet<string> = new Set(["component", "product"]);

function checkGroup(context: SearchContext, rows: GroupedCriterion[], field: string): void {
  checkSearchField(context, field);
  const isOfChanges = rows.every(({ criterion }) => findOperator(criterion.operator).about === "change");
  if (NOT_GROUPABLE.has(field) && !(isOfChanges && CHANGES_GROUPABLE.has(field)))
    throw new Fault(400, 32000, `Conditions on the "${field}" field cannot be joined by AND_G.`);
  const other = rows.find(({ criterion }) => criterion.field !== field);
  if (other) {
    throw new Fault(
      400,
      32000,
      `Conditions joined by AND_G must all be on one field; here are "${field}" and "${other.criterion.field}".`,
    );
  }
}

function changeCriterionOf({ criterion, isNegated }: GroupedCriterion): ChangeCriterion[] {
  const operator = findOperator(criterion.operator);
  return operator.about === "change" ? [{ criterion, change: operator.change, isNegated }] : [];
}

function valueTestOf(context: SearchContext, { criterion, isNegated }: GroupedCriterion): Sql[] {
  const operator = findOperator(criterion.operator);
  if (operator.about === "change") return [];
  if (operator.about !== "value") {
    throw new Fault(400, 32000, `The operator "${criterion.operator}" cannot be used in conditions joined by AND_G.`);
  }
  const test = valueTest({
    context,
    source: fieldSource(context, criterion.field),
    operator: operator.positive,
    criterion,
  });
  return [operator.isNegative === isNegated ? test : not(test)];
}

/** True if a criterion compares no field values: full text, or the idle time of the assignee. */
function isSpecial(field: string, operator: SearchOperator): boolean {
  return field === "content" || field === "owner_idle_time" || operator.about === "fulltext";
}

/** SQL test of a special criterion. */
function specialTest(context: SearchContext, criterion: Criterion, operator: SearchOperator): Sql {
  return criterion.field === "owner_idle_time"
    ? idleTest(context, criterion, operator)
    : contentTest(context, criterion, operator);
}

function contentTest({ few }: SearchContext, criterion: Criterion, operator: SearchOperator): Sql {
  if (criterion.field !== "content" || operator.about !== "fulltext") {
    throw new Fault(
      400,
      32000,
      'The "content" field can only be used with "matches" search and the "matches" search can only be used with the "content" field.',
    );
  }
  const found = fulltextTest(criterion.text, few);
  return operator.isNegative ? not(found) : found;
}

/** SQL test for the assignee's activity on any visible bug since a time. */
function idleTest({ now }: SearchContext, criterion: Criterion, operator: SearchOperator): Sql {
  const order = operator.about === "value" ? operator.positive : "";
  if (!/^(less|greater)/.test(order)) throw notComparable(criterion.field);
  const since = readChangeTime(criterion.text, now);
  const active = sql`bug.assigned_to_id IN (
    SELECT creator_id FROM visible_comments WHERE creation_time > ${since}
    UNION SELECT user_id FROM visible_activity WHERE time > ${since})`;
  return order.startsWith("less") ? active : not(active);
}

/** A criterion with one of the `changed...` operators. */
export type ChangeCriterion = {
  readonly criterion: Criterion;
  readonly change: ChangeOperator;
  readonly isNegated?: boolean;
};

/** SQL test for a change of a field that meets all criteria; they must be on the same field. */
function historyTest(context: SearchContext, criteria: ChangeCriterion[]): Sql {
  const [first] = criteria;
  const field = first?.criterion.field ?? "";
  const events = eventsOf(field);
  const tests = criteria.map(({ criterion, change, isNegated }) => {
    const test = TESTS[change](context, criterion);
    return isNegated ? sql`NOT ${test}` : test;
  });
  return sql`bug.id IN (SELECT event.bug_id FROM ${events} AS event WHERE ${and(tests)})`;
}

// Comments, hours worked and the creation of a bug are changes that are not in the history table.
function eventsOf(field: string): Sql {
  const special = Object.hasOwn(EVENTS, field) ? EVENTS[field] : undefined;
  return special ?? sql`(SELECT bug_id, user_id, time, removed, added FROM visible_activity WHERE field = ${field})`;
}

const COMMENTS = sql`(SELECT bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, '' AS added FROM visible_comments)`;

const EVENTS: Readonly<Record<string, Sql>> = {
  longdesc: COMMENTS,
  "longdescs.count": COMMENTS,
  work_time: sql`(SELECT bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, work_time AS added
    FROM visible_comments WHERE work_time <> 0)`,
  creation_ts: sql`(SELECT id AS bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, '' AS added
    FROM visible_bugs)`,
};

const TESTS: Readonly<Record<ChangeOperator, (context: SearchContext, criterion: Criterion) => Sql>> = {
  changedbefore: ({ now }, { text }) => sql`(event.time <= ${readChangeTime(text, now)})`,
  changedafter: ({ now }, { text }) => sql`(event.time >= ${readChangeTime(text, now)})`,
  changedfrom: (_context, criterion) => sameValue(sql`event.removed`, criterion),
  changedto: (_context, criterion) => sameValue(sql`event.added`, criterion),
  changedby: (context, { text }) => sql`(event.user_id = ${userIdNamed(context, text)})`,
};

/** Test for a removed or added value. Hours are compared as numbers: history has them with two decimals or as sent. */
function sameValue(value: Sql, { field, text }: Criterion): Sql {
  return HOURS.has(field) && isNumber(text)
    ? sql`(${value} <> '' AND CAST(${value} AS REAL) = ${Number(text)})`
    : sql`(${value} = ${text} COLLATE NOCASE)`;
}

const HOURS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "work_time"]);
