import { describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/tracker/store/database.ts";

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

  test("integers stay integers", () => {
    expect(scratch().get("SELECT typeof(?) AS type, ? || '' AS text", [7, 7])).toEqual({ type: "integer", text: "7" });
  });

  test.each([
    ["an unknown name", "SELECT @name", { other: "x" }, "no value given for name"],
    ["a missing value", "SELECT ?, ?", ["x"], "2 values wanted, 1 given"],
    ["an extra value", "SELECT '?', ?", ["x", "y"], "1 values wanted, 2 given"],
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

describe("in a group, a transaction", () => {
  const insert = (database: ReturnType<typeof scratch>, name: string) =>
    database.transaction("write", () => database.run("INSERT INTO things (name) VALUES (?)", [name]));

  test("that throws is rolled back alone", () => {
    const database = scratch();
    database.groupTransaction(() => {
      insert(database, "a");
      expect(() => insert(database, "a")).toThrow("UNIQUE constraint failed");
      insert(database, "b");
    });
    expect(database.all("SELECT name FROM things ORDER BY id")).toEqual([{ name: "a" }, { name: "b" }]);
  });

  test("is rolled back with the group", () => {
    const database = scratch();
    const broken = () =>
      database.groupTransaction(() => {
        insert(database, "a");
        throw new Error("the disk is full");
      });
    expect(broken).toThrow("the disk is full");
    insert(database, "b");
    expect(database.all("SELECT name FROM things")).toEqual([{ name: "b" }]);
  });
});

describe("a long transaction", () => {
  const later = () => new Promise((resolve) => void setImmediate(resolve));

  test("that throws after it has waited is rolled back", async () => {
    const database = scratch();
    const broken = database.longTransaction(async () => {
      database.run("INSERT INTO things (name) VALUES ('a')");
      await later();
      database.run("INSERT INTO things (name) VALUES ('a')");
    });
    expect(database.all("SELECT name FROM things")).toEqual([{ name: "a" }]);
    await expect(broken).rejects.toThrow("UNIQUE constraint failed");
    expect(database.all("SELECT * FROM things")).toEqual([]);
  });

  test("is stored as a whole, and no other can begin meanwhile", async () => {
    const database = scratch();
    const insert = (name: string) => database.run("INSERT INTO things (name) VALUES (?)", [name]).id;
    const long = database.longTransaction(async () => {
      insert("a");
      await later();
      return insert("b");
    });
    expect(() => database.transaction("write", () => insert("c"))).toThrow("within a transaction");
    expect(await long).toBe(2);
    expect(database.all("SELECT name FROM things ORDER BY id")).toEqual([{ name: "a" }, { name: "b" }]);
  });
});

test("statements beyond the cache are prepared again", () => {
  const database = scratch();
  for (let number = 0; number < 1200; number += 1) {
    expect(database.get(`SELECT ${number % 600} AS n`)).toEqual({ n: number % 600 });
  }
});

test("NULL is a valid value", () => {
  const database = openDatabase(":memory:");
  expect(database.get("SELECT ? IS NULL AS is_null", [null])).toEqual({ is_null: 1 });
  expect(database.run("CREATE TABLE t (a)").changes).toBe(0);
  expect(database.run("DELETE FROM t WHERE a IS ?", [null]).changes).toBe(0);
  database.close();
});
