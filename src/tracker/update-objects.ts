import type { JsonObject } from "../wire/exchange.ts";
import type { Call } from "./http/call.ts";
import { Fault } from "./http/fault.ts";
import type { SqlRow } from "./store/database.ts";

/** How the new value of each column is read that a request may send. */
export type ColumnReaders<Row, Column extends keyof Row> = {
  readonly [Name in Column]: (call: Call, row: Row) => Row[Name];
};

/** The `changes` of an object, by parameter; null where a column is empty, as in Bugzilla. */
export type ObjectChanges = Readonly<Record<string, { removed: string | null; added: string | null }>>;

/** Stores the columns that a request changes of an object in `table`. Returns the object afterwards, and the changes. */
export function changeColumns<Row extends SqlRow, Column extends keyof Row & string>(
  call: Call,
  { table, before }: { readonly table: string; readonly before: Row },
  readers: ColumnReaders<Row, Column>,
): { after: Row; changes: ObjectChanges } {
  const after = { ...before };
  const changes: Record<string, ObjectChanges[string]> = {};
  for (const column of Object.keys(readers) as Column[]) {
    if (call.input[column] === undefined) continue;
    after[column] = readers[column](call, before);
    if (after[column] !== before[column])
      changes[column] = { removed: textOrNull(before[column]), added: textOrNull(after[column]) };
  }
  for (const column of Object.keys(changes))
    call.store.run(`UPDATE ${table} SET ${column} = @${column} WHERE id = @id`, after);
  return { after, changes };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** Refuses a parameter that a class of Bugzilla does not have. @throws Fault unknown_method @see Bugzilla/Object.pm, set_all */
export function refuseUnknownParameters(input: JsonObject, name: string, known: readonly string[]): void {
  const unknown = Object.keys(input).find((sent) => !known.includes(sent));
  if (unknown !== undefined)
    throw new Fault("unknown_method", `The requested method 'Bugzilla::${name}::set_${unknown}' was not found.`);
}
