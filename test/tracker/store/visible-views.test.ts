import { describe, expect, test } from "vitest";
import { createTracker } from "../../../src/tracker/http/tracker.ts";
import type { Store } from "../../../src/tracker/store/store.ts";
import type { Request } from "../../../src/wire/exchange.ts";
import { recordedStore } from "../state.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const CORE_SECURITY = 15;

function asker(store: Store) {
  return createTracker(store, { now: () => NOW, random: (bytes) => new Uint8Array(bytes) });
}

/** Private data of every kind, on bugs that stay as they are for those who may not see it. */
function addPrivateData(store: Store): void {
  store.exec(`
    INSERT INTO bugs (id, summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
      assigned_to_id, creator_id, creation_time, last_change_time, whiteboard, url)
    VALUES (777, 'A secret crash', 'CONFIRMED', 2, 2, '121', 'Highest', 'blocker', 'PC', 'Linux', 2, 2,
      '2026-08-14T22:53:59Z', '2026-11-19T00:00:00Z', '[secret]', 'http://secret.example.org');
    INSERT INTO bug_groups (bug_id, group_id) VALUES (777, ${CORE_SECURITY});
    INSERT INTO bug_aliases (alias, bug_id) VALUES ('secret-alias', 777);
    INSERT INTO bug_keywords (bug_id, keyword_id) VALUES (777, 1);
    INSERT INTO bug_see_also (bug_id, url) VALUES (777, 'http://secret.example.org/1');
    INSERT INTO comments (bug_id, creator_id, creation_time, text) VALUES (777, 2, '2026-08-14T22:53:59Z', 'secret steps');
    INSERT INTO activity (bug_id, user_id, time, field, removed, added)
    VALUES (777, 2, '2026-08-15T22:53:59Z', 'short_desc', 'A crash', 'A secret crash');
    INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private)
    VALUES (5, 1, '2026-11-19T00:00:00Z', 'for insiders: secret plan', 1);
    INSERT INTO comment_tags SELECT max(id), 'secret-tag' FROM comments;
    INSERT INTO activity (bug_id, user_id, time, field, removed, added, comment_id)
    SELECT 5, 1, '2026-11-19T00:00:01Z', 'longdescs.isprivate', '0', '1', max(id) FROM comments;
    INSERT INTO attachments (bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_private, data, size)
    VALUES (5, 1, '2026-11-19T00:00:00Z', '2026-11-19T00:00:00Z', 'secret.txt', 'secret', 'text/plain', 1, 'eA==', 1);
    INSERT INTO activity (bug_id, user_id, time, field, removed, added, attachment_id)
    SELECT 5, 1, '2026-11-19T00:00:02Z', 'attachments.isobsolete', '0', '1', max(id) FROM attachments;
    INSERT INTO flag_types (name, target) VALUES ('secret-review', 'attachment');
    INSERT INTO flags (type_id, bug_id, attachment_id, status, setter_id, requestee_id, creation_date, modification_date)
    SELECT (SELECT max(id) FROM flag_types), 5, max(id), '?', 1, 1, '2026-11-19T00:00:02Z', '2026-11-19T00:00:02Z' FROM attachments;
    UPDATE bugs SET estimated_time = 8, remaining_time = 3 WHERE id = 5;
    INSERT INTO activity (bug_id, user_id, time, field, removed, added)
    VALUES (5, 1, '2026-11-19T00:00:03Z', 'estimated_time', '0', '8'), (5, 1, '2026-11-19T00:00:03Z', 'work_time', '', '2');
    INSERT INTO personal_tags (id, user_id, name) VALUES (1, 2, 'secret-personal');
    INSERT INTO bug_tags (bug_id, tag_id) VALUES (5, 1);
  `);
}

function chart(field: string, operator: string, value: string) {
  return `/rest/bug?f1=${field}&o1=${operator}&v1=${encodeURIComponent(value)}&include_fields=id&order=bug_id`;
}

const REQUESTS: readonly string[] = [
  "/rest/bug/5",
  "/rest/bug/5?include_fields=_all",
  "/rest/bug/5/history",
  "/rest/bug/5/comment",
  "/rest/bug/5/attachment",
  "/rest/bug/comment/tags/secret",
  "/rest/field/bug/component",
  "/rest/product_accessible",
  ...[
    "summary=secret",
    "whiteboard=secret",
    "alias=secret-alias",
    "keywords=crash",
    "url=secret",
    "id=777",
    "tags=secret-personal",
  ].map((query) => `/rest/bug?${query}&include_fields=id`),
  ...["secret", "ALL secret", "777", "#secret"].map(
    (text) => `/rest/bug?quicksearch=${encodeURIComponent(text)}&include_fields=id`,
  ),
  "/rest/bug?priority=Highest&order=changeddate%20DESC&include_fields=id&limit=20",
  "/rest/bug?last_change_time=2026-11-18T00:00:00Z&include_fields=id",
  "/rest/bug?chfieldfrom=2026-11-18&chfieldto=Now&chfield=longdesc&include_fields=id",
  chart("longdesc", "substring", "secret"),
  chart("commenter", "equals", "admin@example.org"),
  chart("longdescs.count", "greaterthan", "3"),
  chart("longdescs.isprivate", "equals", "1"),
  chart("comment_tag", "substring", "secret"),
  chart("attachments.description", "substring", "secret"),
  chart("attachments.filename", "substring", "secret"),
  chart("flagtypes.name", "substring", "secret"),
  chart("setters.login_name", "equals", "admin@example.org"),
  chart("requestees.login_name", "equals", "admin@example.org"),
  chart("tag", "equals", "secret-personal"),
  chart("bug_group", "equals", "core-security"),
  chart("short_desc", "regexp", "secret"),
  chart("short_desc", "changedafter", "2026-01-01"),
  chart("longdesc", "changedby", "admin@example.org"),
  chart("content", "matches", "secret"),
  chart("estimated_time", "greaterthan", "0"),
  chart("work_time", "greaterthan", "0"),
  chart("percentage_complete", "greaterthan", "0"),
  chart("see_also", "substring", "secret"),
  chart("alias", "substring", "secret"),
];

function toRequest(url: string, key: string | undefined): Request {
  const [path = "", query = ""] = url.split("?");
  const credentials: [string, string][] = key === undefined ? [] : [["api_key", key]];
  return { method: "GET", path, query: [...new URLSearchParams(query), ...credentials] };
}

describe.each([
  ["nobody", undefined],
  ["carol, who is in no group", "{carol_key}"],
])("to %s", (_who, key) => {
  const without = asker(recordedStore());
  const store = recordedStore();
  addPrivateData(store);
  const withPrivate = asker(store);

  test.each(REQUESTS)("S7 %s is answered as if the private data were not there", async (url) => {
    const request = toRequest(url, key);
    const wanted = await without(request);
    const got = await withPrivate(request);
    expect(shown(got.body)).toEqual(shown(wanted.body));
    expect(got.status).toBe(wanted.status);
  });

  test("S7 a private bug is refused by number, and its alias like an unknown one", async () => {
    const answer = async (name: string) => {
      const { status, body } = await withPrivate(toRequest(`/rest/bug/${name}`, key));
      return { status, ...(JSON.parse(body) as { readonly code: number; readonly message: string }) };
    };
    expect(await answer("777")).toMatchObject({ status: 401, code: 102 });
    const hidden = await answer("secret-alias");
    const unknown = await answer("no-such-alias");
    expect(hidden).toMatchObject({ status: 400, code: 100 });
    expect(hidden.message.replace("secret-alias", "no-such-alias")).toBe(unknown.message);
  });
});

// The number of a comment on its bug may have gaps, and a bug's update token follows its last change: declared exceptions.
function shown(body: string): unknown {
  return JSON.parse(body, (name, value: unknown) =>
    name === "count" || name === "update_token" ? undefined : value,
  ) as unknown;
}

test("users who may see it see all of it", async () => {
  const store = recordedStore();
  addPrivateData(store);
  const ask = asker(store);
  const body = async (url: string) => (await ask(toRequest(url, "{admin_key}"))).body;
  expect(await body("/rest/bug/777")).toContain("A secret crash");
  expect(await body("/rest/bug/5/comment")).toContain("secret plan");
  expect(await body("/rest/bug/5/history")).toContain("estimated_time");
  expect(await body("/rest/bug/5/attachment")).toContain("secret.txt");
  expect(await body(chart("flagtypes.name", "substring", "secret"))).toBe('{"bugs":[{"id":5}]}');
  expect(await body("/rest/bug/comment/tags/secret")).toBe('["secret-tag"]');
});
