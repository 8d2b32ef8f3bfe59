import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { file, talk } from "../talk.ts";

const here = talk();
let id = 0;
let closed = 0;
let foreign = 0; // a bug in which carol and dave have no part

beforeAll(async () => {
  id = await file(here, "alice");
  closed = await file(here, "alice");
  await here.put("alice", `/rest/bug/${closed}`, { status: "RESOLVED", resolution: "FIXED" });
  foreign = await file(here, "alice", { qa_contact: "admin@example.org" });
});

async function refusal(as: string, body: JsonObject, bug = id): Promise<string> {
  const before = (await here.get("admin", `/rest/bug/${bug}`)).body;
  const answer = await here.put(as, `/rest/bug/${bug}`, body);
  expect((await here.get("admin", `/rest/bug/${bug}`)).body, "no changes made").toEqual(before);
  const { code } = answer.body as { code?: number };
  return `${answer.status}/${code}`;
}

// One row for each condition of the specification's table of errors, and for what else a change may break.
test.each<[string, string, JsonObject, string]>([
  ["a private comment without permission", "alice", { comment: { body: "x", is_private: true } }, "401/113"],
  ["an invalid user name to add to cc", "alice", { cc: { add: ["nobody"] } }, "404/51"],
  ["an invalid user name to remove from cc", "alice", { cc: { remove: ["nobody"] } }, "404/51"],
  ["an invalid group to add", "alice", { groups: { add: ["nope"] } }, "401/120"],
  ["an unchangeable group to add", "bob", { groups: { add: ["core-security"] } }, "401/120"],
  ["a group to remove that the bug is not in", "alice", { groups: { remove: ["core-security"] } }, "401/120"],
  ["an invalid keyword", "alice", { keywords: { add: ["nope"] } }, "404/51"],
  ["a see_also URL of no bug tracker", "alice", { see_also: { add: ["https://example.org/x"] } }, "400/112"],
  ["a bug in its own see_also", "alice", { see_also: { add: ["20002"] } }, "400/112"],
  ["a comment id of another bug", "admin", { comment_is_private: { "5": true } }, "400/117"],
  ["comment privacy by an outsider", "alice", { comment_is_private: { "60002": true } }, "401/113"],
  ["a resolution for an open bug", "alice", { resolution: "FIXED" }, "400/122"],
  ["an empty resolution for an open bug", "alice", { resolution: "" }, "400/50"],
  ["a resolution of null for an open bug", "alice", { resolution: null }, "400/50"],
  ["closing without a resolution", "alice", { status: "RESOLVED" }, "400/121"],
  ["DUPLICATE without the other bug", "alice", { status: "RESOLVED", resolution: "DUPLICATE" }, "400/119"],
  ["an illegal status change", "alice", { status: "VERIFIED", resolution: "FIXED" }, "400/123"],
  ["an unknown status", "alice", { status: "REOPENED" }, "404/51"],
  ["an unknown value", "alice", { priority: "P1" }, "404/51"],
  ["a component of another product", "alice", { component: "Alerts" }, "404/51"],
  ["a disabled component", "alice", { component: "Legacy Parts" }, "400/32000"],
  ["an empty summary", "alice", { summary: " " }, "400/107"],
  ["an empty assignee", "alice", { assigned_to: "" }, "400/50"],
  ["an invalid date", "alice", { deadline: "soon" }, "400/56"],
  ["invalid hours", "alice", { work_time: "abc" }, "400/52"],
  ["a dependency on itself", "alice", { depends_on: { add: ["20002"] } }, "400/116"],
  ["a duplicate of itself", "alice", { dupe_of: 20002 }, "400/118"],
  ["an unknown bug", "alice", { blocks: { add: [999999] } }, "404/101"],
  ["a list instead of an edit", "alice", { keywords: ["crash"] }, "400/32000"],
  ["a text instead of an edit", "alice", { cc: "bob@example.org" }, "400/32000"],
  ["a list instead of a text", "alice", { priority: ["High"] }, "400/32000"],
  ["ids that are not scalars", "alice", { ids: [[1]], priority: "High" }, "400/58"],
  ["empty ids", "alice", { ids: [null], priority: "High" }, "400/100"],
  ["a product that does not exist", "alice", { product: "Nonesuch" }, "401/106"],
  ["a product that the requester may not file in", "bob", { product: "Internal" }, "401/106"],
  ["a product that is closed for entry", "alice", { product: "Retired" }, "401/106"],
  ["an anonymous requester", "anonymous", { priority: "High" }, "401/410"],
])("%s", async (...[_what, as, body, expected]) => {
  expect(await refusal(as, body)).toBe(expected);
});

describe("changes that require rights", () => {
  test.each<[string, JsonObject, string]>([
    ["values", { priority: "High" }, "401/115"],
    ["the assignee", { assigned_to: "carol@example.org" }, "401/115"],
    ["dependencies", { depends_on: { add: [5] } }, "401/115"],
    ["custom fields", { cf_tracking: "yes" }, "401/115"],
    ["groups that they are not in", { groups: { add: ["core-security"] } }, "401/120"],
    ["others on CC", { cc: { remove: ["bob@example.org"] } }, "401/115"],
    ["hours", { work_time: 1 }, "401/115"],
    ["the status", { status: "RESOLVED", resolution: "FIXED" }, "400/123"],
  ])("%s", async (...[_what, body, expected]) => {
    await here.put("alice", `/rest/bug/${foreign}`, { cc: { add: ["bob@example.org"] } });
    expect(await refusal("carol", body, foreign)).toBe(expected);
  });

  test("users without rights can comment, join and leave the CC list, and request flags", async () => {
    const body = {
      comment: { body: "me too" },
      cc: { add: ["carol@example.org"] },
      flags: [{ name: "review", status: "?" }],
    };
    expect((await here.put("carol", `/rest/bug/${foreign}`, body)).status).toBe(200);
    expect((await here.put("carol", `/rest/bug/${foreign}`, { cc: { remove: ["carol@example.org"] } })).status).toBe(
      200,
    );
  });
});

describe("configurable requirements", () => {
  test.each<[string, Readonly<Record<string, string>>, JsonObject]>([
    [
      "a comment for each new resolution",
      { commentonchange_resolution: "1" },
      { status: "RESOLVED", resolution: "FIXED" },
    ],
    ["a comment for duplicates", { commentonduplicate: "1" }, { dupe_of: 5 }],
    ["a milestone to start work", { musthavemilestoneonaccept: "1" }, { status: "IN_PROGRESS" }],
    [
      "dependencies resolved before it is fixed",
      { noresolveonopenblockers: "1" },
      { status: "RESOLVED", resolution: "FIXED" },
    ],
  ])("%s", async (...[_what, parameters, body]) => {
    const strict = talk(parameters);
    const bug = await file(strict, "alice", { depends_on: [3] });
    expect((await strict.put("alice", `/rest/bug/${bug}`, body)).body).toMatchObject({ code: 32000 });
    const pleased = {
      ...body,
      comment: { body: "because" },
      target_milestone: "M1",
      depends_on: { set: [] },
    } as JsonObject;
    expect((await strict.put("alice", `/rest/bug/${bug}`, pleased)).status).toBe(200);
  });
});
