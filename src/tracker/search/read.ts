import { isOn } from "../parameters.ts";
import type { Asking } from "./asking.ts";
import { compile } from "./compile.ts";
import { type Condition, group } from "./condition.ts";
import { checkDepth, checkSize } from "./limits.ts";
import { readOrder } from "./order.ts";
import { type Page, readPage } from "./page.ts";
import { changedConditions } from "./parameters/changed.ts";
import { deadlineConditions } from "./parameters/deadline.ts";
import { oldRowConditions } from "./parameters/old-rows.ts";
import { peopleConditions } from "./parameters/people.ts";
import { plainConditions } from "./parameters/plain.ts";
import { rowConditions } from "./parameters/rows.ts";
import { oneText, type Values } from "./parameters/values.ts";
import { nothingAsked, quicksearchCondition } from "./quicksearch/quicksearch.ts";
import { type Sql, sql } from "./sql.ts";

/** A search as it can be run. */
export type Search = { readonly where: Sql; readonly order: Sql; readonly page: Page };

/** Reads every form of condition that a request may have, all of which count, with the order and the part of the result. */
export function readSearch(asking: Asking, values: Values): Search {
  const page = readPage(asking, values);
  const condition = group("AND", conditions(asking, values));
  checkSize(condition);
  const where = compile(asking, condition);
  if (!where && !isOn(asking.parameters.search_allow_no_criteria)) throw nothingAsked();
  checkDepth(where ?? EVERYTHING);
  return { where: where ?? EVERYTHING, order: readOrder(asking, values, condition), page };
}

const EVERYTHING = sql`1`;

function conditions(asking: Asking, values: Values): readonly Condition[] {
  return [
    ...quickConditions(asking, values),
    ...plainConditions(asking, values),
    ...peopleConditions(asking, values),
    ...changedConditions(asking, values),
    ...deadlineConditions(values),
    ...oldRowConditions(asking, values),
    rowConditions(asking, values),
  ];
}

function quickConditions(asking: Asking, values: Values): readonly Condition[] {
  const hasStatus = ["status", "bug_status", "resolution"].some((name) => oneText(values, name) !== "");
  return values.has("quicksearch") ? [quicksearchCondition(asking, oneText(values, "quicksearch"), hasStatus)] : [];
}
