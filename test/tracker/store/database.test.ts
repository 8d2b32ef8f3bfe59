import { describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/tracker/store/store.ts";

function scratch() {
  const database = openDatabase(":memory:");
  database.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size REAL) STRICT");
  return database;
}

describe("bound values", () => {
  test("by position or by name are returned unchanged", () => {
    const database = scratch();
    expect(database.run("INSERT INTO things (name, size) VALUES (?, ?)", ["a", 1.5])).toEqual({ changes: 1, id: 1 });
    expect(database.run("INSERT INTO things (name) VALUES (@name)", { name: "b", extra: 1 })).toEqual({
      changes: 1,
      id: 2,
    });
    expect(database.all("SELECT * FROM things ORDER BY id")).toEqual([
      { id: 1, name: "a", size: 1.5 },
      { id: 2, name: "b", size: null },
    ]);
    expect(database.get("SELECT id FROM things WHERE name = ?", ["c"])).toBeUndefined();
  });

  test.each([
    ["an unknown name", "SELECT @name", { other: "x" }, "cannot be stored: undefined"],
    ["a boolean", "SELECT ?", [true], "cannot be stored: true"],
    ["binary data", "SELECT ?", [new Uint8Array(1)], 'cannot be stored: {"0":0}'],
    ["a NUL", "SELECT ?", ["a\0b"], 'cannot be stored: "a\\u0000b"'],
  ])("%s is rejected before SQLite is called", (...[, sql, bindings, message]) => {
    const database = scratch();
    expect(() => database.all(sql, bindings as never)).toThrow(message);
  });
});

describe("a transaction", () => {
  test("that throws is rolled back", () => {
    const database = scratch();
    const broken = () =>
      database.transaction("write", () => {
        database.run("INSERT INTO things (name) VALUES ('a')");
        database.run("INSERT INTO things (name) VALUES ('a')");
      });
    expect(broken).toThrow("UNIQUE constraint failed");
    expect(database.all("SELECT * FROM things")).toEqual([]);
    expect(database.transaction("write", () => database.run("INSERT INTO things (name) VALUES ('b')").id)).toBe(1);
  });
});
