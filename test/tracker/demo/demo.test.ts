import { expect, onTestFinished, test } from "vitest";
import { type OpenedTracker, openTracker } from "../../../src/tracker/open.ts";
import type { Json } from "../../../src/wire/exchange.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

/** A demo tracker at a time, until the test ends. */
function demo(now = NOW): OpenedTracker {
  const opened = openTracker("demo:", { now: () => now, random: (n) => new Uint8Array(n), dataDirectory: "" });
  onTestFinished(() => opened.close());
  return opened;
}

async function get<Body>(opened: OpenedTracker, path: string, query: [string, string][] = []): Promise<Body> {
  const { body } = await opened.exchange({ method: "GET", path, query });
  return JSON.parse(body);
}

type Bug = Readonly<Record<string, Json>>;
type Bugs = { readonly bugs: readonly Bug[] };

const PRIVATE = [17, 28];
const ids = Array.from({ length: 50 }, (_, index) => index + 1).filter((id) => !PRIVATE.includes(id));
const everyBug = ids.map((id): [string, string] => ["ids", String(id)]);

test("the demo has bugs of every status, resolution, field type and flag status", async () => {
  const { bugs } = await get<Bugs>(demo(), "/rest/bug/", everyBug);
  const values = (field: string) => new Set(bugs.map((bug) => JSON.stringify(bug[field])));
  expect(values("status").size).toBe(5);
  expect(values("resolution").size).toBe(6);
  const customFields = [
    "cf_crash_signature",
    "cf_devices",
    "cf_ship_by",
    "cf_impact",
    "cf_build",
    "cf_last_seen",
    "cf_points",
  ];
  for (const field of [
    ...customFields,
    "deadline",
    "alias",
    "depends_on",
    "blocks",
    "keywords",
    "see_also",
    "cc",
    "url",
  ]) {
    expect(values(field).size, field).toBeGreaterThan(1);
  }
  expect(bugs.flatMap((bug) => (bug["flags"] as Bug[]).map((flag) => flag["status"]))).toEqual(
    expect.arrayContaining(["?", "+"]),
  );
});

test("the demo is the same at the same time, and never out of date", async () => {
  const at = async (now: Date) => (await get<Bugs>(demo(now), "/rest/bug/50", [["include_fields", "_all"]])).bugs[0];
  expect(await at(NOW)).toEqual(await at(NOW));
  expect((await at(new Date("2030-01-01T00:00:00Z")))?.["creation_time"]).toBe("2029-12-31T16:48:00Z");
});

test("the user of the demo is a triager who cannot see security bugs", async () => {
  expect(await get(demo(), "/rest/valid_login", [["login", "tomas@example.org"]])).toEqual({ result: true });
  expect(await get(demo(), "/rest/bug/28")).toMatchObject({ code: 102 });
});

test("a parameter of searches that the tracker does not have is refused, also in this process", async () => {
  expect(await get(demo(), "/rest/bug", [["email1", "mei"]])).toMatchObject({ code: 53 });
});
