import { describe, expect, test } from "vitest";
import { mappedBug, mappedName, readNameMap, unusedEntries } from "../../../src/api/migrate/name-map.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";

const MAP = readNameMap(
  JSON.stringify({
    product: { Lantern: "Lamp", "Lantern/Editor": "Editor" },
    version: { "1": "1.0", "Lantern/1": "one" },
    keywords: { crash: "crasher", old: null },
    users: { "ada@example.org": "ada@new.example.org" },
    flags: { review: "rev" },
  }),
  "map.json",
);

test("a bug gets the names of the map; null leaves a value out, and others stay", () => {
  const flag = { id: 1, type_id: 1, creation_date: "", modification_date: "", setter: "x", status: "?" };
  const bug: Bug = {
    ...{ product: "Lantern", component: "Editor", version: "1", keywords: ["crash", "old", "perf"] },
    ...{ assigned_to: "ada@example.org", cc: ["mei@example.org", "ada@example.org"] },
    flags: [{ ...flag, name: "review", requestee: "ada@example.org" }],
  };
  expect(mappedBug(bug, MAP)).toMatchObject({
    ...{ product: "Editor", component: "Editor", version: "one", keywords: ["crasher", "perf"] },
    ...{ assigned_to: "ada@new.example.org", cc: ["mei@example.org", "ada@new.example.org"] },
    flags: [{ ...flag, name: "rev", requestee: "ada@new.example.org" }],
  });
  expect(mappedBug({ ...bug, component: "Library" }, MAP).product).toBe("Lamp");
  expect(mappedName(MAP, "version", { of: "Harbor", name: "1" })).toBe("1.0");
  expect(mappedName(MAP, "version", { name: "constructor" })).toBe("constructor");
});

describe("a map is refused", () => {
  test.each([
    ["[]", "must be a JSON object"],
    ["{", "is not JSON"],
    ['{"versions": {}}', 'unknown field "versions"'],
    ['{"version": ["1"]}', "version must be an object of names"],
    ['{"version": {"1": 2}}', 'version "1" must be a string'],
    ['{"version": {"1": null}}', 'version "1" cannot be omitted'],
    ['{"keywords": {"x": " "}}', 'keywords "x" must be a string, or null to omit it'],
    ['{"__proto__": {"x": "y"}}', 'unknown field "__proto__"'],
  ])("%s", (text, message) => {
    expect(() => readNameMap(text, "map.json")).toThrow(message);
  });
});

test("entries that are about no used name are found", () => {
  const used = new Set(["product\0Lantern", "version\x001"]);
  expect(unusedEntries({ product: { Lantern: "a", Harbor: "b" }, version: { "1": "2" } }, used)).toEqual([
    { field: "product", name: "Harbor" },
  ]);
});
