import { expect, test } from "vitest";
import { deleteMail, waitingMails } from "../../../src/tracker/mail/mail.ts";
import { file, type Talk, talk } from "../talk.ts";

const NOW = new Date("2026-11-21T12:30:00Z");

function waiting({ store }: Talk) {
  return waitingMails(store, NOW).map(({ to, reasons, subject }) => `${to} (${reasons}) ${subject}`);
}

// What is in the outbox because of what is done, after those before are sent.
async function after(here: Talk, done: () => Promise<unknown>) {
  for (const { id } of waitingMails(here.store, NOW)) deleteMail(here.store, id);
  await done();
  return waiting(here);
}

test("a change sends one mail per user, also to former roles", async () => {
  const here = talk();
  const id = await file(here, "bob", { qa_contact: "bob@example.org" });
  const change = {
    assigned_to: "dave@example.org",
    status: "RESOLVED",
    resolution: "FIXED",
    comment: { body: "done" },
  };
  expect(await after(here, () => here.put("bob", `/rest/bug/${id}`, change))).toEqual([
    `dave@example.org (assignee) [Bug ${id}] Toolbar vanishes`,
    `bob@example.org (reporter, QA contact) [Bug ${id}] Toolbar vanishes`,
    `alice@example.org (assignee) [Bug ${id}] Toolbar vanishes`,
  ]);
  const [mail] = waitingMails(here.store, NOW);
  expect(mail?.body).toContain("bob@example.org wrote:\n\ndone");
});

test("disabled accounts and accounts with mail switched off get none", async () => {
  const here = talk();
  here.store.run("UPDATE users SET email_enabled = 0 WHERE login = 'alice@example.org'");
  const id = await file(here, "bob", { qa_contact: "eve@example.org" });
  expect(waiting(here)).toEqual([`bob@example.org (reporter) [Bug ${id}] New: Toolbar vanishes`]);
});

test("private comments are sent to insiders only", async () => {
  const here = talk();
  const id = await file(here, "alice", { cc: ["admin@example.org"] });
  const say = () => here.post("admin", `/rest/bug/${id}/comment`, { comment: "a secret", is_private: true });
  expect(await after(here, say)).toEqual([`admin@example.org (cc) [Bug ${id}] Toolbar vanishes`]);
});

test("users who can no longer see a bug get no more mail about it", async () => {
  const here = talk();
  const id = await file(here, "alice", { cc: ["dave@example.org"], qa_contact: "admin@example.org" });
  const hide = () =>
    here.put("alice", `/rest/bug/${id}`, { groups: { add: ["core-security"] }, is_cc_accessible: false });
  expect(await after(here, hide)).toEqual([
    `alice@example.org (assignee, reporter) [Bug ${id}] Toolbar vanishes`,
    `admin@example.org (QA contact) [Bug ${id}] Toolbar vanishes`,
  ]);
});
