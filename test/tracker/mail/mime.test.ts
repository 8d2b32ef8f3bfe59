import { expect, test } from "vitest";
import { mimeText, type OutboxMail } from "../../../src/tracker/mail/mime.ts";

function mail(said: Partial<OutboxMail> = {}): OutboxMail {
  return {
    id: 4,
    time: "2026-11-20T05:57:24Z",
    from: "tracker@example.org",
    to: "ada@example.org",
    host: "bugs.example.org",
    bug_id: 12,
    reasons: "assignee, cc",
    subject: "[Bug 12] Toolbar vanishes",
    body: "ben@example.org wrote:\n\nDone.\n",
    ...said,
  };
}

function headers(text: string) {
  return text.slice(0, text.indexOf("\r\n\r\n"));
}

function body(text: string) {
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}

function header(text: string, name: string) {
  return new RegExp(`^${name}: ((?:.*\r\n )*.*)`, "m").exec(headers(text))?.[1] ?? "";
}

test("a mail has the headers that mail programs expect", () => {
  expect(mimeText(mail()).replaceAll("\r\n", "\n")).toMatchInlineSnapshot(`
    "Date: Fri, 20 Nov 2026 05:57:24 +0000
    From: tracker@example.org
    To: ada@example.org
    Subject: [Bug 12] Toolbar vanishes
    Message-ID: <bug-12-4@bugs.example.org>
    References: <bug-12@bugs.example.org>
    Auto-Submitted: auto-generated
    X-Bugzilla-Reason: assignee, cc
    MIME-Version: 1.0
    Content-Type: text/plain; charset=UTF-8
    Content-Transfer-Encoding: 7bit

    ben@example.org wrote:

    Done.
    "
  `);
});

test("non-ASCII characters are encoded in base64 and decoded again", () => {
  const text = mimeText(mail({ subject: `[Bug 12] ${"Größe 🐛 ".repeat(12)}`, body: "Größe 🐛\n" }));
  expect(text).toMatch(/^[\x20-\x7e\r\n]*$/);
  const words = header(text, "Subject").split("\r\n ");
  expect(words.every((word) => word.length <= 75)).toBe(true);
  const decoded = words.map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? "", "base64").toString());
  expect(decoded.join("")).toBe(`[Bug 12] ${"Größe 🐛 ".repeat(12)}`);
  expect(header(text, "Content-Transfer-Encoding")).toBe("base64");
  expect(Buffer.from(body(text), "base64").toString()).toBe("Größe 🐛\r\n");
});

test("a summary cannot inject a header", () => {
  const text = mimeText(mail({ subject: "x\r\nBcc: victim@example.org", to: "ada@example.org\nBcc: b@example.org" }));
  expect(headers(text)).not.toMatch(/^Bcc:/m);
});

test("a line too long for mail is encoded in base64", () => {
  const text = mimeText(mail({ body: "x".repeat(3000) }));
  expect(Math.max(...text.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(76);
});
