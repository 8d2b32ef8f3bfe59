import type { Json } from "../../wire/exchange.ts";
import { readBugs } from "../bugs/read.ts";
import type { Call, Route } from "../call.ts";
import { readSelection } from "../selection.ts";
import { type Asking, customFieldsOf } from "./asking.ts";
import { valueBudget } from "./limits.ts";
import { readValues } from "./parameters/values.ts";
import { readSearch } from "./read.ts";
import { type Sql, sql } from "./sql.ts";
import { ignoring, tellUnknown } from "./strict.ts";

/**
 * Search Bugs. The request is read into one tree of conditions (read.ts), the tree becomes SQL about the row `bug`
 * (compile.ts), and the bugs with the ids that come out are shown as Get Bug shows them.
 */
export const searchRoutes: readonly Route[] = [
  { method: "GET", path: "/bug", mayTakeLong: true, handle: (call) => searchBugs(call) },
];

function searchBugs(call: Call): Json {
  const ids = foundIds(call);
  return { bugs: wantsIdsOnly(call) ? ids.map((id) => ({ id })) : readBugs(call, ids, readSelection(call.input)) };
}

// What is asked for in order to page through everything; then there is nothing more to read.
function wantsIdsOnly({ input }: Call): boolean {
  return input["include_fields"] === "id" && !("exclude_fields" in input);
}

function foundIds(call: Call): readonly number[] {
  const values = readValues(call.input);
  const ignore = ignoring(call.surroundings.isStrict === true);
  const asking: Asking = { ...call, custom: customFieldsOf(call.store), spend: valueBudget(), ignore };
  tellUnknown(asking, values);
  const { where, order, page } = readSearch(asking, values);
  return idsOf(
    call,
    sql`SELECT bug.id FROM visible_bugs AS bug WHERE ${where} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}`,
  );
}

function idsOf({ store }: Call, query: Sql): readonly number[] {
  return store.all<{ readonly id: number }>(query.text, query.values).map(({ id }) => id);
}
