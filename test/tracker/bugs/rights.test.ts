import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { file, talk } from "../talk.ts";

const here = talk();
const carol = "carol@example.org"; // in no group
const CLOSE = { status: "RESOLVED", resolution: "FIXED" };
const ROLES: Readonly<Record<string, JsonObject>> = {
  reporter: {},
  assignee: { assigned_to: carol },
  contact: { qa_contact: carol },
  outsider: {},
};

test.each<[role: string, body: JsonObject, expected: string | number]>([
  ["reporter", { summary: "Another name" }, 200],
  ["reporter", { assigned_to: carol }, "the assignee of the bug, or a user"],
  ["reporter", { qa_contact: carol }, "the assignee of the bug, or a user"],
  ["reporter", { target_milestone: "M1" }, "the assignee of the bug, or a user"],
  ["reporter", CLOSE, 200],
  ["reporter", { status: "IN_PROGRESS" }, 123],
  ["assignee", { assigned_to: "bob@example.org" }, 200],
  ["assignee", { status: "UNCONFIRMED" }, 123],
  ["assignee", { status: "IN_PROGRESS" }, 200],
  ["assignee", { deadline: "2027-01-31" }, "a user"],
  ["contact", { target_milestone: "M1" }, 200],
  ["outsider", { alias: { add: ["a-name"] } }, 200],
  ["outsider", { priority: "High" }, "the assignee or reporter of the bug, or a user"],
])("the %s wants %j", async (role, body, expected) => {
  const people = { assigned_to: "admin@example.org", qa_contact: "admin@example.org", ...ROLES[role] };
  const id = await file(here, "alice", people);
  if (role === "reporter")
    here.store.run("UPDATE bugs SET creator_id = (SELECT id FROM users WHERE login = ?) WHERE id = ?", [carol, id]);
  expect(await outcome(id, body)).toBe(expected);
});

test("an unconfirmed bug is closed by its reporter, and confirmed by whom the group for it lets do so", async () => {
  const id = await file(here, "carol");
  here.store.run("UPDATE bugs SET qa_contact_id = NULL WHERE id = ?", [id]);
  expect(await outcome(id, { status: "CONFIRMED" })).toBe(123);
  expect(await outcome(id, CLOSE)).toBe(200);
  expect(await outcome(id, { status: "UNCONFIRMED" })).toBe(200);
  const join =
    "INSERT INTO group_members (group_id, user_id, kind) SELECT groups.id, users.id, 'member' FROM groups, users";
  here.store.run(`${join} WHERE groups.name = 'canconfirm' AND users.login = ?`, [carol]);
  expect(await outcome(id, { status: "IN_PROGRESS" })).toBe(200);
});

async function outcome(id: number, body: JsonObject, as = "carol"): Promise<string | number> {
  const heard = await here.put(as, `/rest/bug/${id}`, body);
  const { code, message } = heard.body as { code?: number; message?: string };
  return /but only (.*) with the required permissions/.exec(message ?? "")?.[1] ?? code ?? heard.status;
}
