import { expect, test } from "vitest";
import { queuedMails } from "../../../src/tracker/mail/mail.ts";
import { file, type Talk, talk } from "../talk.ts";

const NOW = new Date("2026-11-21T12:30:00Z");

function waiting({ store }: Talk) {
  return queuedMails(store, NOW).map(({ to, reasons, subject }) => `${to} (${reasons}) ${subject}`);
}

// What is in the outbox because of what is done, after those before are sent.
async function after(here: Talk, done: () => Promise<unknown>) {
  here.store.run("DELETE FROM outbox");
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
  const [mail] = queuedMails(here.store, NOW);
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

const bodyTo = ({ store }: Talk, login: string) => queuedMails(store, NOW).findLast(({ to }) => to === login)?.body;

test("a mail about a new bug has its URL and fields; one about a change its author, the changes and the comment", async () => {
  const here = talk({ urlbase: "https://bugs.example.org/" });
  const id = await file(here, "bob", { description: "It is gone." });
  expect(bodyTo(here, "bob@example.org")).toMatchInlineSnapshot(`
    "https://bugs.example.org/show_bug.cgi?id=20002

      Product:   Firefox
      Component: General
      Version:   121
      Status:    CONFIRMED
      Severity:  enhancement
      Priority:  ---
      Assignee:  alice@example.org
      Reporter:  bob@example.org

    bob@example.org wrote:

    It is gone.

    -- 
    You get this mail as: reporter
    "
  `);
  const change = { status: "RESOLVED", resolution: "FIXED", comment: { body: "Done.\nSee the log." } };
  await here.put("alice", `/rest/bug/${id}`, change);
  expect(bodyTo(here, "bob@example.org")).toMatchInlineSnapshot(`
    "https://bugs.example.org/show_bug.cgi?id=20002

    alice@example.org changed:

      Status:     CONFIRMED -> RESOLVED
      Resolution: (empty) -> FIXED

    alice@example.org wrote:

    Done.
    See the log.

    -- 
    You get this mail as: reporter
    "
  `);
});

test("hours are hidden from recipients who do not track time", async () => {
  const here = talk();
  const id = await file(here, "alice", { cc: ["carol@example.org"] });
  await here.put("alice", `/rest/bug/${id}`, { estimated_time: 4, priority: "High" });
  expect(bodyTo(here, "alice@example.org")).toContain("0.00 -> 4");
  expect(bodyTo(here, "carol@example.org")).not.toMatch(/Orig|0\.00/);
  expect(bodyTo(here, "carol@example.org")).toContain("-> High");
});

test("a requestee gets a mail", async () => {
  const here = talk();
  const id = await file(here, "alice");
  const flags = [{ name: "review", status: "?", requestee: "bob@example.org" }];
  const mails = await after(here, () => here.put("alice", `/rest/bug/${id}`, { flags }));
  expect(mails).toContain(`bob@example.org (cc, asked for review) [Bug ${id}] Toolbar vanishes`);
});
