import { expect, test } from "vitest";
import { worldExchange } from "../../../agreement/world.ts";
import { bt, bugzillaFacts } from "../../../bt.ts";

const NOW = "2026-11-20T04:34:52Z";
const NETWORK = { exchange: worldExchange, isInProcess: false, address: "https://bugs.example.org", now: NOW };

test("an explanation has the meaning, the request, the conditions tested here and the web link", async () => {
  const line =
    "bug search is:open created:2026-10 \"(summary ~ 'hang & leak' or priority:High)\" --sort=-updated --explain";
  const { out } = await bt(line, { ...NETWORK, facts: bugzillaFacts(NOW) });
  expect(out).toMatchInlineSnapshot(`
    "where          status in (UNCONFIRMED, CONFIRMED, IN_PROGRESS)
                   and creation_time >= 2026-10-01T00:00:00Z
                   and creation_time < 2026-11-01T00:00:00Z
                   and summary ~ "(summary ~ "
                   and summary ~ hang
                   and summary ~ "&"
                   and summary ~ leak
                   and summary ~ " or priority:High)"
    sent           status=UNCONFIRMED  status=CONFIRMED  status=IN_PROGRESS
                   creation_time=2026-10-01T00:00:00Z
                   summary=hang
                   f1=creation_ts  o1=lessthan  v1=-459h
                   f2=short_desc  o2=regexp  v2=\\(summary ~[ ]
                   f3=short_desc  o3=substring  v3=&
                   f4=short_desc  o4=substring  v4=leak
                   f5=short_desc  o5=regexp  v5=[ ]or priority:High\\)
                   order=changeddate DESC,bug_id
    checked by bt  creation_time < 2026-11-01T00:00:00Z
    request        https://bugs.example.org/rest/bug?status=UNCONFIRMED&status=CONFIRMED&status=IN_PROGRESS&creation_time=2026-10-01T00:00:00Z&summary=hang&f1=creation_ts&o1=lessthan&v1=-459h&f2=short_desc&o2=regexp&v2=%5C(summary%20~%5B%20%5D&f3=short_desc&o3=substring&v3=%26&f4=short_desc&o4=substring&v4=leak&f5=short_desc&o5=regexp&v5=%5B%20%5Dor%20priority:High%5C)&order=changeddate%20DESC,bug_id
    web            https://bugs.example.org/buglist.cgi?f1=bug_status&o1=anyexact&v1=UNCONFIRMED&v1=CONFIRMED&v1=IN_PROGRESS&f2=creation_ts&o2=greaterthaneq&v2=-1206h&f3=creation_ts&o3=lessthan&v3=-459h&f4=short_desc&o4=regexp&v4=%5C(summary%20~%5B%20%5D&f5=short_desc&o5=substring&v5=hang&f6=short_desc&o6=substring&v6=%26&f7=short_desc&o7=substring&v7=leak&f8=short_desc&o8=regexp&v8=%5B%20%5Dor%20priority:High%5C)&order=changeddate%20DESC,bug_id&query_format=advanced
    "
  `);
});

test("a tracker without pages for people has no web link", async () => {
  const { out } = await bt("bug search id:7 --explain --json", { exchange: worldExchange, now: NOW });
  expect(JSON.parse(out)).toMatchObject({ url: "/rest/bug?id=7", checked_here: [] });
  expect(JSON.parse(out)).not.toHaveProperty("web");
});
