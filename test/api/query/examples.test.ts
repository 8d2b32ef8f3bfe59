import { expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { sent as sentWithRest } from "../sent.ts";
import { treeText } from "./tree-text.ts";

function sent(text: string): string {
  return sentWithRest(text).replace(/ then .*/, "");
}

/** A row of a chart: number, field, operator and values; `n` for its opposite. */
function row(...[number, field, operator, ...values]: RowParts): string {
  return [`f${number}=${field}`, `o${number}=${operator}`, ...values.map((value) => `v${number}=${value}`)].join("&");
}

function notRow(...[number, field, operator, ...values]: RowParts): string {
  return row(number, field, operator, ...values).replace(
    `o${number}=${operator}`,
    `o${number}=${operator}&n${number}=1`,
  );
}

type RowParts = readonly [number: number, field: string, operator: string, ...values: readonly string[]];

function open(number: number, joint: string): string {
  return `f${number}=OP&j${number}=${joint}`;
}

function close(number: number): string {
  return `f${number}=CP`;
}

test.each<[string, readonly string[]]>([
  [
    "is:open assignee:@me",
    ["status=UNCONFIRMED", "status=CONFIRMED", "status=IN_PROGRESS", "f1=assigned_to&o1=equals&v1=%user%"],
  ],
  [
    "is:open and (priority = Highest or severity in (blocker, critical))",
    [
      "status=UNCONFIRMED",
      "status=CONFIRMED",
      "status=IN_PROGRESS",
      "f1=OP&j1=OR",
      "f2=priority&o2=equals&v2=Highest",
      "f3=bug_severity&o3=anyexact&v3=blocker&v3=critical",
      "f4=CP",
    ],
  ],
  ["created = 2026-10-03", ["creation_time=2026-10-03T00:00:00Z", "f1=creation_ts&o1=lessthan&v1=-1131h"]],
  ["created:2026-10..2026-11-05", ["creation_time=2026-10-01T00:00:00Z", "f1=creation_ts&o1=lessthan&v1=-339h"]],
  [
    "updated < -8w is:open",
    ["status=UNCONFIRMED", "status=CONFIRMED", "status=IN_PROGRESS", "f1=delta_ts&o1=lessthan&v1=-1343h"],
  ],
  ['summary ~ crash and summary !~ "toolbar"', ["summary=crash", "f1=short_desc&o1=substring&n1=1&v1=toolbar"]],
  ["summary =~ /^Browser (hang|leak) problem/", [row(1, "short_desc", "regexp", "^Browser (hang|leak) problem")]],
  [
    'summary ^= "Browser font" or summary $= "#42"',
    [open(1, "OR"), row(2, "short_desc", "regexp", "^Browser font"), row(3, "short_desc", "regexp", "#42$"), close(4)],
  ],
  [
    "not (product = Firefox and resolution in (INVALID, WONTFIX)) is:closed",
    [
      "status=RESOLVED",
      "status=VERIFIED",
      "f1=OP&j1=AND&n1=1",
      "f2=product&o2=equals&v2=Firefox",
      "f3=resolution&o3=anyexact&v3=INVALID&v3=WONTFIX",
      "f4=CP",
    ],
  ],
  [
    "resolution is not empty -assignee:alice@example.org",
    [notRow(1, "resolution", "isempty"), notRow(2, "assigned_to", "equals", "alice@example.org")],
  ],
  [
    "priority changed to High by bob@example.org since 2026-11-10",
    [
      open(1, "AND_G"),
      row(2, "priority", "changedto", "High"),
      row(3, "priority", "changedby", "bob@example.org"),
      row(4, "priority", "changedafter", "2026-11-10T00:00:00Z"),
      close(5),
    ],
  ],
  [
    "status changed from UNCONFIRMED to CONFIRMED before 2026-09-01",
    [
      open(1, "AND_G"),
      row(2, "bug_status", "changedfrom", "UNCONFIRMED"),
      row(3, "bug_status", "changedto", "CONFIRMED"),
      row(4, "bug_status", "changedbefore", "2026-08-31T23:59:59Z"),
      close(5),
    ],
  ],
  [
    "id in (10, 11, 12) or id:400..405",
    [
      open(1, "OR"),
      row(2, "bug_id", "anyexact", "10,11,12"),
      open(3, "AND"),
      row(4, "bug_id", "greaterthaneq", "400"),
      row(5, "bug_id", "lessthaneq", "405"),
      close(6),
      close(7),
    ],
  ],
  [
    "no:cc no:keyword no:alias no:flag no:attachment no:comment-tag id<10",
    [
      row(1, "cc", "isempty"),
      row(2, "keywords", "isempty"),
      notRow(3, "alias", "isnotempty"),
      row(4, "setters.login_name", "isempty"),
      row(5, "attachments.submitter", "isempty"),
      notRow(6, "comment_tag", "regexp", "."),
      row(7, "bug_id", "lessthan", "10"),
    ],
  ],
  [
    "has:alias or has:flag or has:attachment or has:keyword or has:cc",
    [
      open(1, "OR"),
      row(2, "alias", "isnotempty"),
      notRow(3, "setters.login_name", "isempty"),
      notRow(4, "attachments.submitter", "isempty"),
      notRow(5, "keywords", "isempty"),
      notRow(6, "cc", "isempty"),
      close(7),
    ],
  ],
  ["is:unread", [row(1, "last_visit_ts", "lessthan", "%last_changed%")]],
  [
    "assignee = @group.editbugs and id < 20",
    [row(1, "assigned_to", "equals", "%group.editbugs%"), row(2, "bug_id", "lessthan", "20")],
  ],
])("%s", (text, rows) => {
  expect(sent(text)).toBe(rows.join("&"));
  expect(sent(treeText(parseExpression(text)))).toBe(rows.join("&"));
});
