import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { bugOf, file, talk } from "../talk.ts";

const here = talk({ urlbase: "https://bugs.example.org/" });
type Row = readonly [parameter: string, sent: unknown, shown: JsonObject];

const bob = "bob@example.org";

// One row for each parameter of Update Bug: what is sent for it, and what the bug shows then.
const ROWS: readonly Row[] = [
  ["alias", { add: ["one", "two"], remove: ["absent"] }, { alias: ["one", "two"] }],
  ["assigned_to", bob, { assigned_to: bob }],
  ["blocks", { add: [3, 4], remove: [9] }, { blocks: [3, 4] }],
  ["depends_on", { set: [5, 6], add: [7] }, { depends_on: [5, 6] }],
  ["cc", { add: [bob, "dave@example.org"] }, { cc: [bob, "dave@example.org"] }],
  ["is_cc_accessible", false, { is_cc_accessible: false }],
  ["component", "Theme", { component: "Theme" }],
  ["deadline", "2027-01-31", { deadline: "2027-01-31" }],
  ["estimated_time", 8, { estimated_time: 8 }],
  ["flags", [{ name: "approval", status: "+" }], {}],
  ["groups", { add: ["core-security"] }, { groups: ["core-security"] }],
  ["keywords", { set: ["perf", "crash"] }, { keywords: ["crash", "perf"] }],
  ["op_sys", "windows", { op_sys: "Windows" }],
  ["platform", "Other", { platform: "Other" }],
  ["priority", "High", { priority: "High" }],
  ["qa_contact", bob, { qa_contact: bob }],
  ["is_creator_accessible", false, { is_creator_accessible: false }],
  ["remaining_time", 3, { remaining_time: 3 }],
  ["see_also", { add: ["https://github.com/a/b/issues/9"] }, { see_also: ["https://github.com/a/b/issues/9"] }],
  ["severity", "major", { severity: "major" }],
  ["status", "IN_PROGRESS", { status: "IN_PROGRESS", is_open: true }],
  ["summary", "Another name", { summary: "Another name" }],
  ["target_milestone", "M2", { target_milestone: "M2" }],
  ["url", "http://example.org/", { url: "http://example.org/" }],
  ["version", "120", { version: "120" }],
  ["whiteboard", "[p1]", { whiteboard: "[p1]" }],
  ["cf_platforms", ["tv", "desktop"], { cf_platforms: ["desktop", "tv"] }],
  ["cf_due", "2027-06-01", { cf_due: "2027-06-01T00:00:00Z" }],
];

test.each(ROWS)("%s is set", async (parameter, sent, shown) => {
  const id = await file(here, "alice", { qa_contact: "admin@example.org" });
  const changed = await here.put("alice", `/rest/bug/${id}`, { [parameter]: sent } as JsonObject);
  expect(changed.status).toBe(200);
  const changes = bugOf(changed)["changes"];
  expect(Object.keys(changes as object)).toEqual([parameter === "flags" ? "flagtypes.name" : parameter]);
  expect(bugOf(await here.get("admin", `/rest/bug/${id}`))).toMatchObject(shown);
  const again = await here.put("alice", `/rest/bug/${id}`, { [parameter]: sent } as JsonObject);
  expect(bugOf(again)["changes"], "the same again is no change").toEqual({});
});

describe("parameters with several parts", () => {
  test("dupe_of closes the bug, comments on the other one and adds the reporter to its CC list", async () => {
    const original = await file(here, "alice");
    const id = await file(here, "carol");
    const answer = await here.put("alice", `/rest/bug/${id}`, { dupe_of: original });
    expect(bugOf(answer)["changes"]).toEqual({
      status: { removed: "UNCONFIRMED", added: "RESOLVED" },
      resolution: { removed: "", added: "DUPLICATE" },
      dupe_of: { removed: "", added: String(original) },
    });
    expect(bugOf(await here.get("alice", `/rest/bug/${original}`))["cc"]).toEqual(["carol@example.org"]);
    const { body } = await here.get("alice", `/rest/bug/${original}/comment`);
    expect(JSON.stringify(body)).toContain(`*** Bug ${id} has been marked as a duplicate of this bug. ***`);
    await here.put("alice", `/rest/bug/${id}`, { whiteboard: "still one" });
    expect((await here.get("alice", `/rest/bug/${original}/comment`)).body, "it is told once").toEqual(body);
  });
});
