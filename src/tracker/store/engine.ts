import { createRequire } from "node:module";

/** A value as engines bind it: integers are bigint, since both bind numbers as floats. */
export type EngineValue = null | number | bigint | string;
/** Values for `?` in order, or for `@name` by name. */
export type EngineValues = readonly EngineValue[] | { readonly [name: string]: EngineValue };
export type EngineStatement = {
  readonly all: (values: EngineValues) => readonly unknown[];
  readonly run: (values: EngineValues) => { changes: number | bigint; lastInsertRowid: number | bigint };
};
/** A connection of the SQLite that this process has. */
export type Engine = {
  readonly prepare: (sql: string) => EngineStatement;
  readonly exec: (script: string) => unknown;
  readonly close: () => unknown;
};

/** Neither Node nor an optional package has SQLite; the message names the package. */
export class EngineMissing extends Error {}

type Loaded = { DatabaseSync: new (file: string) => Engine } & (new (file: string) => Engine);

/** Opens a file, or `:memory:`, by Node's own SQLite (from 22.13 on), else by libsql. @throws EngineMissing */
export function openEngine(file: string): Engine {
  const own = requireOptional("node:sqlite");
  if (own) return withSpreadValues(new own.DatabaseSync(file));
  const Libsql = requireOptional("libsql");
  if (Libsql) return new Libsql(file);
  throw new EngineMissing("Node before 22.13 requires the optional package libsql, which is not installed");
}

const require = createRequire(import.meta.url);

function requireOptional(name: "node:sqlite" | "libsql"): Loaded | undefined {
  try {
    return require(name) as Loaded;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ERR_UNKNOWN_BUILTIN_MODULE" || code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Node's SQLite takes the values of `?` as arguments, libsql as a list. */
function withSpreadValues(database: Engine): Engine {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    const spread = (name: "all" | "run") => (values: EngineValues) =>
      (statement[name] as (...values: unknown[]) => never)(...(Array.isArray(values) ? values : [values]));
    return { all: spread("all"), run: spread("run") };
  };
  return { prepare, exec: (script) => database.exec(script), close: () => database.close() };
}
