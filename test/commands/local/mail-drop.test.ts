import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { droppingMails } from "../../../src/commands/local/mail-drop.ts";
import { openTracker } from "../../../src/tracker/open.ts";
import { waitingMails } from "../../../src/tracker/outbox/outbox.ts";

function NOW() {
  return new Date("2026-11-20T12:00:00Z");
}

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bt-mails-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a change drops a mail for everybody whom it concerns, once, and readable by the owner alone", async () => {
  const opened = openTracker("demo:", {
    now: NOW,
    random: (count) => new Uint8Array(count).fill(7),
    dataDirectory: "",
  });
  const tracker = droppingMails(opened, join(folder, "mails"), NOW);
  const origin = { address: "127.0.0.1", userId: 2 };
  const change = {
    method: "PUT",
    path: "/rest/bug/44",
    query: [],
    body: { ids: [44], priority: "Low", comment: { body: "Soon." } },
  };
  expect((await tracker(change, origin)).status).toBe(200);
  const files = readdirSync(join(folder, "mails"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.every((file) => /^\d+-bug-44\.eml$/.test(file))).toBe(true);
  const first = join(folder, "mails", files[0] ?? "");
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(readFileSync(first, "utf8")).toMatch(/^Date: [\s\S]*\r\nSubject: \[Bug 44\][\s\S]*Soon\./);
  expect(waitingMails(opened.store)).toEqual([]);
  await tracker({ method: "GET", path: "/rest/bug/44", query: [] }, origin);
  expect(readdirSync(join(folder, "mails"))).toEqual(files);
});
