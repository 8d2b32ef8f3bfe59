import { type Engine, type EngineStatement, type EngineValue, type EngineValues, openEngine } from "./engine.ts";

/** Value of a column. Binary data is base64 text: libsql aborts the process on bound buffers. */
export type SqlValue = null | number | string;
export type SqlRow = { readonly [column: string]: SqlValue };
/** Bound values, in order for `?` or by name for `@name`. */
export type Bindings = readonly SqlValue[] | { readonly [name: string]: SqlValue };
/** Number of rows changed, and id of the last row inserted. */
export type RunResult = { readonly changes: number; readonly id: number };

/** A SQLite connection; prepared statements are cached. Transactions roll back if `work` throws. */
export type Database = {
  readonly all: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => readonly R[];
  readonly get: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => R | undefined;
  readonly run: (sql: string, bindings?: Bindings) => RunResult;
  readonly exec: (script: string) => void;
  readonly transaction: <T>(mode: "read" | "write", work: () => T) => T;
  readonly close: () => void;
};

/** Opens a database file, or `:memory:`. */
export function openDatabase(file: string): Database {
  const engine = openEngine(file);
  const prepare = statementCache(engine);
  const all = <R extends SqlRow>(sql: string, bindings: Bindings = []): readonly R[] => {
    const statement = prepare(sql);
    return statement.engine.all(bindValues(statement, bindings)) as R[];
  };
  return {
    all,
    get: <R extends SqlRow>(sql: string, bindings: Bindings = []) => all<R>(sql, bindings)[0],
    run: (sql, bindings = []) => {
      const statement = prepare(sql);
      const { changes, lastInsertRowid } = statement.engine.run(bindValues(statement, bindings));
      return { changes: Number(changes), id: Number(lastInsertRowid) };
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

type Prepared = { readonly engine: EngineStatement; readonly names: readonly string[] };

const CACHED_STATEMENTS = 500;
const MAX_CACHED_LENGTH = 10_000; // longer ones are searches, rarely repeated

function statementCache(engine: Engine) {
  const statements = new Map<string, Prepared>();
  return (sql: string): Prepared => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const names = [...sql.matchAll(/@([a-z_]\w*)/gi)].map(([, name = ""]) => name);
    const statement = { engine: engine.prepare(sql), names };
    if (sql.length > MAX_CACHED_LENGTH) return statement;
    const oldest = statements.size >= CACHED_STATEMENTS ? statements.keys().next().value : undefined;
    if (oldest !== undefined) statements.delete(oldest);
    statements.set(sql, statement);
    return statement;
  };
}

function bindValues({ names }: Prepared, bindings: Bindings): EngineValues {
  return isList(bindings)
    ? bindings.map(toBindable)
    : Object.fromEntries(names.map((name) => [name, toBindable(bindings[name])]));
}

function isList(bindings: Bindings): bindings is readonly SqlValue[] {
  return Array.isArray(bindings);
}

// Engines bind a missing value as NULL; libsql aborts the process on others, or cuts them at a NUL.
function toBindable(value: SqlValue | undefined): EngineValue {
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
