import { expect, test } from "vitest";
import { isRequester, judgeMatches, type SentWrite } from "../../../src/api/delivery/write.ts";
import type { Request } from "../../../src/wire/exchange.ts";

const PUT: Request = { operation: "Update Bug", method: "PUT", path: "/rest/bug/7", query: [] };
const SENT: SentWrite = { request: PUT, at: 0, since: "2026-11-19T12:00:00Z", alike: [] };

test.each([
  ["nothing", [], SENT, "not-found"],
  ["one object", [5], SENT, "applied"],
  ["several objects", [5, 6], SENT, "ambiguous"],
  ["one object, if nobody looked before", [5], { ...SENT, alike: undefined }, "ambiguous"],
] as const)("%s that matches a write", (...[, found, sent, status]) => {
  const judging = { toResponse: (id: number) => ({ id }), describe: (id: number) => `bug ${id}` };
  expect(judgeMatches(found, sent, judging).status).toBe(status);
});

test.each([
  ["mei@example.org", true],
  ["ada@example.org", false],
  [undefined, undefined],
])("Mei@Example.org is the requester %s: %s", (me, is) => {
  expect(isRequester({ me } as Parameters<typeof isRequester>[0], "Mei@Example.org")).toBe(is);
});
