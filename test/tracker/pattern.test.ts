import { expect, test } from "vitest";
import { deriveMembersOfGroup } from "../../src/tracker/groups/derive.ts";
import { readPattern } from "../../src/tracker/pattern.ts";
import { recordedStore } from "./state.ts";

test.each([
  ["@example\\.org$", "Ada@Example.ORG", true],
  ["^[\\w.+-]+@", "a.b+c@x", true],
  ["(?:qa|dev)-\\d{2,3}@", "dev-07@x", true],
  ["^x", "ax", false],
])("%s is tried anywhere and in any letter case", (...[pattern, text, found]) => {
  expect(readPattern(pattern).test?.(text)).toBe(found);
});

test.each([
  ["(unclosed", "missing closing )"],
  ["(?=look)", "invalid or unsupported Perl syntax"],
  ["(a)\\1", "invalid escape sequence"],
  ["x".repeat(1001), "longer than 1000 characters"],
])("%s is a problem", (...[pattern, problem]) => {
  expect(readPattern(pattern).problem).toBe(problem);
});

test("the worst pattern for a backtracking engine costs no time, over 5,000 users either", () => {
  const store = recordedStore();
  store.transaction("write", () => {
    for (let number = 0; number < 5000; number += 1) {
      store.run("INSERT INTO users (login) VALUES (?)", [`${"a".repeat(40)}${number}`]);
    }
  });
  store.run("UPDATE groups SET user_regexp = '^(a+)+$' WHERE id = 18");
  const started = performance.now();
  store.transaction("write", () => deriveMembersOfGroup(store, 18));
  expect(performance.now() - started).toBeLessThan(2000); // milliseconds; a backtracking engine needs hours
  expect(store.all("SELECT * FROM group_members WHERE group_id = 18 AND given_by = 'regexp'")).toEqual([]);
});
