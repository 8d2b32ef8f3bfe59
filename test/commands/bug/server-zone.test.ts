import { describe, expect, test } from "vitest";
import { asked, bt } from "../../bt.ts";
import { inZone } from "../../tracker/in-zone.ts";
import { manyBugs } from "../../tracker/many-bugs.ts";

/** Bugs of more than two years, an hour apart, on a tracker whose clock shows a zone. */
function trackerIn(zone: string) {
  const { exchange, login } = manyBugs(20_000, 10_000);
  return { exchange: inZone(exchange, zone), login, isNear: false };
}

function searches(lines: readonly string[]) {
  return lines.filter((line) => line.startsWith("GET /rest/bug?"));
}

const UPPER = "'created < 2026-01-10T12:00Z' 'created >= 2026-01-10T00:00Z' --format ids";

describe("an upper bound in time finds the same bugs wherever the tracker's clock stands", () => {
  const expected = bt(`bug search ${UPPER}`, trackerIn("UTC"));

  test.each(["UTC", "Europe/London", "America/New_York", "Asia/Tokyo", "Pacific/Auckland"])("%s", async (zone) => {
    const { out } = await bt(`bug search ${UPPER}`, trackerIn(zone));
    expect(out).toBe((await expected).out);
    expect(out.trimEnd().split("\n")).toHaveLength(12);
    const settings = { server_zone: zone };
    expect((await bt(`bug search ${UPPER}`, { ...trackerIn(zone), settings })).out).toBe(out);
  });
});

test("three requests prove that a tracker keeps UTC; then the row is exact and nothing is checked here", async () => {
  const lines = asked(await bt(`bug search ${UPPER}`, trackerIn("UTC")));
  const sent = searches(lines)[3];
  expect(sent).toContain("f1=creation_ts&o1=lessthan&v1=2026-01-10 12:00:00&creation_time=2026-01-10T00:00:00Z&");
  expect(sent).toContain("include_fields=id&");
});

test("a tracker elsewhere is asked for more, and what it gives is checked here", async () => {
  const { out } = await bt(`bug search ${UPPER} --explain`, trackerIn("Asia/Tokyo"));
  expect(out).toContain("f1=creation_ts  o1=lessthan  v1=2026-01-11 02:00:00");
  expect(out).toContain("checked by bt  creation_time < 2026-01-10T12:00:00Z");
});

test("only a search with a time asks for the zone", async () => {
  const lines = asked(await bt("bug search -p Lantern --limit 5", trackerIn("UTC")));
  expect(searches(lines)).toHaveLength(1);
});

describe("a custom date with time is written on the tracker's clock", () => {
  const write = "bug update 12 --field 'cf_last_seen=2026-11-01T12:00Z'";
  const read = "bug get 12 --fields cf_last_seen --json";

  test.each(["UTC", "Asia/Tokyo"])("in %s, which the configuration names", async (zone) => {
    const around = { ...trackerIn(zone), settings: { server_zone: zone } };
    expect((await bt(write, around)).code).toBe(0);
    expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe("2026-11-01T12:00:00Z");
  });

  test("and in UTC when that was found out", async () => {
    const around = trackerIn("UTC");
    expect((await bt(write, around)).code).toBe(0);
    expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe("2026-11-01T12:00:00Z");
  });

  test.each([
    [write, "Asia/Tokyo"],
    ["bug create -p Lantern -c Library --bug-version 3.1 -t x -d y --field 'cf_last_seen=2026-11-01T12:00Z'", "UTC"],
  ])("and told when it was stored as another: %s with the zone %s", async (line, zone) => {
    const around = { ...trackerIn(zone === "UTC" ? "Asia/Tokyo" : "UTC"), settings: { server_zone: zone } };
    const ran = await bt(line, around);
    expect(ran.code).toBe(10);
    expect(ran.err).toMatch(/cf_last_seen is 2026-11-01T(21:00:00Z|03:00:00Z), not 2026-11-01T12:00:00Z/);
    expect(ran.err).toContain("bt config set server_zone");
    expect(ran.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
  });

  test.each(["Asia/Tokyo", "America/New_York", "Europe/Berlin", "Pacific/Auckland", "Asia/Kolkata", "Asia/Kathmandu"])(
    "in %s, which two more requests than for UTC find out",
    async (zone) => {
      const around = trackerIn(zone);
      const ran = await bt(write, around);
      expect(ran.err).toBe("");
      expect(searches(asked(ran)).length).toBeLessThanOrEqual(5);
      expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe("2026-11-01T12:00:00Z");
    },
  );

  test("the diff before and after tells the moment in UTC; the request, the tracker's clock", async () => {
    const around = { ...trackerIn("Asia/Tokyo"), settings: { server_zone: "Asia/Tokyo" } };
    const planned = await bt(`${write} --dry-run`, around);
    expect(planned.out).toContain("2026-11-01T12:00:00Z");
    expect(planned.out).not.toContain("21:00");
    expect(planned.err).toContain('"cf_last_seen": "2026-11-01 21:00:00"');
    expect((await bt(write, around)).out).toBe(planned.out);
    const filed = await bt(
      "bug create -p Lantern -c Library --bug-version 3.1 -t x -d y --field 'cf_last_seen=2026-11-01T12:00Z' --dry-run",
      around,
    );
    expect(filed.err).toContain("cf_last_seen: 2026-11-01T12:00:00Z, which is 2026-11-01 21:00:00");
  });

  test("but not where bugs that all were made within a few days fit several zones that differ by then", async () => {
    const { exchange, login } = manyBugs(24, 10_000);
    const around = { exchange: inZone(exchange, "America/New_York"), login, isNear: false };
    const ran = await bt(write.replace("2026-11-01", "2027-03-20"), around);
    expect([ran.code, ran.requests.filter(({ method }) => method !== "GET")]).toEqual([2, []]);
    expect(ran.err).toContain("bt config set server_zone");
  });
});

describe("a date of the web form is one on the tracker's clock", () => {
  const url = "https://bugs.example.org/buglist.cgi?f1=creation_ts&o1=lessthan&v1=2026-01-10&query_format=advanced";
  const search = `bug search --from-url '${url}' --count`;

  test("where that is not UTC, it is passed on as it is", async () => {
    const ran = await bt(search, trackerIn("Asia/Tokyo"));
    expect(searches(asked(ran)).at(-1)).toContain("f1=creation_ts&o1=lessthan&v1=2026-01-10&");
    const utc = await bt("bug search 'created < 2026-01-09T15:00Z' --count", trackerIn("Asia/Tokyo"));
    expect(ran.out).toBe(utc.out);
  });

  test("where it is, or is named, it becomes a moment", async () => {
    const zoned = { ...trackerIn("Asia/Tokyo"), settings: { server_zone: "Asia/Tokyo" } };
    expect((await bt(search, zoned)).out).toBe((await bt(search, trackerIn("Asia/Tokyo"))).out);
    const { out } = await bt(search.replace("--count", "--explain"), zoned);
    expect(out).toContain("creation_time < 2026-01-09T15:00:00Z");
  });
});
