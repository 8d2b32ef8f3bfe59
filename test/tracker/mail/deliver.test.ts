import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createMailer,
  type Deliver,
  deliverToFolder,
  deliverToServer,
  type OutboxMail,
  queuedMails,
} from "../../../src/tracker/mail/mail.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { smtpServer } from "../../servers/smtp-server.ts";

const MAIL: OutboxMail = {
  id: 4,
  time: "2026-11-20T05:57:24Z",
  from: "tracker@example.org",
  to: "ada@example.org",
  host: "bugs.example.org",
  bug_id: 12,
  reasons: "assignee, cc",
  subject: "[Bug 12] Toolbar vanishes",
  body: "ben@example.org wrote:\n\nDone.\n",
};

/** The file of a mail, as text. */
async function written(mail: Partial<OutboxMail> = {}): Promise<string> {
  const folder = freshFolder();
  await deliverToFolder(folder)({ ...MAIL, ...mail });
  return readFileSync(join(folder, "4-bug-12.eml"), "utf8");
}

describe("a mail", () => {
  test("has the headers that mail programs expect", async () => {
    expect((await written()).replaceAll("\r\n", "\n")).toMatchInlineSnapshot(`
      "Auto-Submitted: auto-generated
      X-Bugzilla-Reason: assignee, cc
      From: tracker@example.org
      To: ada@example.org
      References: <bug-12@bugs.example.org>
      Subject: [Bug 12] Toolbar vanishes
      Message-ID: <bug-12-4@bugs.example.org>
      Date: Fri, 20 Nov 2026 05:57:24 +0000
      Content-Transfer-Encoding: 7bit
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8

      ben@example.org wrote:

      Done.
      "
    `);
  });

  test("gets no header from a line break in a value, and no recipient from a login", async () => {
    const text = await written({ subject: "x\r\nBcc: victim@example.org", to: "ada@example.org, b@example.org" });
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text).toMatchInlineSnapshot(`
      "Auto-Submitted: auto-generated
      X-Bugzilla-Reason: assignee, cc
      From: tracker@example.org
      To: <"ada@example.org, b"@example.org>
      References: <bug-12@bugs.example.org>
      Subject: x Bcc: victim@example.org
      Message-ID: <bug-12-4@bugs.example.org>
      Date: Fri, 20 Nov 2026 05:57:24 +0000
      Content-Transfer-Encoding: 7bit
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8

      ben@example.org wrote:

      Done.
      "
    `);
  });

  test("reaches a server with the text of its file", async () => {
    const { url, received } = await smtpServer();
    await deliverToServer(url)(MAIL);
    expect(received).toEqual([await written()]);
  });
});

const NOW = new Date("2026-11-20T12:00:00Z");

/** A demo with mails about a change in its queue; `send` tries to send them, as a process that has just started. */
async function changed() {
  const { store, tracker } = freshDemo({ now: () => NOW, random: (count) => new Uint8Array(count).fill(7) });
  const body = { ids: [44], priority: "Low", comment: { body: "Soon." }, cc: { add: ["mei@example.org"] } };
  const request = { method: "PUT", path: "/rest/bug/44", query: [], body };
  expect((await tracker(request, 2)).status).toBe(200);
  const waiting = () => queuedMails(store, NOW).map(({ to }) => to);
  const queued = waiting();
  expect(queued.length).toBeGreaterThan(2);
  const send = async (deliver: Deliver, now = NOW) => {
    const reports: string[] = [];
    await createMailer(
      store,
      deliver,
      () => now,
      (line) => reports.push(line),
    )();
    return reports;
  };
  return { queued, waiting, send };
}

describe("queued mails", () => {
  test("are written to a folder, one file for each, readable by the owner only", async () => {
    const { queued, waiting, send } = await changed();
    const folder = freshFolder();
    expect(await send(deliverToFolder(folder))).toEqual([]);
    const files = readdirSync(folder);
    expect(files).toHaveLength(queued.length);
    expect(files.every((file) => /^\d+-bug-44\.eml$/.test(file))).toBe(true);
    expect(statSync(join(folder, files[0] ?? "")).mode & 0o777).toBe(0o600);
    expect(waiting()).toEqual([]);
  });

  test("are sent to a server, each once, by whichever process comes next", async () => {
    const { queued, waiting, send } = await changed();
    const { url, received } = await smtpServer();
    await expect(send(deliverToServer(url))).resolves.toEqual([]);
    expect(await send(deliverToServer(url))).toEqual([]);
    expect(received.map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1])).toEqual(queued);
    expect(waiting()).toEqual([]);
  });

  test("stay if a server is busy, and do not wait for one whose recipient it refuses", async () => {
    const { queued, waiting, send } = await changed();
    const busy = await smtpServer(() => "451 try again later");
    expect(await send(deliverToServer(busy.url))).toEqual([
      expect.stringMatching(/^cannot send mail, retrying after the next change: .*451 try again later$/),
    ]);
    expect(waiting()).toEqual(queued);
    const picky = await smtpServer((command) => (command.includes("mei@") ? "550 no such user" : "250 OK"));
    expect(await send(deliverToServer(picky.url))).toEqual([
      expect.stringMatching(/^cannot send a mail to mei@example\.org: .*550 no such user$/),
    ]);
    expect(picky.received).toHaveLength(queued.length - 1);
    expect(waiting()).toEqual([]);
  });
});
