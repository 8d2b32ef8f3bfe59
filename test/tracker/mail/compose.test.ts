import { expect, test } from "vitest";
import { type BugMailData, changeRecipients, composeBugMail, type MailReader } from "../../../src/tracker/mail/mail.ts";
import { ADA, aBug, BEN, CORA } from "../bugs/a-bug.ts";

test("everybody with a current or former role on a bug gets one mail with all roles", () => {
  const before = aBug({ assigned_to: ADA, creator: BEN, cc: [] });
  const after = aBug({
    assigned_to: BEN,
    creator: BEN,
    cc: [CORA],
    flags: [{ id: 1, type_id: 1, name: "review", status: "?", setter: BEN, requestee: CORA }],
  });
  expect(changeRecipients(before, after)).toEqual([
    { person: BEN, roles: ["assignee", "reporter"] },
    { person: CORA, roles: ["cc", "asked for review"] },
    { person: ADA, roles: ["assignee"] },
  ]);
});

function news(said: Partial<BugMailData>): BugMailData {
  return {
    bug: aBug({ id: 12 }),
    author: BEN,
    isNew: false,
    changes: [],
    comment: undefined,
    url: "https://bugs.example.org/show_bug.cgi?id=12",
    ...said,
  };
}

function reader(said: Partial<MailReader> = {}): MailReader {
  return {
    isInsider: false,
    isTimeTracker: false,
    roles: ["assignee", "cc"],
    ...said,
  };
}

test("a mail about a change has its author, the changes and the comment", () => {
  const changes = [
    { field: "bug_status", removed: "CONFIRMED", added: "RESOLVED" },
    { field: "resolution", removed: "", added: "FIXED" },
  ];
  const mail = composeBugMail(news({ changes, comment: { text: "Done.\nSee the log.", isPrivate: false } }), reader());
  expect(mail?.subject).toBe("[Bug 12] Toolbar vanishes");
  expect(mail?.body).toMatchInlineSnapshot(`
    "https://bugs.example.org/show_bug.cgi?id=12

    ben@example.org changed:

      Status:     CONFIRMED -> RESOLVED
      Resolution: (empty) -> FIXED

    ben@example.org wrote:

    Done.
    See the log.

    -- 
    You get this mail as: assignee, cc
    "
  `);
});

test("a mail about a new bug has its URL and fields", () => {
  const mail = composeBugMail(
    news({ isNew: true, url: "", comment: { text: "It is gone.", isPrivate: false } }),
    reader(),
  );
  expect(`${mail?.subject}\n\n${mail?.body}`).toMatchInlineSnapshot(`
    "[Bug 12] New: Toolbar vanishes

      Product:   Browser
      Component: General
      Version:   1.0
      Status:    CONFIRMED
      Severity:  normal
      Priority:  Normal
      Assignee:  ada@example.org
      Reporter:  ben@example.org

    ben@example.org wrote:

    It is gone.

    -- 
    You get this mail as: assignee, cc
    "
  `);
});

const HOURS = [{ field: "estimated_time", removed: "0.00", added: "4" }];
const PRIVATE = { text: "a secret", isPrivate: true };

test("fields hidden from the recipient are omitted", () => {
  const both = news({ changes: [...HOURS, { field: "priority", removed: "Low", added: "High" }], comment: PRIVATE });
  const body = composeBugMail(both, reader())?.body ?? "";
  expect(body).toContain("Low -> High");
  expect(body).not.toMatch(/Orig|secret/);
});
