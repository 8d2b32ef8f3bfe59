import { expect, test } from "vitest";
import { BtError } from "../../src/errors.ts";
import { followingRedirects } from "../../src/transport/network.ts";
import type { Request, Response } from "../../src/wire/exchange.ts";

const BASE = "https://bugs.example.org/bugzilla";
const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["include_fields", "id"]] };

function moved(location: string | undefined, status = 302): Response {
  return {
    status,
    headers: location ? { location } : {},
    body: "",
  };
}

/** Asks a tracker that answers every request by its path, and tells what was asked of it. */
async function run(request: Request, replies: Readonly<Record<string, Response>>) {
  const asked: string[] = [];
  const tracker = async ({ path, query }: Request) => {
    asked.push(`${path} ${JSON.stringify(query)}`);
    return replies[path] ?? { status: 200, headers: {}, body: "{}" };
  };
  const exchange = followingRedirects(tracker, new URL(BASE));
  const end = await exchange(request, 0).catch((error: unknown) => error);
  return {
    asked,
    end:
      end instanceof BtError ? `${end.kind}: ${end.message} (changed: ${end.facts.changed})` : (end as Response).status,
  };
}

test("a read follows a redirect within the tracker, without any credentials in the URL", async () => {
  const target = "/bugzilla/rest/bug/8?include_fields=id&Bugzilla_api_key=k&api_key=k&token=t";
  expect(await run(READ, { "/rest/bug/7": moved(target) })).toEqual({
    asked: ['/rest/bug/7 [["include_fields","id"]]', '/rest/bug/8 [["include_fields","id"]]'],
    end: 200,
  });
});

test("D3 a loop ends after three hops", async () => {
  const { asked, end } = await run(READ, { "/rest/bug/7": moved("7") });
  expect(asked).toHaveLength(4);
  expect(end).toBe("reply: redirect loop at bugs.example.org (changed: nothing)");
});

test.each([
  ["https://evil.test/bugzilla/rest/bug/7?api_key=k", "https://evil.test/bugzilla/rest/bug/7"],
  ["https://bugs.example.org.evil.test/bugzilla/rest/", "https://bugs.example.org.evil.test/bugzilla/rest/"],
  ["http://bugs.example.org/bugzilla/rest/bug/7", "http://bugs.example.org/bugzilla/rest/bug/7"],
  ["https://bugs.example.org:444/bugzilla/rest/bug/7", "https://bugs.example.org:444/bugzilla/rest/bug/7"],
  ["https://bugs.example.org/bugzilla2/rest/bug/7", "https://bugs.example.org/bugzilla2/rest/bug/7"],
  ["https://bugs.example.org@evil.test/", "https://evil.test/"],
  ["/login", "https://bugs.example.org/login"],
  ["file:///etc/passwd", "file:///etc/passwd"],
  ["javascript:alert(1)", "javascript://alert(1)"],
  [undefined, "nowhere"],
])("D1 D4 a read does not follow to %s", async (location, named) => {
  const { asked, end } = await run(READ, { "/rest/bug/7": moved(location) });
  expect(asked).toHaveLength(1);
  expect(end).toBe(`guard: bugs.example.org redirects to ${named}; the redirect was not followed (changed: nothing)`);
});
