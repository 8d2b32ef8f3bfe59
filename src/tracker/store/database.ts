import Libsql from "libsql";

/** What a column holds. Binary data is kept as base64 text: the engine aborts the process on bound buffers. */
export type SqlValue = null | number | string;
/** One row as the engine gives it; readers name the columns they select. */
export type SqlRow = { readonly [column: string]: SqlValue };
/** Bound values: in order for `?`, by name for `@name`. */
export type Bindings = readonly SqlValue[] | { readonly [name: string]: SqlValue };
/** What a statement that changes rows did: how many, and the id of the last row that it made. */
export type RunResult = { readonly changes: number; readonly id: number };

/** The tiny part of SQLite that the tracker speaks. Statements are prepared once and kept; values are always bound. */
export type Database = {
  readonly all: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => readonly R[];
  readonly get: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => R | undefined;
  readonly run: (sql: string, bindings?: Bindings) => RunResult;
  readonly exec: (script: string) => void;
  readonly transaction: <T>(mode: "read" | "write", work: () => T) => T;
  readonly close: () => void;
};

/** Opens a database file (`:memory:` for none). The only place that knows which SQLite engine is used. */
export function openDatabase(file: string): Database {
  const engine = new Libsql(file);
  const prepare = statementCache(engine);
  const all = <R extends SqlRow>(sql: string, bindings: Bindings = []): readonly R[] => {
    const statement = prepare(sql);
    return statement.engine.all(...bound(statement, bindings)) as R[];
  };
  return {
    all,
    get: <R extends SqlRow>(sql: string, bindings: Bindings = []) => all<R>(sql, bindings)[0],
    run: (sql, bindings = []) => {
      const statement = prepare(sql);
      const { changes, lastInsertRowid } = statement.engine.run(...bound(statement, bindings));
      return { changes, id: Number(lastInsertRowid) };
    },
    exec: (script) => {
      engine.exec(script);
    },
    transaction: (mode, work) => inTransaction(engine, mode, work),
    close: () => {
      engine.close();
    },
  };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: "The tracker's data is in use by another program.",
  SQLITE_CORRUPT: "The tracker's data file is damaged.",
  SQLITE_FULL: "There is no room left for the tracker's data.",
  SQLITE_IOERR: "The tracker's data file cannot be read or written.",
  SQLITE_NOTADB: "The tracker's data file is not a tracker's.",
  SQLITE_READONLY: "The tracker's data file may not be written.",
};

/** What kept the data from being read or written, when an error of the engine says so and no program is to blame. */
export function storeProblem(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" ? PROBLEMS[code.replace(/^(SQLITE_[A-Z]+)_.*$/, "$1")] : undefined;
}

/** Whether the engine refused to remove a row because another one names it. */
export function isStillReferenced(error: unknown): boolean {
  return (Object(error) as { readonly code?: unknown }).code === "SQLITE_CONSTRAINT_FOREIGNKEY";
}

type Prepared = {
  readonly engine: Libsql.Statement;
  readonly names: readonly string[];
  readonly count: number;
};

const CACHED_STATEMENTS = 500;
const MAX_CACHED_LENGTH = 10_000; // longer ones are searches that hardly come twice

function statementCache(engine: Libsql.Database) {
  const kept = new Map<string, Prepared>();
  return (sql: string): Prepared => {
    const known = kept.get(sql);
    if (known) return known;
    const made = { engine: engine.prepare(sql), ...placeholders(sql) };
    if (sql.length > MAX_CACHED_LENGTH) return made;
    const oldest = kept.size >= CACHED_STATEMENTS ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(sql, made);
    return made;
  };
}

function placeholders(sql: string): { names: readonly string[]; count: number } {
  const code = sql.replace(/'(?:[^']|'')*'/g, "''");
  const names = [...code.matchAll(/@([a-z_]\w*)/gi)].map(([, name]) => name ?? "");
  return { names: [...new Set(names)], count: [...code.matchAll(/\?/g)].length };
}

// The engine takes a value that was not given for NULL, so a slip of a name would silently change what a statement means.
function bound(statement: Prepared, bindings: Bindings): readonly unknown[] {
  if (isList(bindings)) {
    if (bindings.length !== statement.count) {
      throw new TypeError(`${statement.count} values wanted, ${bindings.length} given`);
    }
    return [bindings.map(bindable)]; // as one list: a NULL alone would be taken for no values at all
  }
  const missing = statement.names.filter((name) => bindings[name] === undefined);
  if (missing.length > 0) throw new TypeError(`no value given for ${missing.join(", ")}`);
  return [Object.fromEntries(statement.names.map((name) => [name, bindable(bindings[name])]))];
}

function isList(bindings: Bindings): bindings is readonly SqlValue[] {
  return Array.isArray(bindings);
}

// Whole numbers go as integers (the engine binds every JavaScript number as a float otherwise); what the engine would
// abort the process on, or cut at a NUL, is refused here.
function bindable(value: SqlValue | undefined): null | number | bigint | string {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === null || (typeof value === "string" && !value.includes("\0"))) return value;
  throw new TypeError(`cannot be stored: ${JSON.stringify(value)}`);
}

function inTransaction<T>(engine: Libsql.Database, mode: "read" | "write", work: () => T): T {
  engine.exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
  try {
    const result = work();
    engine.exec("COMMIT");
    return result;
  } catch (error) {
    if (engine.inTransaction) engine.exec("ROLLBACK");
    throw error;
  }
}
