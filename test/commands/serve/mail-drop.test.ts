import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withMailDrop } from "../../../src/commands/serve/serve.ts";
import { waitingMails } from "../../../src/tracker/mail/queue.ts";
import { freshDemo } from "../../fresh-demo.ts";

function NOW() {
  return new Date("2026-11-20T12:00:00Z");
}

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bt-mails-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ORIGIN = { address: "127.0.0.1", userId: 2 };
const CHANGE = {
  method: "PUT",
  path: "/rest/bug/44",
  query: [],
  body: { ids: [44], priority: "Low", comment: { body: "Soon." } },
};

test("a change writes one mail per recipient, once, readable by the owner only", async () => {
  const opened = freshDemo({
    now: NOW,
    random: (count) => new Uint8Array(count).fill(7),
  });
  const tracker = withMailDrop(opened, join(folder, "mails"), { now: NOW, err: async () => undefined });
  expect((await tracker(CHANGE, ORIGIN)).status).toBe(200);
  const files = readdirSync(join(folder, "mails"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.every((file) => /^\d+-bug-44\.eml$/.test(file))).toBe(true);
  const first = join(folder, "mails", files[0] ?? "");
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(readFileSync(first, "utf8")).toMatch(/^Date: [\s\S]*\r\nSubject: \[Bug 44\][\s\S]*Soon\./);
  expect(waitingMails(opened.store)).toEqual([]);
  await tracker({ method: "GET", path: "/rest/bug/44", query: [] }, ORIGIN);
  expect(readdirSync(join(folder, "mails"))).toEqual(files);
});

test("a mail that cannot be written does not fail the change, and is written with the next one", async () => {
  const opened = freshDemo({ now: NOW, random: (count) => new Uint8Array(count) });
  const mails = join(folder, "mails");
  const told: string[] = [];
  const err = async (text: string) => void told.push(text);
  const tracker = withMailDrop(opened, mails, { now: NOW, err });
  rmSync(mails, { recursive: true });
  writeFileSync(mails, "");
  expect((await tracker(CHANGE, ORIGIN)).status).toBe(200);
  expect(told.join("")).toContain("cannot write a mail, retrying after the next change: ");
  const waiting = waitingMails(opened.store).length;
  rmSync(mails);
  mkdirSync(mails);
  await tracker({ ...CHANGE, body: { whiteboard: "x" } }, ORIGIN);
  expect(readdirSync(mails).length).toBeGreaterThan(waiting);
});
