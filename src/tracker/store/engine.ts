import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import type { Engine, EngineStatement, EngineValues } from "./sqlite.ts";

/** Neither Node nor an optional package has SQLite; the message names the package. */
export class EngineMissing extends Error {}

/**
 * Opens a database file, or `:memory:`, by Node's own SQLite, else by the optional package libsql.
 * @throws EngineMissing if there is neither
 */
export function openEngine(file: string): Engine {
  const sqlite = requireOptional("node:sqlite", "ERR_UNKNOWN_BUILTIN_MODULE") as NodeSqlite | undefined;
  return sqlite ? withSpreadValues(new sqlite.DatabaseSync(file)) : openLibsql(file);
}

const require = createRequire(import.meta.url);

/** A module; undefined if requiring it fails with this code. */
function requireOptional(name: string, absent: string): unknown {
  try {
    return require(name);
  } catch (error) {
    if ((error as { code?: unknown }).code === absent) return undefined;
    throw error;
  }
}

type NodeStatement = Record<keyof EngineStatement, (...values: unknown[]) => unknown>;
type NodeDatabase = Omit<Engine, "prepare"> & { prepare: (sql: string) => NodeStatement };

/** Node's SQLite, from 22.13 on. @see https://nodejs.org/api/sqlite.html */
type NodeSqlite = { DatabaseSync: new (file: string) => NodeDatabase };

function withSpreadValues(database: NodeDatabase): Engine {
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const spread = (name: keyof EngineStatement) => (values: EngineValues) =>
        Array.isArray(values) ? statement[name](...values) : statement[name](values);
      return { all: spread("all"), run: spread("run") } as EngineStatement;
    },
    exec: (script) => database.exec(script),
    close: () => database.close(),
  };
}

/** libsql takes a list of values as one argument: a single NULL would count as no values. */
function openLibsql(file: string): Engine {
  const engine = openNative(file, require);
  if (engine) return engine;
  const Libsql = requireOptional("libsql", "MODULE_NOT_FOUND") as (new (file: string) => Engine) | undefined;
  if (!Libsql)
    throw new EngineMissing("Node before 22.13 requires the optional package libsql, which is not installed");
  return new Libsql(file);
}

/**
 * Opens a database file by the native part of libsql, without the package around it: to choose that part the package loads
 * modules for 8 ms, longer than a search in a mirror takes. Undefined if the native part of this platform is missing, does
 * not load, or has another version, whose functions may take other arguments: then the package has to be loaded.
 */
export function openNative(file: string, load: NodeJS.Require): Engine | undefined {
  const native = loadNative(load);
  if (!native) return undefined;
  const database = native.databaseOpen(file, "", "aes256cbc", "", 0, "");
  return {
    prepare: (sql) => prepareStatement(native, native.databasePrepareSync.call(database, sql)),
    exec: (script) => native.databaseExecSync.call(database, script),
    close: () => native.databaseClose.call(database),
  };
}

const KNOWN_VERSION = "0.5.29";

/** Suffixes of the packages by the usual C library or compiler of a system. */
const SUFFIXES: Readonly<Record<string, string>> = { linux: "-gnu", win32: "-msvc", darwin: "" };

/** The native part beside this program, where npm puts it, or beside the package, where others do. */
function loadNative(load: NodeJS.Require): Native | undefined {
  return loadNativeBy(() => load) ?? loadNativeBy(() => createRequire(load.resolve("libsql")));
}

function loadNativeBy(loader: () => NodeJS.Require): Native | undefined {
  const name = `@libsql/${platform()}-${arch()}${SUFFIXES[platform()]}`;
  try {
    const load = loader();
    const { version } = load(`${name}/package.json`) as { version: string };
    return version === KNOWN_VERSION ? (load(name) as Native) : undefined;
  } catch {
    return undefined;
  }
}

type Handle = { readonly __handle: unique symbol };

/** The functions of the native part that are used; the handle is their `this`. */
type Native = {
  databaseOpen: (...options: [string, string, string, string, number, string]) => Handle;
  databasePrepareSync: (this: Handle, sql: string) => Handle;
  databaseExecSync: (this: Handle, script: string) => void;
  databaseClose: (this: Handle) => void;
  statementRun: (this: Handle, values: EngineValues) => ReturnType<EngineStatement["run"]>;
  statementRowsSync: (this: Handle, values: EngineValues) => Handle;
  rowsNext: (this: Handle, rows: unknown[]) => void; // fills the list; an empty place is the end
};

function prepareStatement(native: Native, statement: Handle): EngineStatement {
  return {
    run: (values) => native.statementRun.call(statement, values),
    all: (values) => allRows(native, native.statementRowsSync.call(statement, values)),
  };
}

const ROWS_AT_ONCE = 100; // the number that the native part is made for

function allRows(native: Native, rows: Handle): unknown[] {
  const all: unknown[] = [];
  for (;;) {
    const some = Array<unknown>(ROWS_AT_ONCE).fill(undefined);
    native.rowsNext.call(rows, some);
    const end = some.findIndex((row) => row === undefined || row === null);
    all.push(...(end === -1 ? some : some.slice(0, end)));
    if (end !== -1) return all;
  }
}
