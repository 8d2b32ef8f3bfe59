import type { SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";

/**
 * An INSERT of whole rows; `or` and `key` resolve conflicts with existing rows: with `key`, the row is updated, except for
 * the columns `unchanged`.
 */
export type RowInsert = {
  table: string;
  columns: string[];
  or?: "IGNORE" | "REPLACE";
  key?: "id";
  unchanged?: string[];
};

/**
 * Rows that are inserted together. A statement for each would take several times as long: before each, the word index
 * writes what it has collected.
 */
export type RowBatch = {
  add: (insert: RowInsert, row: SqlValue[]) => void;
  insertAll: () => ShortSteps<void>; // one for each table, in the order in which they were first added to
};

/** An empty batch, to be used within one transaction. */
export function createRowBatch(store: Store): RowBatch {
  const batch = new Map<RowInsert, SqlValue[][]>();
  return {
    add: (insert, row) => {
      const rows = batch.get(insert);
      if (rows) rows.push(row);
      else batch.set(insert, [row]);
    },
    *insertAll() {
      for (const [insert, rows] of batch) {
        store.run(cachedStatement(insert), [rowsJson(rowsByBug(insert, rows))]);
        yield;
      }
      batch.clear();
    },
  };
}

type Rows = SqlValue[][];

/** The rows by bug and id where they have these: an index is written in one go if its rows come in order. */
function rowsByBug({ columns }: RowInsert, rows: Rows): Rows {
  const keys = ["bug_id", "id"].map((name) => columns.indexOf(name)).filter((at) => at >= 0);
  const compare = (one: SqlValue[], other: SqlValue[]) =>
    keys.reduce((order, at) => order || Number(one[at]) - Number(other[at]), 0);
  return columns.includes("id") ? rows.toSorted(compare) : rows;
}

/** The rows as JSON without unpaired surrogates, of which SQLite would make text that is no Unicode. */
function rowsJson(rows: Rows): string {
  const json = JSON.stringify(rows);
  return ESCAPED_SURROGATE.test(json) ? JSON.stringify(rows, (_, value) => wellFormed(value)) : json;
}

const ESCAPED_SURROGATE = /\\ud[89a-f]/;

function wellFormed(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
}

function cachedStatement(insert: RowInsert): string {
  const known = STATEMENTS.get(insert) ?? insertStatement(insert);
  STATEMENTS.set(insert, known);
  return known;
}

const STATEMENTS = new Map<RowInsert, string>();

function insertStatement({ table, columns, or, key, unchanged = [] }: RowInsert): string {
  const set = columns.filter((name) => !unchanged.includes(name)).map((name) => `${name} = excluded.${name}`);
  const update = `ON CONFLICT (${key}) DO UPDATE SET ${set.join(", ")}`;
  return `INSERT${or ? ` OR ${or}` : ""} INTO ${table} (${columns.join(", ")})
    SELECT ${columns.map((_, at) => `value ->> ${at}`).join(", ")} FROM json_each(?) WHERE true ${key ? update : ""}`;
}

/** Work in steps of a few milliseconds each, as long as it is about a page of bugs. */
export type ShortSteps<Made> = Generator<void, Made, void>;

/** Result of steps before each of which responses that have arrived are taken, and the requests after them are sent. */
export async function runInTurns<Made>(steps: ShortSteps<Made>): Promise<Made> {
  for (;;) {
    await eventLoopTurn();
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A whole turn of the event loop; the connections send the next request only in the turn after a response. */
function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
}
