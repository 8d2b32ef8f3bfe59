import { SEARCH_BUGS } from "../api/operations/bugs.ts";
import { requestFor, type SendRequest } from "../api/operations/operation.ts";
import { type Chart, numberRows, type QueryPair, type Row } from "../api/query/chart.ts";
import { distinctBugs, readBugs, receivedTime } from "../api/response/response-objects.ts";
import { BtError, isTooBig } from "../errors.ts";
import { errorCodes } from "../wire/error-codes.ts";
import type { JsonObject } from "../wire/exchange.ts";

/** A row of a custom search: field, operator and value. */
export type SearchRow = [field: string, operator: string, value: string];

/** Parameters with additional rows, all ANDed. */
export function withRows(pairs: QueryPair[], rows: SearchRow[]): QueryPair[] {
  return withChart(pairs, { kind: "all", of: rows.map(chartRow) });
}

/** Parameters with a further condition; its rows are numbered after theirs without a gap. */
export function withChart(pairs: QueryPair[], chart: Chart): QueryPair[] {
  const numbers = pairs.map(([name]) => Number(/^f(\d+)$/.exec(name)?.[1] ?? 0));
  return [...pairs, ...numberRows(chart, Math.max(0, ...numbers) + 1)];
}

/** A search row as a condition of a chart. */
export function chartRow([f, o, v]: SearchRow): Row {
  return { kind: "row", f, o, v: [v] };
}

/** Row for bugs with one of these ids. */
function anyIdRow(ids: number[]): SearchRow {
  return ["bug_id", "anyexact", ids.join(",")];
}

/** A page of a search: parameters, order, fields and the maximum number of bugs. */
type Page = {
  query: QueryPair[];
  order: string;
  include: string;
  limit: number;
};

/** The bugs of a page, in its order. */
export async function searchPage({ query, order, include, limit }: Page, send: SendRequest): Promise<JsonObject[]> {
  const response = await send(
    requestFor(SEARCH_BUGS, [...query, ["include_fields", include], ["order", order], ["limit", String(limit)]]),
  );
  return distinctBugs(readBugs(response)) as JsonObject[];
}

/** A page without the bugs that cannot be read; `length` counts all of them, `ids` are in page order. */
export type ReadPage = TolerantResult<JsonObject> & { readonly ids: readonly number[] };

/** Like `searchPage`; if a bug spoils the page, the ids are read alone, and then the bugs in halves. */
export async function searchTolerantly(page: Page, send: SendRequest): Promise<ReadPage> {
  try {
    const things = await searchPage(page, send);
    return { things, failed: [], ids: things.map(receivedId) };
  } catch (error) {
    if (!maySpoilPage(error) || page.include === "id") throw error;
    const ids = (await searchPage({ ...page, include: "id" }, send)).map(receivedId);
    const read = await readTolerantly(ids, (some) =>
      readBugsById(some, { include: page.include, longest: ids.length }, send),
    );
    const bugs = new Map(read.things.map((bug) => [receivedId(bug), bug]));
    const things = ids.map((id) => bugs.get(id)).filter((bug) => bug !== undefined);
    return { things, failed: read.failed, ids };
  }
}

/** Bugs to read by id: further criteria, fields, and the number of bugs that the tracker is known to return at once. */
type ByIds = {
  criteria?: QueryPair[];
  include: string;
  longest: number;
};

/**
 * The visible bugs among these that meet the criteria. A response may be truncated: bugs beyond its last one are requested
 * again, unless it is shorter than the tracker is known to return.
 */
export async function readBugsById(
  ids: number[],
  { criteria = [], include, longest }: ByIds,
  send: SendRequest,
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (let rest = ids; rest.length > 0; ) {
    const query = withRows(criteria, [anyIdRow(rest)]);
    const page = await searchPage({ query, order: "bug_id", include, limit: rest.length }, send);
    found.push(...page);
    if (page.length === 0 || page.length < longest) break;
    const last = Math.max(...page.map(receivedId));
    rest = rest.filter((id) => id > last);
  }
  return found;
}

/** Id of a bug as received. */
export function receivedId({ id }: JsonObject): number {
  return Number(id);
}

/** Time of a bug's last change as received. @throws BtError of kind reply if there is none */
export function lastChangeTime({ last_change_time: time }: JsonObject): string {
  return receivedTime(typeof time === "string" ? time : undefined);
}

/** A bug that cannot be read, and the tracker's message. */
export type FailedBug = { id: number; reason: string };

/** Parts that were read of some bugs, and the bugs that fail. */
export type TolerantResult<Thing> = { things: Thing[]; failed: FailedBug[] };

/**
 * Reads something of many bugs in one request. If that fails because of a bug, halves are read, until the bugs that
 * spoil the response are alone: about 2 log n requests for each of them.
 * @throws BtError for a failure that is not about a bug, such as a lost connection
 */
export async function readTolerantly<Thing>(
  ids: number[],
  read: (ids: number[]) => Promise<Thing[]>,
): Promise<TolerantResult<Thing>> {
  if (ids.length === 0) return { things: [], failed: [] };
  try {
    return { things: await read(ids), failed: [] };
  } catch (error) {
    if (!maySpoilPage(error)) throw error;
    const [id = 0] = ids;
    if (ids.length === 1) return { things: [], failed: [{ id, reason: error.message }] };
    const middle = Math.ceil(ids.length / 2);
    const first = await readTolerantly(ids.slice(0, middle), read);
    const second = await readTolerantly(ids.slice(middle), read);
    return { things: [...first.things, ...second.things], failed: [...first.failed, ...second.failed] };
  }
}

/** True if a request may have failed because of a bug in its response: a smaller request may succeed. */
function maySpoilPage(error: unknown): error is BtError {
  if (!(error instanceof BtError)) return false;
  const { bugzillaCode, httpStatus } = error.facts;
  return isTooBig(error) || error.kind === "reply" || httpStatus === 500 || CODES.has(bugzillaCode ?? 0);
}

/** Internal error, and errors about a single bug, which may have been restricted a moment ago. */
const CODES: ReadonlySet<number> = errorCodes(
  "internal",
  "improper_bug_id_field_value",
  "bug_id_does_not_exist",
  "bug_access_denied",
);
