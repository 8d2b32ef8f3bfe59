import { expect, test } from "vitest";
import { parseExpression } from "../../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../../src/api/query/resolve.ts";
import { compileQuery } from "../../../../src/api/search/compile.ts";
import { type ExplainedSearch, explainQuery, explanationText } from "../../../../src/commands/bug/search/explain.ts";
import { exampleContext } from "../../../api/example-catalog.ts";

function asked(text: string, base: string | undefined): ExplainedSearch {
  const query = resolveQuery(parseExpression(text).tree, exampleContext);
  const compiled = compileQuery(query, { serverZone: "UTC" });
  const order = ["order", "changeddate DESC,bug_id"] as const;
  return { query, compiled, sent: [...compiled.query, order, ["limit", "20"]], base, options: { serverZone: "UTC" } };
}

test("an explanation has the meaning, the request, the local conditions and the web link", () => {
  const text = "is:open assignee:@me created >= 2026-10 (summary ~ 'hang & leak' or priority:High) -alias:zeb";
  expect(explanationText(explainQuery(asked(text, "https://bugs.example.org")))).toMatchInlineSnapshot(`
    "where          status in (UNCONFIRMED, CONFIRMED, IN_PROGRESS)
                   and assigned_to = @me
                   and creation_time >= 2026-10-01T00:00:00Z
                   and (summary ~ "hang & leak" or priority = High)
                   and alias != zeb
    sent           status=UNCONFIRMED  status=CONFIRMED  status=IN_PROGRESS
                   creation_time=2026-10-01T00:00:00Z
                   f1=assigned_to  o1=equals  v1=%user%
                   f2=OP  j2=OR
                   f3=short_desc  o3=substring  v3=hang & leak
                   f4=priority  o4=equals  v4=High
                   f5=CP
                   f6=alias  o6=equals  n6=1  v6=zeb
                   order=changeddate DESC,bug_id
                   limit=20
    request        https://bugs.example.org/rest/bug?status=UNCONFIRMED&status=CONFIRMED&status=IN_PROGRESS&creation_time=2026-10-01T00:00:00Z&f1=assigned_to&o1=equals&v1=%25user%25&f2=OP&j2=OR&f3=short_desc&o3=substring&v3=hang%20%26%20leak&f4=priority&o4=equals&v4=High&f5=CP&f6=alias&o6=equals&n6=1&v6=zeb&order=changeddate%20DESC,bug_id&limit=20
    web            https://bugs.example.org/buglist.cgi?f1=bug_status&o1=anyexact&v1=UNCONFIRMED&v1=CONFIRMED&v1=IN_PROGRESS&f2=assigned_to&o2=equals&v2=%25user%25&f3=creation_ts&o3=greaterthaneq&v3=2026-10-01%2000:00:00&f4=OP&j4=OR&f5=short_desc&o5=substring&v5=hang%20%26%20leak&f6=priority&o6=equals&v6=High&f7=CP&f8=alias&o8=equals&n8=1&v8=zeb&order=changeddate%20DESC,bug_id&query_format=advanced"
  `);
});

test("a tracker without a web interface has no web link", () => {
  const { web, url } = explainQuery(asked("id:7", undefined));
  expect(web).toBeUndefined();
  expect(url).toBe("/rest/bug?id=7&order=changeddate%20DESC,bug_id&limit=20");
});
