// A tracker that has its answers ready: what it costs to ask it is the client's cost. Prints its port and serves until
// its parent goes away.
import http from "node:http";
import process from "node:process";

const person = { id: 1, name: "ada@example.org", real_name: "Ada Example", email: "ada@example.org" };
const bugs = Array.from({ length: 20 }, (_, at) => ({
  id: 1019 - at,
  summary: `The list loses its place when it is sorted by the ${at + 1}th column`,
  status: "CONFIRMED",
  resolution: "",
  product: "Lantern",
  component: ["Editor", "Sync", "Printing"][at % 3],
  version: "unspecified",
  priority: "---",
  severity: "normal",
  assigned_to: person.name,
  assigned_to_detail: person,
  creator: person.name,
  creator_detail: person,
  creation_time: "2026-03-01T09:00:00Z",
  last_change_time: `2026-11-${10 + (at % 20)}T12:34:56Z`,
  is_open: true,
  keywords: [],
  flags: [],
  depends_on: [],
  blocks: [],
  cc: [],
  alias: [],
}));

const found = JSON.stringify({ bugs });
const missing = JSON.stringify({ error: true, code: 100, message: "There is no such thing here." });

const server = http.createServer(({ url = "" }, response) => {
  const isSearch = url.startsWith("/rest/bug?");
  response
    .writeHead(isSearch ? 200 : 404, { "content-type": "application/json; charset=UTF-8" })
    .end(isSearch ? found : missing);
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => server.close());
