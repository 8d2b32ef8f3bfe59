import { describe, expect, test } from "vitest";
import { isResponseTo, writeRow } from "../../src/api/delivery/write-rows.ts";
import { withOperation } from "../../src/api/operations/known-operations.ts";
import { readResponse } from "../../src/api/response/response.ts";
import type { Json, JsonObject, Request } from "../../src/wire/exchange.ts";
import { RECORDED, type Recorded, responseOf } from "./recorded.ts";

/** Every recorded write that the server applied, as `bt` would have sent it. */
const APPLIED = RECORDED.filter(
  ({ request, response }) =>
    ["POST", "PUT"].includes(request.method) && response.status < 300 && tellsOfSuccess(response.body),
).map((recorded) => ({ ...recorded, sent: sentBy(recorded) }));

/** Number of each kind, so that none is left out without notice. */
const COUNTS: Readonly<Record<string, number>> = {
  "Create Bug": 109,
  "Update Bug": 173,
  "Create Comments": 23,
  "Update Comment Tags": 26,
  "Create Group": 5,
  "Update Group": 13,
  "Create Attachment": 7,
  "Update Attachment": 3,
  none: 7, // of no kind that bt knows
};

describe("the response to every recorded write is accepted", () => {
  test("as received", () => {
    const refused = APPLIED.filter((one) => !isAccepted(one, (json) => json));
    expect(refused.map(nameOf)).toEqual([]);
    const counts: Record<string, number> = {};
    for (const { sent } of APPLIED) {
      const name = (writeRow(sent) && sent.operation) ?? "none";
      counts[name] = (counts[name] ?? 0) + 1;
    }
    expect(counts).toEqual(COUNTS);
  });

  test.each<readonly [string, (part: JsonObject) => JsonObject]>([
    ["with an extra part in every object", (part) => ({ ...part, extra: { added: 1 } })],
    ["with null in place of every text", (part) => mapped(part, (value) => (typeof value === "string" ? null : value))],
    [
      "without anything but ids, lists and changes",
      (part) => only(part, ["id", "ids", "bugs", "groups", "attachments", "changes"]),
    ],
    ["with numbers in place of changed values", (part) => ("removed" in part ? { removed: 0, added: [1, 2] } : part)],
  ])("%s", (_, spoil) => {
    const refused = APPLIED.filter((one) => !isAccepted(one, (json) => spoilt(json, spoil)));
    expect(refused.map(nameOf)).toEqual([]);
  });
});

test("a response about another object, or with another list, is rejected", () => {
  const put = withOperation({ method: "PUT", path: "/rest/bug/7", query: [], body: {} });
  const one = { id: 8, changes: {} };
  for (const answer of [
    { bugs: [one] },
    { groups: [{ ...one, id: 7 }] },
    { bugs: [] },
    { bugs: [{ id: 7 }] },
    [],
    {},
  ]) {
    expect({ answer, isAnswer: isResponseTo(put, answer) }).toEqual({ answer, isAnswer: false });
  }
});

function isAccepted({ sent, ...recorded }: (typeof APPLIED)[number], change: (json: Json) => Json): boolean {
  return isResponseTo(sent, change(readResponse(responseOf(recorded), sent)));
}

/** An error comes with 200 too, and so does the empty answer to a body that is no object. */
function tellsOfSuccess(body: Json): boolean {
  return typeof body === "object" && body !== null && !("error" in body);
}

function nameOf({ area, name }: Recorded): string {
  return `${area}/${name}`;
}

function sentBy({ request }: Recorded): Request {
  const { method, path, query, body } = request;
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  return withOperation({ method, path, query: pairs, ...(body === null ? {} : { body }) });
}

function mapped(part: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value)]));
}

function only(part: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([name]) => names.includes(name)));
}

/** A JSON value with every object in it changed, the innermost first. */
function spoilt(json: Json, spoil: (part: JsonObject) => JsonObject): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map((item) => spoilt(item, spoil));
  if (typeof json !== "object" || json === null) return json;
  return spoil(mapped(json as JsonObject, (value) => spoilt(value, spoil)));
}
