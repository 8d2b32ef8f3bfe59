import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../src/api/catalog/catalog.ts";
import { evaluate } from "../../../src/api/query/evaluate.ts";
import { fieldTest } from "../../../src/api/query/families.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { compile, pairsOf } from "../../../src/api/search/compile.ts";
import { BtError } from "../../../src/errors.ts";
import type { Field } from "../../../src/wire/resources.ts";
import { exampleContext } from "../example-catalog.ts";
import { sent as sentAs } from "../sent.ts";

function sent(text: string, me?: string): string {
  return sentAs(text, me === undefined ? {} : { me });
}

describe("a reversed range is rejected", () => {
  test.each([
    "created:2026-11..2026-10",
    "deadline:today..yesterday",
    "updated:-1w..-2w",
    "priority:High..Low",
    "id:20..10",
    "created:2026-10..<2026-09",
    "not updated:-1w..-2w",
  ])("%s", (text) => {
    expect(() => sent(text)).toThrow(/is reversed/);
  });

  test.each([
    "created:2026-10..2026-10",
    "created:2026-10-15..2026-10",
    "updated:-2w..-1w",
    "priority:Low..High",
    "priority:High..High",
    "id:10..10",
    "created > 2026-10 or created < 2026-09",
    "created > 2026-05 and created < 2025-01",
    "not not (created < 2025-07) (created >= 2026-01)",
  ])("%s is not reversed", (text) => {
    expect(sent(text)).not.toBe("");
  });

  test("a change after a time and before an earlier one is rejected", () => {
    expect(() => sent("status changed since 2026-11 before 2026-10")).toThrow("exclude each other");
  });
});

test("trackers do not support @me as attacher, so the login is sent", () => {
  const rows = "f1=attachments.submitter&o1=equals&v1=ada@example.org";
  expect(sent("attachments.submitter = @me", "ada@example.org")).toBe(rows);
  expect(sent("attacher:@me", "ada@example.org")).toBe(rows);
  expect(() => sent("attacher:@me")).toThrow("searching for @me requires a login");
  expect(() => sent("attacher:@reporter", "ada@example.org")).toThrow("@reporter cannot be used in attacher =");
});

test("trackers negate @me as commenter wrongly, so the login is sent", () => {
  expect(sent("commenter != @me", "ada@example.org")).toBe("f1=commenter&o1=equals&n1=1&v1=ada@example.org");
  expect(sent("commenter = @me")).toBe("f1=commenter&o1=equals&v1=%user%");
  expect(sent("commenter != @me")).toContain("then not commenter = @me by [commenter = @me]");
  expect(sent("comment changed by @me", "ada@example.org")).toBe("f1=commenter&o1=equals&v1=ada@example.org");
});

test("a span after a colon means since then, a date stays that date", () => {
  const since = "last_change_time=2026-11-06T04:34:52Z";
  expect(sent("updated:-2w")).toBe(since);
  expect(sent("updated:2026-10-01")).toContain("last_change_time < 2026-10-02");
  expect(sent("updated:-1d,2026-10-01")).toContain("last_change_time < 2026-10-02");
  expect(sent("deadline:-2w")).toBe(sent("deadline >= 2026-11-06"));
  expect(sent("deadline:-2w,2026-10-01")).toBe(sent("deadline >= 2026-11-06 or deadline = 2026-10-01"));
  expect(sent("deadline:2026-10-01")).toBe(sent("deadline = 2026-10-01"));
  expect(sent('deadline:"in 2 weeks"')).toBe(sent("deadline = 2026-12-04"));
});

function hintOf(text: string): string | undefined {
  try {
    return sent(text);
  } catch (error) {
    return error instanceof BtError ? error.facts.hint : undefined;
  }
}

test("what may follow a change, a list or a flag is named", () => {
  expect(hintOf("status changed after 2026-10-01")).toMatch(
    /^the parts of a change are from, to, by, since and before/,
  );
  expect(hintOf("flag(needinfo? from mei@example.org)")).toMatch(/^the user is requestee or setter: flag/);
  expect(sent("status not in (RESOLVED)")).toBe(sent("not status:RESOLVED"));
});

test("where no status is known to be open, open bugs are those without a resolution", () => {
  const received = [{ name: "bug_status", type: 2, is_custom: false, values: [{ name: "NEW" }, { name: "DONE" }] }];
  const context = { ...exampleContext, catalog: buildCatalog(received as unknown as readonly Field[]) };
  const states = ["open", "closed"].map((state) => unparseQuery(resolveQuery({ kind: "is", state }, context)));
  expect(states).toEqual(["resolution is empty", "not resolution is empty"]);
});

test.each(["bugzilla", "plain"] as const)("a field that shall be one of no values finds no bugs: %s", (dialect) => {
  const { rest, ...compiled } = compile(fieldTest("status", "="), dialect, exampleContext.now);
  const isSent = pairsOf(compiled).some(([name, value]) => name === "o1" && value === "lessthan"); // an id below 0
  expect(isSent || !evaluate(rest, { id: 1, status: "NEW" })).toBe(true);
});

test("texts of several kinds contain what is behind a colon, a name is it", () => {
  expect(sent("see_also:github")).toBe(sent("see_also ~ github"));
  expect(sent("attachments.filename:.log")).toBe(sent("attachments.filename ~ .log"));
  expect(sent("alias:roadmap")).toBe(sent("alias = roadmap"));
});

test.each([
  ["crash", true],
  ["Crash on start", false],
])("the summary %s is one word by a pattern, whose escapes keep their case: %s", (summary, isMet) => {
  expect(evaluate(fieldTest("summary", "=~", "^C\\S+$"), { id: 1, summary })).toBe(isMet);
});
