import type { ChangeOperator, Criterion } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { readChangeTime } from "../dates.ts";
import { and, type Sql, sql } from "../sql.ts";
import { userIdNamed } from "./person.ts";
import { isNumber } from "./value.ts";

/** A criterion with one of the `changed...` operators. */
export type ChangeCriterion = {
  readonly criterion: Criterion;
  readonly change: ChangeOperator;
  readonly isNegated?: boolean;
};

/** SQL test for a change of a field that meets all criteria; they must be on the same field. */
export function historyTest(context: SearchContext, criteria: ChangeCriterion[]): Sql {
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
