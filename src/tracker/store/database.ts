import { type Engine, openEngine } from "./engine.ts";

/** Value of a column. Binary data is base64 text: libsql aborts the process on bound buffers. */
export type SqlValue = null | number | string;
export type SqlRow = { readonly [column: string]: SqlValue };
/** Bound values, in order for `?` or by name for `@name`. */
type Bindings = readonly SqlValue[] | { readonly [name: string]: SqlValue };

/** A SQLite connection; prepared statements are cached. Transactions roll back if `work` throws. */
export type Database = {
  readonly all: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => readonly R[];
  readonly get: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => R | undefined;
  /** Returns the number of rows changed, and the id of the last row inserted. */
  readonly run: (sql: string, bindings?: Bindings) => { readonly changes: number; readonly id: number };
  readonly exec: (script: string) => void;
  readonly transaction: <T>(mode: "read" | "write", work: () => T) => T;
  readonly close: () => void;
};

const CACHED_STATEMENTS = 500;
const MAX_CACHED_LENGTH = 10_000; // longer ones are searches, rarely repeated

/** Opens a database file, or `:memory:`. */
export function openDatabase(file: string): Database {
  const { engine, takesList } = openEngine(file);
  const statements = new Map<string, ReturnType<Engine["prepare"]>>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? engine.prepare(sql);
    if (statements.size >= CACHED_STATEMENTS) statements.clear();
    if (sql.length <= MAX_CACHED_LENGTH) statements.set(sql, statement);
    return statement;
  };
  const valuesOf = (sql: string, bindings: Bindings): readonly unknown[] => {
    const list = isList(bindings) ? bindings.map(toBindable) : undefined;
    if (list) return takesList ? [list] : list;
    const names = [...sql.matchAll(/@([a-z_]\w*)/gi)].map(([, name = ""]) => name);
    return [Object.fromEntries(names.map((name) => [name, toBindable((bindings as SqlRow)[name])]))];
  };
  const all = <R extends SqlRow>(sql: string, bindings: Bindings = []) =>
    prepare(sql).all(...valuesOf(sql, bindings)) as readonly R[];
  return {
    all,
    get: <R extends SqlRow>(sql: string, bindings: Bindings = []) => all<R>(sql, bindings)[0],
    run: (sql, bindings = []) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...valuesOf(sql, bindings));
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    exec: (script) => void engine.exec(script),
    transaction: (mode, work) => inTransaction(engine, mode, work),
    close: () => void engine.close(),
  };
}

function isList(bindings: Bindings): bindings is readonly SqlValue[] {
  return Array.isArray(bindings);
}

// Both engines bind numbers as floats, and a missing value as NULL; libsql aborts the process on others, or cuts them at a NUL.
function toBindable(value: SqlValue | undefined): null | number | bigint | string {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === null || (typeof value === "string" && !value.includes("\0"))) return value;
  throw new TypeError(`cannot be stored: ${JSON.stringify(value)}`);
}

function inTransaction<T>(engine: Engine, mode: "read" | "write", work: () => T): T {
  engine.exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
  try {
    const result = work();
    engine.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(engine);
    throw error;
  }
}

function rollBack(engine: Engine): void {
  try {
    engine.exec("ROLLBACK");
  } catch {
    // the error that came before, which is thrown, has ended the transaction: a full disk, for example
  }
}

/** A data file that cannot be used; busy: another program has it locked. */
export class UnusableStore extends Error {
  readonly isBusy: boolean;

  constructor(message: string, { isBusy = false } = {}) {
    super(message);
    this.name = "UnusableStore";
    this.isBusy = isBusy;
  }
}

/** The error of a data file that could not be opened, for one of SQLite or of this program. */
export function unusableStore(error: unknown): UnusableStore {
  const isBusy = (resultCode(error) & 0xff) === BUSY;
  return new UnusableStore(storeProblem(error) ?? (error as Error).message, { isBusy });
}

const BUSY = 5;

/** Errors with an external cause, by result code. @see https://sqlite.org/rescode.html */
const PROBLEMS: Readonly<Record<number, string>> = {
  [BUSY]: "The data is in use by another program.",
  8: "The data file is not writable.",
  10: "The data file cannot be read or written.",
  11: "The data file is damaged.",
  13: "No space left for the data.",
  26: "The file is not a database of bt.",
};

/** Message for an error of SQLite with an external cause (disk, damage, lock). */
export function storeProblem(error: unknown): string | undefined {
  return PROBLEMS[resultCode(error) & 0xff];
}

/** Extended result code of an error of SQLite; 0 for any other error. */
function resultCode(error: unknown): number {
  const { errcode, rawCode } = Object(error) as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode; // of Node, of libsql
  return typeof code === "number" ? code : 0;
}
