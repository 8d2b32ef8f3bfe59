import { expect, test } from "vitest";
import { jsonListing, listText } from "../../src/view/listing.ts";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";
import { viewOf } from "./samples.ts";

const VIEW = viewOf({ terminal: false });

const BUG: JsonObject = {
  id: 7,
  summary: "x",
  alias: ["b", "a"],
  cc: ["mei@x", "ada@x"],
  cc_detail: [
    { id: 2, name: "mei@x", real_name: "Mei", email: "mei@x" },
    { id: 1, name: "ada@x", real_name: "Ada", email: "ada@x" },
  ],
  assigned_to_detail: { id: 1, name: "ada@x", real_name: "Ada", email: "ada@x" },
  depends_on: [10, 9],
  blocks: [3, 20],
  keywords: ["perf", "crash"],
  groups: ["z", "a"],
  see_also: ["http://b/", "http://a/"],
  flags: [
    { id: 9, name: "review", type_id: 1, status: "?", setter: "mei@x", requestee: "ada@x" },
    { id: 8, name: "approval", type_id: 2, status: "+", setter: "mei@x" },
  ],
  cf_new: { b: 1, a: 2 },
};

/** The same value as a server may send it the next time: keys and unordered lists the other way round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).toReversed().map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, turned(part as Json)]),
  );
}

test.each(["json", "ndjson"] as const)(
  "equal bugs are equal bytes as %s, whatever the order from the server",
  (format) => {
    const text = (bug: Json) => listText([bug as JsonObject], jsonListing<JsonObject>(format, VIEW, ["id", "summary"]));
    expect(text(turned(BUG))).toBe(text(BUG));
    expect(JSON.parse(text(BUG))).toHaveProperty(format === "json" ? "[0].depends_on" : "depends_on", [9, 10]);
  },
);

test("meaningful orders are kept: comments, values of a field, status changes", () => {
  const row = {
    values: [{ name: "b" }, { name: "a", can_change_to: [{ name: "Z" }, { name: "A" }] }],
    comments: [2, 1],
  };
  expect(listText<Json>([row], jsonListing("ndjson", VIEW, ["values"]))).toBe(`${JSON.stringify(row)}\n`);
});
