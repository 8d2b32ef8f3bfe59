import { expect, test } from "vitest";
import { evaluate } from "../../../src/api/query/evaluate.ts";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import { exampleContext } from "../example-catalog.ts";

const bug: Bug = {
  id: 20002,
  alias: ["zeb"],
  summary: 'Crash "quoted" [zebra] 100%',
  status: "CONFIRMED",
  resolution: "",
  is_confirmed: true,
  priority: "High",
  assigned_to: "Bob@example.org",
  creator: "alice@example.org",
  qa_contact: "",
  cc: ["carol@example.org", "dave@example.org"],
  creation_time: "2026-10-03T10:00:00Z",
  last_change_time: "2026-11-20T04:00:00Z",
  deadline: "2026-11-19",
  keywords: ["crash", "good-first-bug"],
  depends_on: [7, 12],
  groups: [],
  flags: [
    {
      id: 1,
      name: "review",
      type_id: 1,
      status: "?",
      setter: "alice@example.org",
      requestee: "bob@example.org",
      creation_date: "2026-11-01T00:00:00Z",
      modification_date: "2026-11-01T00:00:00Z",
    },
    {
      id: 2,
      name: "landing",
      type_id: 2,
      status: "+",
      setter: "carol@example.org",
      creation_date: "2026-11-01T00:00:00Z",
      modification_date: "2026-11-01T00:00:00Z",
    },
  ],
  cf_due: "2027-02-27T15:00:00Z",
  cf_points: "8",
  cf_platforms: ["tv"],
};

const asker = { login: "alice@example.org" };

function meets(text: string): boolean {
  return evaluate(resolveQuery(parseExpression(text), exampleContext), bug, asker);
}

test.each([
  "id = 20002",
  "id > 9 id <= 20002",
  "crash ZEBRA",
  'summary ^= crash summary $= "100%"',
  "summary =~ /^crash .*zebra/",
  "is:open is:confirmed is:overdue",
  "priority >= High",
  "assignee = bob@example.org",
  "reporter:@me",
  "no:qa has:cc",
  "cc:dave@example.org",
  "created = 2026-10",
  "updated >= today",
  "keyword:good-first-bug",
  "depends_on:12",
  "flag:review? flag:landing",
  "flag(review? requestee bob@example.org setter @me)",
  "requestee:bob@example.org",
  "due < 2026-11-20",
  "cf_due = 2027-02-28",
  "cf_points > 7",
  "cf_platforms:tv",
  "alias:ZEB",
  "resolution:---",
])("the bug matches %s", (text) => {
  expect(meets(text)).toBe(true);
  expect(meets(`not (${text})`)).toBe(false);
});

test.each([
  "id = 2000",
  "is:closed",
  "is:self-assigned",
  "priority > High",
  "assignee:@me",
  "keyword:perf",
  "created = 2026-11",
  "flag:review+",
  "flag(landing requestee bob@example.org)",
  "cf_due = 2027-02-27",
  "cf_points:80",
  "has:group",
  "no:deadline",
])("the bug does not match %s", (text) => {
  expect(meets(text)).toBe(false);
});

test("a person's name is that of the details; without a person it is empty", () => {
  const named: Bug = {
    ...bug,
    qa_contact_detail: { id: 4, name: "mei@example.org", email: "", real_name: "Mei Chen" },
  };
  const meets = (text: string, one: Bug) =>
    evaluate(resolveQuery(parseExpression(text), exampleContext), one, { login: "ada@example.org" });
  expect([meets("qa_contact_name ~ chen", named), meets("no:qa_contact_name", named)]).toEqual([true, false]);
  expect([meets("qa_contact_name !~ chen", bug), meets("no:qa_contact_name", bug)]).toEqual([true, true]);
});

test("@me requires a known user", () => {
  const query = resolveQuery(parseExpression("assignee:@me"), exampleContext);
  expect(() => evaluate(query, bug)).toThrow("cannot search for @me: your login on this tracker is unknown");
});
