import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { BUG, bugOf, file, talk } from "../talk.ts";

const here = talk();
const bob = "bob@example.org";

// One row for each parameter of Create Bug: what is sent for it, and what the bug shows then.
test.each<[string, unknown, JsonObject]>([
  ["product", "toolkit", { product: "Toolkit" }],
  ["component", "general", { component: "General" }],
  ["summary", "line one\nline two", { summary: "line one line two" }],
  ["version", "122", { version: "122" }],
  ["op_sys", "mac os", { op_sys: "Mac OS" }],
  ["platform", "Macintosh", { platform: "Macintosh" }],
  ["rep_platform", "Macintosh", { platform: "Macintosh" }],
  ["priority", "Low", { priority: "Low" }],
  ["severity", "minor", { severity: "minor" }],
  ["alias", ["a1", "a2", "A1"], { alias: ["a1", "a2"] }],
  ["assigned_to", bob, { assigned_to: bob }],
  ["cc", [bob], { cc: [bob] }],
  ["groups", ["core-security"], { groups: ["core-security"] }],
  ["qa_contact", bob, { qa_contact: bob }],
  ["status", "UNCONFIRMED", { status: "UNCONFIRMED", is_confirmed: false }],
  ["target_milestone", "M1", { target_milestone: "M1" }],
  ["url", "http://example.org/", { url: "http://example.org/" }],
  ["whiteboard", "[x]", { whiteboard: "[x]" }],
  ["keywords", "perf, crash", { keywords: ["crash", "perf"] }],
  ["depends_on", [3, 4], { depends_on: [3, 4] }],
  ["blocks", "6 7", { blocks: [6, 7] }],
  ["see_also", ["https://bugs.debian.org/5"], { see_also: ["https://bugs.debian.org/5"] }],
  ["deadline", "2027-01-31", { deadline: "2027-01-31" }],
  ["estimated_time", "5.5", { estimated_time: 5.5, remaining_time: 5.5 }],
  ["is_cc_accessible", false, { is_cc_accessible: false }],
  ["cf_seen_at", "2026-11-01 12:34:56", { cf_seen_at: "2026-11-01T12:34:56Z" }],
  ["cf_points", 8, { cf_points: "8" }],
  ["cf_upstream", 5, { cf_upstream: 5 }],
  ["cf_crash_signature", "a\nb", { cf_crash_signature: "a\r\nb" }],
])("%s is set", async (...[parameter, sent, shown]) => {
  const { platform: _platform, ...rest } = BUG;
  const place = parameter === "product" ? { component: "Alerts", version: "2.0" } : {};
  const hardware = parameter === "rep_platform" ? {} : { platform: "PC" };
  const { body } = await here.post("alice", "/rest/bug", {
    ...rest,
    ...hardware,
    ...place,
    [parameter]: sent,
  } as JsonObject);
  const { id } = body as { id: number };
  expect(bugOf(await here.get("admin", `/rest/bug/${id}`))).toMatchObject({ id, ...shown });
});

describe("a missing value", () => {
  test("defaults to the one of the product, the component or the parameters", async () => {
    const id = await file(here, "alice");
    expect(bugOf(await here.get("admin", `/rest/bug/${id}`))).toMatchObject({
      assigned_to: "alice@example.org",
      qa_contact: "carol@example.org",
      creator: "alice@example.org",
      status: "CONFIRMED",
      is_confirmed: true,
      priority: "---",
      severity: "enhancement",
      target_milestone: "---",
      groups: [],
      cf_tracking: "---",
      cf_points: "0",
      cf_due: null,
    });
  });
});

test("values that require missing rights are ignored", async () => {
  const wish = {
    assigned_to: bob,
    qa_contact: bob,
    depends_on: [3],
    estimated_time: 3,
    deadline: "2027-01-01",
    status: "IN_PROGRESS",
  };
  const id = await file(here, "carol", { ...wish, priority: "High", keywords: ["crash"], whiteboard: "x" });
  expect(bugOf(await here.get("admin", `/rest/bug/${id}`))).toMatchObject({
    assigned_to: "alice@example.org",
    qa_contact: "carol@example.org",
    depends_on: [],
    estimated_time: 0,
    deadline: null,
    status: "UNCONFIRMED",
    priority: "High",
    keywords: ["crash"],
    whiteboard: "x",
  });
});

// One row for each condition of the specification's table of errors, and for what else may be wrong with a new bug.
test.each<[string, string, JsonObject, string]>([
  ["no product", "alice", { product: "" }, "400/50"],
  ["no component", "alice", { component: "" }, "400/105"],
  ["no summary", "alice", { summary: " " }, "400/107"],
  ["no version", "alice", { version: "" }, "400/50"],
  ["an unknown field", "alice", { no_such_field: "x" }, "400/53"],
  ["a defaulted parameter without a default", "alice", { op_sys: null }, "400/50"],
  ["an unknown component", "alice", { component: "Nope" }, "404/51"],
  ["an inactive version", "alice", { version: "90" }, "400/32000"],
  ["an unknown product", "alice", { product: "Nope" }, "401/106"],
  ["a product closed to the requester", "bob", { product: "Internal" }, "401/106"],
  ["an alias of another bug", "alice", { alias: "taken" }, "400/103"],
  ["an unknown assignee", "alice", { assigned_to: "nobody" }, "404/51"],
  ["an unknown name for CC", "alice", { cc: ["nobody"] }, "401/504"],
  ["a group that the requester is not a member of", "bob", { groups: ["core-security"] }, "401/120"],
  ["a private description from an outsider", "alice", { description: "x", comment_is_private: true }, "401/113"],
  ["a closed status", "alice", { status: "RESOLVED", resolution: "FIXED" }, "400/123"],
  ["a resolution for an open bug", "alice", { resolution: "FIXED" }, "400/122"],
  ["a flag of an unknown type", "alice", { flags: [{ status: "?" }] }, "400/50"],
  ["a dependency loop", "alice", { depends_on: [3], blocks: [3] }, "400/116"],
  ["an anonymous requester", "anonymous", {}, "401/410"],
])("%s is rejected, and nothing is filed", async (...[_what, as, body, expected]) => {
  await file(here, "alice", { alias: "taken" });
  const count = () => here.store.get("SELECT count(*) AS bugs, (SELECT count(*) FROM comments) AS comments FROM bugs");
  const before = count();
  const answer = await here.post(as, "/rest/bug", { ...BUG, ...body });
  expect(`${answer.status}/${(answer.body as { code: number }).code}`).toBe(expected);
  expect(count()).toEqual(before);
});
