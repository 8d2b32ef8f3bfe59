/** A value as engines bind it: integers are bigint, since both bind JavaScript numbers as floats. */
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
