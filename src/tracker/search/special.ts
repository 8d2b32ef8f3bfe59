import { Fault } from "../fault.ts";
import type { Asking } from "./asking.ts";
import type { Operator } from "./compare/operators.ts";
import type { Row } from "./condition.ts";
import { readChangeMoment } from "./dates.ts";
import { notComparable } from "./fields/find.ts";
import { fulltextTest } from "./fulltext.ts";
import { not, type Sql, sql } from "./sql.ts";

/** Whether a row is about something that has no values to compare: the full text, or how long an assignee was idle. */
export function isSpecial(field: string, operator: Operator): boolean {
  return field === "content" || field === "owner_idle_time" || operator.asks === "fulltext";
}

/** What such a row says about the bug. */
export function specialTest(asking: Asking, row: Row, operator: Operator): Sql {
  return row.field === "owner_idle_time" ? idleTest(asking, row, operator) : contentTest(row, operator);
}

function contentTest(row: Row, operator: Operator): Sql {
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
function idleTest({ now }: Asking, row: Row, operator: Operator): Sql {
  const order = operator.asks === "value" ? operator.positive : "";
  if (!/^(less|greater)/.test(order)) throw notComparable(row.field);
  const since = readChangeMoment(row.text, now);
  const active = sql`bug.assigned_to_id IN (
    SELECT creator_id FROM visible_comments WHERE creation_time > ${since}
    UNION SELECT user_id FROM visible_activity WHERE time > ${since})`;
  return order.startsWith("less") ? active : not(active);
}
