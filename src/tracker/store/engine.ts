import { createRequire } from "node:module";

/** A database of the SQLite that this process has. */
export type Engine = {
  readonly prepare: (sql: string) => {
    readonly all: (...values: readonly unknown[]) => readonly unknown[];
    readonly run: (...values: readonly unknown[]) => { changes: number | bigint; lastInsertRowid: number | bigint };
  };
  readonly exec: (script: string) => unknown;
  readonly close: () => unknown;
};

/** Neither Node nor an optional package has SQLite; the message names the package. */
export class EngineMissing extends Error {}

type Opened = { readonly engine: Engine; readonly takesList: boolean };
type Loaded = { DatabaseSync: new (file: string) => Engine } & (new (file: string) => Engine);

/**
 * Opens a file, or `:memory:`, by Node's own SQLite (from 22.13 on), which takes the values of `?` as arguments, else by libsql,
 * which takes a list. @throws EngineMissing
 */
export function openEngine(file: string): Opened {
  const own = requireOptional("node:sqlite");
  if (own) return { engine: new own.DatabaseSync(file), takesList: false };
  const Libsql = requireOptional("libsql");
  if (Libsql) return { engine: new Libsql(file), takesList: true };
  throw new EngineMissing("Node before 22.13 requires the optional package libsql, which is not installed");
}

function requireOptional(name: "node:sqlite" | "libsql"): Loaded | undefined {
  try {
    return createRequire(import.meta.url)(name) as Loaded;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ERR_UNKNOWN_BUILTIN_MODULE" || code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
