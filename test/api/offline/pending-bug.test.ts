import { expect, test } from "vitest";
import { type Catalog, catalogOf } from "../../../src/api/catalog.ts";
import { newBug, pendingBug } from "../../../src/api/offline/pending-bug.ts";
import { readFields } from "../../../src/api/response/response-objects.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { stoppedClock } from "../../clock.ts";
import { freshDemo } from "../../fresh-demo.ts";

async function demoCatalog(): Promise<Catalog> {
  const { tracker } = freshDemo({ now: stoppedClock().now, random: (count) => new Uint8Array(count) });
  const { body } = await tracker({ method: "GET", path: "/rest/field/bug", query: [] }, { address: "127.0.0.1" });
  return catalogOf(readFields(JSON.parse(body)));
}

const BUG = {
  ...{ id: 12, status: "CONFIRMED", resolution: "", is_open: true, priority: "High" },
  ...{ keywords: ["crash"], whiteboard: "[a]", blocks: [7] },
};

test.each<[JsonObject, JsonObject]>([
  [{ priority: "Low", comment: { body: "Hello" } }, { priority: "Low" }],
  [{ keywords: { add: ["x", "crash"] } }, { keywords: ["crash", "x"] }],
  [{ keywords: { remove: ["crash"] } }, { keywords: [] }],
  [{ blocks: { set: [8] } }, { blocks: [8] }],
  [{ whiteboard: { add: ["[b]"], remove: ["[a]"] } }, { whiteboard: "[b]" }],
  [
    { status: "RESOLVED", resolution: "FIXED" },
    { status: "RESOLVED", resolution: "FIXED", is_open: false },
  ],
  [{ dupe_of: 5 }, { status: "RESOLVED", resolution: "DUPLICATE", is_open: false }],
])("an update %j leaves %j", async (body, after) => {
  expect(pendingBug(BUG, body, await demoCatalog())).toEqual({ ...BUG, ...after });
});

test("a reopened bug has no resolution", async () => {
  const closed = { ...BUG, status: "RESOLVED", resolution: "FIXED", is_open: false };
  expect(pendingBug(closed, { status: "CONFIRMED" }, await demoCatalog())).toEqual(BUG);
});

test("a new bug has the values of its request, its temporary name as an alias, and the first status", async () => {
  const catalog = await demoCatalog();
  const bug = newBug("new-1", { summary: "Title", description: "Text", alias: ["a"] }, catalog);
  expect(bug).toMatchObject({
    summary: "Title",
    status: catalog.starts[0]?.name,
    is_open: true,
    alias: ["new-1", "a"],
  });
  expect(bug).not.toHaveProperty("description");
});
