import { createRequire } from "node:module";
import Libsql from "libsql";
import { expect, test } from "vitest";
import { openNative } from "../../../src/tracker/store/engine.ts";
import type { Engine, EngineValues } from "../../../src/tracker/store/sqlite.ts";

const require = createRequire(import.meta.url);

/** Results of statements, and the codes of those that fail. */
function results(engine: Engine): readonly unknown[] {
  const attempt = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      const { message, code, rawCode } = error as Error & { code: unknown; rawCode: unknown };
      return { message, code, rawCode };
    }
  };
  const all = (sql: string, values: EngineValues = []) => attempt(() => engine.prepare(sql).all(values));
  const run = (sql: string, values: EngineValues = []) =>
    attempt(() => {
      const { changes, lastInsertRowid } = engine.prepare(sql).run(values);
      return { changes, lastInsertRowid };
    });
  engine.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size REAL)");
  return [
    run("INSERT INTO things (name, size) VALUES (?, ?)", ["one", null]),
    run("INSERT INTO things (name, size) VALUES (@name, @size)", { name: "größer", size: 1.5 }),
    run("INSERT INTO things (name) VALUES ('one')"),
    all("SELECT * FROM things WHERE id > ?", [0n]),
    all("SELECT * FROM things WHERE size IS ?", [null]),
    all("SELECT no_such FROM things"),
    ...[99, 100, 101, 200].map((count) =>
      all("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i FROM n", [count]),
    ),
    attempt(() => engine.exec("SELEC")),
    attempt(() => engine.exec("ROLLBACK")),
    engine.close() ?? "closed",
  ];
}

test("the native part of libsql is opened as its package opens it", () => {
  const native = openNative(":memory:", require);
  expect(native !== undefined || !(process.platform === "linux" && process.arch === "x64")).toBe(true);
  if (native) expect(results(native)).toEqual(results(new Libsql(":memory:") as unknown as Engine));
});

test("without the native part at its place, the package is left to find it", () => {
  const missing = Object.assign(
    () => {
      throw new Error("nothing is installed");
    },
    { resolve: () => "/nowhere/libsql/index.js" },
  );
  expect(openNative(":memory:", missing as unknown as NodeJS.Require)).toBeUndefined();
});
