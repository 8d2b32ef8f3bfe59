import type { ChangeOperator, Criterion } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { readChangeTime } from "../dates.ts";
import { and, type Sql, sql } from "../sql.ts";
import { userIdNamed } from "./person.ts";
import { isNumber } from "./value.ts";

/** A row that asks about changes, read: which change, and of what. */
export type ChangeCriterion = {
  readonly row: Criterion;
  readonly change: ChangeOperator;
  readonly isNegated?: boolean;
};

/** What rows about changes of one field say about the bug; several must be met by one and the same change. */
export function historyTest(asking: SearchContext, rows: readonly ChangeCriterion[]): Sql {
  const [first] = rows;
  const field = first?.row.field ?? "";
  const events = eventsOf(field);
  const tests = rows.map((row) => {
    const test = TESTS[row.change](asking, row.row);
    return row.isNegated ? sql`NOT ${test}` : test;
  });
  return sql`bug.id IN (SELECT event.bug_id FROM ${events} AS event WHERE ${and(tests)})`;
}

// Comments and hours are changes of their own; the making of a bug is the change of when it was made.
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

const TESTS: Readonly<Record<ChangeOperator, (asking: SearchContext, row: Criterion) => Sql>> = {
  changedbefore: ({ now }, { text }) => sql`(event.time <= ${readChangeTime(text, now)})`,
  changedafter: ({ now }, { text }) => sql`(event.time >= ${readChangeTime(text, now)})`,
  changedfrom: (_asking, row) => sameValue(sql`event.removed`, row),
  changedto: (_asking, row) => sameValue(sql`event.added`, row),
  changedby: (asking, { text }) => sql`(event.user_id = ${userIdNamed(asking, text)})`,
};

/** Hours are told with two decimals or as they were sent, so that they are compared as numbers. */
function sameValue(value: Sql, { field, text }: Criterion): Sql {
  return HOURS.has(field) && isNumber(text)
    ? sql`(${value} <> '' AND CAST(${value} AS REAL) = ${Number(text)})`
    : sql`(${value} = ${text} COLLATE NOCASE)`;
}

const HOURS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "work_time"]);
