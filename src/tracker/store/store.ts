import { createRequire } from "node:module";
import { DAY_MS, timestamp } from "../../wire/time.ts";
import { SCHEMA, SCHEMA_VERSION, VISIBLE_VIEWS } from "./schema.ts";

/** Value of a column. Binary data is base64 text: libsql aborts the process on bound buffers. */
export type SqlValue = null | number | string;
export type SqlRow = { readonly [column: string]: SqlValue };
/** A list is bound as JSON, for `json_each`. */
type Bindable = SqlValue | readonly (number | string)[];
/** Bound values, in order for `?` or by name for `@name`. */
type Bindings = readonly Bindable[] | { readonly [name: string]: Bindable };

/** A SQLite connection; prepared statements are cached. Transactions roll back if `work` throws. */
export type Store = {
  readonly all: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => readonly R[];
  readonly get: <R extends SqlRow = SqlRow>(sql: string, bindings?: Bindings) => R | undefined;
  /** The first column of each row. */
  readonly values: <V extends SqlValue = number>(sql: string, bindings?: Bindings) => readonly V[];
  /** Returns the number of rows changed, and the id of the last row inserted. */
  readonly run: (sql: string, bindings?: Bindings) => { readonly changes: number; readonly id: number };
  readonly exec: (script: string) => void;
  readonly transaction: <T>(mode: "read" | "write", work: () => T) => T;
  readonly close: () => void;
};

const CACHED_STATEMENTS = 500;
const MAX_CACHED_LENGTH = 10_000; // longer ones are searches, rarely repeated

/** Opens a database file, or `:memory:`. */
export function openDatabase(file: string): Store {
  const { engine, takesList } = openEngine(file);
  const statements = new Map<string, ReturnType<Engine["prepare"]>>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? engine.prepare(sql);
    if (statements.size >= CACHED_STATEMENTS) statements.clear();
    if (sql.length <= MAX_CACHED_LENGTH) statements.set(sql, statement);
    return statement;
  };
  const boundValues = (sql: string, bindings: Bindings): readonly unknown[] => {
    if (isList(bindings)) {
      const values = bindings.map(toBindable);
      return takesList ? [values] : values;
    }
    const names = [...sql.matchAll(/@([a-z_]\w*)/gi)].map(([, name = ""]) => name);
    return [Object.fromEntries(names.map((name) => [name, toBindable(bindings[name])]))];
  };
  const all = <R extends SqlRow>(sql: string, bindings: Bindings = []) =>
    prepare(sql).all(...boundValues(sql, bindings)) as readonly R[];
  return {
    all,
    get: <R extends SqlRow>(sql: string, bindings: Bindings = []) => all<R>(sql, bindings)[0],
    values: <V extends SqlValue>(sql: string, bindings: Bindings = []) =>
      all(sql, bindings).map((row) => Object.values(row)[0] as V),
    run: (sql, bindings = []) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...boundValues(sql, bindings));
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    exec: (script) => void engine.exec(script),
    transaction: (mode, work) => inTransaction(engine, mode, work),
    close: () => void engine.close(),
  };
}

/** A database of the SQLite that this process has. */
type Engine = {
  readonly prepare: (sql: string) => {
    readonly all: (...values: readonly unknown[]) => readonly unknown[];
    readonly run: (...values: readonly unknown[]) => { changes: number | bigint; lastInsertRowid: number | bigint };
  };
  readonly exec: (script: string) => unknown;
  readonly close: () => unknown;
};

/** Neither Node nor an optional package has SQLite; the message names the package. */
export class EngineMissing extends Error {}

/** The modules node:sqlite, which has a class, and libsql, which is one. */
type SqliteModule = { DatabaseSync: new (file: string) => Engine } & (new (file: string) => Engine);

/**
 * Opens a file, or `:memory:`, by Node's own SQLite (from 22.13 on), which takes the values of `?` as arguments, else by libsql,
 * which takes a list. @throws EngineMissing
 */
function openEngine(file: string) {
  const nodeSqlite = requireOptional("node:sqlite");
  if (nodeSqlite) return { engine: new nodeSqlite.DatabaseSync(file), takesList: false };
  const Libsql = requireOptional("libsql");
  if (Libsql) return { engine: new Libsql(file), takesList: true };
  throw new EngineMissing("Node before 22.13 requires the optional package libsql, which is not installed");
}

function requireOptional(name: "node:sqlite" | "libsql"): SqliteModule | undefined {
  try {
    return createRequire(import.meta.url)(name) as SqliteModule;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ERR_UNKNOWN_BUILTIN_MODULE" || code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function isList(bindings: Bindings): bindings is readonly Bindable[] {
  return Array.isArray(bindings);
}

// Both engines bind numbers as floats, and a missing value as NULL; libsql aborts the process on others, or cuts them at a NUL.
function toBindable(value: Bindable | undefined): null | number | bigint | string {
  if (Array.isArray(value)) return toBindable(JSON.stringify(value));
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

/**
 * Opens a tracker's data file, creating it if it is missing; `:memory:` is not stored. With
 * `isChecked`, all pages are verified first (0.3 s per 100 MB).
 * @throws UnusableStore if the file is damaged, unreadable, or has another schema
 */
export function openStore(file: string, isChecked = false): Store {
  const store = openDatabase(file);
  try {
    store.exec("PRAGMA busy_timeout = 5000");
    checkSchema(store);
    if (isChecked) checkIntegrity(store);
    return prepareStore(store);
  } catch (error) {
    store.close();
    if (error instanceof UnusableStore) throw error;
    throw new UnusableStore(storeProblem(error) ?? (error as Error).message, resultCode(error) === BUSY);
  }
}

// Reading a damaged page can abort the process: libsql assumes that all text is UTF-8.
function checkIntegrity(store: Store): void {
  const result = store.values<string>("PRAGMA quick_check(1)")[0];
  if (result !== "ok") throw new UnusableStore("The data file is damaged.");
}

function prepareStore(store: Store): Store {
  store.all("PRAGMA journal_mode = WAL");
  store.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY");
  createSchema(store);
  store.exec(VISIBLE_VIEWS);
  return store;
}

/** @throws Error for a database with another schema, or of another program */
function checkSchema(store: Store): void {
  const version = schemaVersion(store);
  if (version === 0 && store.get("SELECT name FROM sqlite_schema LIMIT 1"))
    throw new Error("The file is a database of another program.");
  if (version === 0 || version === SCHEMA_VERSION) return;
  if (version < 0)
    throw new Error('The file has the rows of the demo, not a tracker; "bt serve --demo" serves the demo.');
  throw new Error(
    `The data is of schema version ${version}, this bt has version ${SCHEMA_VERSION}. The bt that made it takes it over: ` +
      "bt admin export and bt bug export --all there, bt admin apply and bt bug import here.",
  );
}

/** Creates the tables of a new database in one transaction. */
function createSchema(store: Store): void {
  if (schemaVersion(store) !== 0) return;
  store.transaction("write", () => {
    if (schemaVersion(store) !== 0) return; // another process was faster
    store.exec(`${SCHEMA}\nPRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function schemaVersion(store: Store): number {
  return store.values("PRAGMA user_version")[0] ?? 0;
}

/** Tables whose rows expire: after how long, and since when. */
const RETENTION = {
  outbox: { ms: 3 * DAY_MS, since: "time" }, // of what nobody sends
  login_tokens: { ms: 30 * DAY_MS, since: "last_used" },
} as const;

/** Deletes expired rows of a table; called before the table is read or added to. */
export function deleteExpired(store: Store, table: keyof typeof RETENTION, now: string): void {
  const { since, ms } = RETENTION[table];
  store.run(`DELETE FROM ${table} WHERE ${since} < ?`, [timestamp(Date.parse(now) - ms)]);
}

/** A data file that cannot be used; busy: another program has it locked. */
export class UnusableStore extends Error {
  readonly isBusy: boolean;

  constructor(message: string, isBusy = false) {
    super(message);
    this.name = "UnusableStore";
    this.isBusy = isBusy;
  }
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
  return PROBLEMS[resultCode(error)];
}

/** Primary result code of an error of SQLite; 0 for any other error. */
function resultCode(error: unknown): number {
  const { errcode, rawCode } = Object(error) as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode; // of Node, of libsql
  return typeof code === "number" ? code & 0xff : 0;
}
