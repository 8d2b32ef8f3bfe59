import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { file, talk } from "../talk.ts";

const here = talk();
let id = 0;
let foreign = 0; // a bug in which carol and dave have no part

beforeAll(async () => {
  id = await file(here, "alice");
  foreign = await file(here, "alice", { qa_contact: "admin@example.org" });
});

async function refusal(as: string, body: JsonObject, bug = id): Promise<string> {
  const before = (await here.get("admin", `/rest/bug/${bug}`)).body;
  const answer = await here.put(as, `/rest/bug/${bug}`, body);
  expect((await here.get("admin", `/rest/bug/${bug}`)).body, "no changes made").toEqual(before);
  const { code } = answer.body as { code?: number };
  return `${answer.status}/${code}`;
}

// What the recorded conversations do not show.
test.each<[string, string, JsonObject, string]>([
  ["a component of another product", "alice", { component: "Alerts" }, "404/51"],
  ["a list instead of an edit", "alice", { keywords: ["crash"] }, "400/32000"],
  ["a text instead of an edit", "alice", { cc: "bob@example.org" }, "400/32000"],
  ["a list instead of a text", "alice", { priority: ["High"] }, "400/32000"],
  ["ids that are not scalars", "alice", { ids: [[1]], priority: "High" }, "400/58"],
  ["empty ids", "alice", { ids: [null], priority: "High" }, "400/100"],
  ["a number out of range", "alice", { cf_points: 2 ** 31 }, "400/54"],
  ["a product that the requester may not file in", "bob", { product: "Internal" }, "401/106"],
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
