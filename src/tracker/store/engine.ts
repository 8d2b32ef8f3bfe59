import { createRequire } from "node:module";
import { openNative } from "./libsql-native.ts";
import type { Engine, EngineStatement, EngineValues } from "./sqlite.ts";

/** Neither Node nor an optional package has SQLite; the message names the package. */
export class EngineMissing extends Error {}

/**
 * Opens a database file, or `:memory:`, by Node's own SQLite, else by the optional package libsql.
 * @throws EngineMissing if there is neither
 */
export function openEngine(file: string): Engine {
  const sqlite = required("node:sqlite", "ERR_UNKNOWN_BUILTIN_MODULE") as NodeSqlite | undefined;
  return sqlite ? withSpreadValues(new sqlite.DatabaseSync(file)) : openLibsql(file);
}

const require = createRequire(import.meta.url);

/** A module; undefined if requiring it fails with this code. */
function required(name: string, absent: string): unknown {
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
  const Libsql = required("libsql", "MODULE_NOT_FOUND") as (new (file: string) => Engine) | undefined;
  if (!Libsql)
    throw new EngineMissing("Node before 22.13 requires the optional package libsql, which is not installed");
  return new Libsql(file);
}
