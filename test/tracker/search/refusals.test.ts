import { expect, test } from "vitest";
import { type Parameters, searchZebras } from "./ask.ts";

function row(f1: string, o1: string, v1: string): Parameters {
  return { f1, o1, v1 };
}

test.each<[Parameters, string, number]>([
  [row("__proto__", "equals", "1"), "alice", 108],
  [row("constructor", "equals", "1"), "alice", 108],
  [row("work_time", "changedby", "alice@example.org"), "carol", 108],
  [row("percentage_complete", "lessthan", "1"), "", 108],
  [row("priority", "toString", "High"), "alice", 68000],
  [row("content", "equals", "x"), "alice", 32000],
  [row("owner_idle_time", "equals", "1d"), "alice", 32000],
  [row("assigned_to", "equals", "%user%"), "", 32000],
  [row("assigned_to", "equals", "%group.core-security%"), "carol", 804],
  [row("assigned_to", "equals", "%group.nonesuch%"), "alice", 804],
  [row("bug_status", "changedby", "nobody@example.org"), "alice", 51],
  [row("bug_status", "changedafter", "whenever"), "alice", 56],
  [row("short_desc", "regexp", "("), "alice", 32000],
  [row("short_desc", "regexp", "(?=lookahead)"), "alice", 32000],
  [row("longdescs.isprivate", "equals", "1"), "alice", 304],
  [{ j_top: "AND_G", ...row("priority", "equals", "x"), f2: "bug_status", o2: "equals", v2: "x" }, "alice", 32000],
  [{ j_top: "AND_G", f1: "OP", f2: "priority", o2: "equals", v2: "x" }, "alice", 32000],
  [{ summary: "x", short_desc_type: "nope" }, "alice", 68000],
])("%j as %j", async (parameters, as, code) => {
  expect(await searchZebras(parameters, as)).toMatchObject({ code });
});

test.each<Parameters>([
  { content: Array.from({ length: 600 }, (_, index) => `+word${index}`).join(" ") },
  { ...row("short_desc", "anyexact", Array.from({ length: 1500 }, (_, index) => `word${index}`).join()) },
])("a list beyond the limits of SQLite is refused", async (parameters) => {
  expect(await searchZebras(parameters)).toMatchObject({ code: 32000, message: expect.stringContaining("too large") });
});

test("nested groups are read up to a depth and refused beyond", async () => {
  const nested = (depth: number): Parameters =>
    Object.fromEntries(
      Array.from({ length: depth }, (_, level): [string, string][] => [
        [`f${2 * level}`, "OP"],
        [`j${2 * level}`, level % 2 === 0 ? "OR" : "AND"],
        [`n${2 * level}`, "1"],
        [`f${2 * level + 1}`, "bug_id"],
        [`o${2 * level + 1}`, "lessthan"],
        [`v${2 * level + 1}`, String(level + 1)],
      ]).flat(),
    );
  expect(await searchZebras(nested(20))).toBeInstanceOf(Array);
  expect(await searchZebras(nested(70))).toMatchObject({ code: 32000 });
});
