import { describe, expect, test } from "vitest";
import type { BtError } from "../../src/errors.ts";
import { refusingOldVersions } from "../../src/transport/network.ts";
import type { Exchange, Request, Response } from "../../src/wire/exchange.ts";

const READ: Request = { method: "GET", path: "/rest/version", query: [] };
const START = '<title>Bugzilla Main Page</title><td id="information" class="header_addl_info">version 4.4.14+</td>';
const CALL = '{"error":null,"id":"https://bugs.test/","result":{"version":"4.2.16"}}';

function page(body: string, status = 200): Response {
  return { status, headers: { "content-type": "text/html; charset=UTF-8" }, body };
}

/** A server without REST, and the paths that were visited. */
function oldServer(pages: Readonly<Record<string, Response>>) {
  const visited: string[] = [];
  const visit: Exchange = async ({ path }) => {
    visited.push(path);
    return pages[path] ?? page("Not Found", 404);
  };
  return { visited, exchange: refusingOldVersions(async () => page("Not Found", 404), visit) };
}

describe("a Bugzilla without REST", () => {
  test.each([
    ["its JSON-RPC interface", { "/jsonrpc.cgi": page(CALL), "/index.cgi": page(START) }, "4.2.16"],
    ["its start page", { "/index.cgi": page(START) }, "4.4.14+"],
  ])("is known by %s", async (_, pages, version) => {
    const error = await oldServer(pages)
      .exchange(READ)
      .catch((error: BtError) => error);
    expect(error).toMatchObject({
      kind: "refused",
      message: `this Bugzilla has no REST interface (${version}; REST needs 5.0)`,
    });
  });

  test("refuses each request, after one look", async () => {
    const { visited, exchange } = oldServer({ "/index.cgi": page(START) });
    for (const _ of [1, 2]) await expect(exchange(READ)).rejects.toMatchObject({ kind: "refused" });
    expect(visited).toEqual(["/jsonrpc.cgi", "/index.cgi"]);
  });

  test("is looked for once", async () => {
    const { visited, exchange } = oldServer({});
    for (const _ of [1, 2]) expect((await exchange(READ)).status).toBe(404);
    expect(visited).toEqual(["/jsonrpc.cgi", "/index.cgi"]);
  });
});

test.each([
  ["a newer version", { "/jsonrpc.cgi": page(CALL.replace("4.2.16", "5.0.6")) }],
  ["another site with a version", { "/index.cgi": page("<title>Forum</title>version 3.1") }],
])("%s leaves the response as it is", async (_, pages) => {
  expect((await oldServer(pages).exchange(READ)).status).toBe(404);
});

test("a response in JSON is none of a missing interface", async () => {
  const json: Response = { status: 404, headers: { "content-type": "application/json" }, body: "{}" };
  const exchange = refusingOldVersions(
    async () => json,
    async () => expect.unreachable(),
  );
  expect(await exchange(READ)).toBe(json);
});
