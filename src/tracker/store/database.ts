import Libsql from "libsql";

/** Value of a column. Binary data is base64 text: libsql aborts the process on bound buffers. */
export type SqlValue = null | number | string;
/** A row by column name. */
export type SqlRow = { readonly [column: string]: SqlValue };
/** Bound values, in order for `?` or by name for `@name`. */
export type Bindings = readonly SqlValue[] | { readonly [name: string]: SqlValue };
/** Number of rows changed, and id of the last row inserted. */
export type RunResult = { readonly changes: number; readonly id: number };

/** A SQLite connection; prepared statements are cached. `transaction` rolls back if `work` throws. */
export type Database = {
  readonly all: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => readonly R[];
  readonly get: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => R | undefined;
  readonly run: (sql: string, bindings?: Bindings) => RunResult;
  readonly exec: (script: string) => void;
  readonly transaction: <T>(mode: "read" | "write", work: () => T) => T;
  readonly close: () => void;
};

/** Opens a database file, or `:memory:`. No other module imports the SQLite engine. */
export function openDatabase(file: string): Database {
  const engine = new Libsql(file);
  const prepare = statementCache(engine);
  const all = <R extends SqlRow>(sql: string, bindings: Bindings = []): readonly R[] => {
    const statement = prepare(sql);
    return statement.engine.all(...bindValues(statement, bindings)) as R[];
  };
  return {
    all,
    get: <R extends SqlRow>(sql: string, bindings: Bindings = []) => all<R>(sql, bindings)[0],
    run: (sql, bindings = []) => {
      const statement = prepare(sql);
      const { changes, lastInsertRowid } = statement.engine.run(...bindValues(statement, bindings));
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
  SQLITE_FULL: "No space left for the tracker's data.",
  SQLITE_IOERR: "The tracker's data file cannot be read or written.",
  SQLITE_NOTADB: "The tracker's data file is not a tracker's.",
  SQLITE_READONLY: "The tracker's data file is not writable.",
};

/** Message for a SQLite error with an external cause (disk, damage, lock); undefined for any other error. */
export function storeProblem(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" ? PROBLEMS[code.replace(/^(SQLITE_[A-Z]+)_.*$/, "$1")] : undefined;
}

/** True if an error is a violated foreign key. */
export function isStillReferenced(error: unknown): boolean {
  return (Object(error) as { readonly code?: unknown }).code === "SQLITE_CONSTRAINT_FOREIGNKEY";
}

type Prepared = {
  readonly engine: Libsql.Statement;
  readonly names: readonly string[];
  readonly count: number;
};

const CACHED_STATEMENTS = 500;
const MAX_CACHED_LENGTH = 10_000; // longer ones are searches, rarely repeated

function statementCache(engine: Libsql.Database) {
  const statements = new Map<string, Prepared>();
  return (sql: string): Prepared => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = { engine: engine.prepare(sql), ...placeholders(sql) };
    if (sql.length > MAX_CACHED_LENGTH) return statement;
    const oldest = statements.size >= CACHED_STATEMENTS ? statements.keys().next().value : undefined;
    if (oldest !== undefined) statements.delete(oldest);
    statements.set(sql, statement);
    return statement;
  };
}

function placeholders(sql: string): { names: readonly string[]; count: number } {
  const code = sql.replace(/'(?:[^']|'')*'/g, "''");
  const names = [...code.matchAll(/@([a-z_]\w*)/gi)].map(([, name]) => name ?? "");
  return { names: [...new Set(names)], count: [...code.matchAll(/\?/g)].length };
}

// libsql binds a missing value as NULL, so a misspelled name would silently change a statement.
function bindValues(statement: Prepared, bindings: Bindings): readonly unknown[] {
  if (isList(bindings)) {
    if (bindings.length !== statement.count) {
      throw new TypeError(`${statement.count} values wanted, ${bindings.length} given`);
    }
    return [bindings.map(toBindable)]; // as one list: libsql takes a single NULL for no values
  }
  const missing = statement.names.filter((name) => bindings[name] === undefined);
  if (missing.length > 0) throw new TypeError(`no value given for ${missing.join(", ")}`);
  return [Object.fromEntries(statement.names.map((name) => [name, toBindable(bindings[name])]))];
}

function isList(bindings: Bindings): bindings is readonly SqlValue[] {
  return Array.isArray(bindings);
}

// Integers as bigint: libsql binds JavaScript numbers as floats. Values on which libsql aborts the process, or that it cuts
// at a NUL, are rejected.
function toBindable(value: SqlValue | undefined): null | number | bigint | string {
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
