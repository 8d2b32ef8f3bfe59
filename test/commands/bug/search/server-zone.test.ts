import { describe, expect, test } from "vitest";
import { asked, bt, bugzillaFacts } from "../../../bt.ts";
import { sampled } from "../../../sampling.ts";
import { inZone } from "../../../tracker/in-zone.ts";
import { manyBugs } from "../../../tracker/many-bugs.ts";

/** Bugs, an hour apart and of more than two years unless a count is given, on a tracker whose clock shows a zone. */
function trackerIn(zone: string, count = 20_000) {
  const { exchange, login } = manyBugs(count, 10_000);
  return { exchange: inZone(exchange, zone), login, isInProcess: false, facts: bugzillaFacts() };
}

function searches(lines: readonly string[]) {
  return lines.filter((line) => line.startsWith("GET /rest/bug?"));
}

const UPPER = "'created < 2026-01-10T12:00Z' 'created >= 2026-01-10T00:00Z' --format ids";

describe("an upper time limit finds the same bugs in every zone of the server", () => {
  const expected = bt(`bug search ${UPPER}`, trackerIn("UTC"));

  test.each(sampled(["UTC", "Europe/London", "America/New_York", "Asia/Tokyo", "Pacific/Auckland"], 2))(
    "%s",
    async (zone) => {
      const { out } = await bt(`bug search ${UPPER}`, trackerIn(zone));
      expect(out).toBe((await expected).out);
      expect(out.trimEnd().split("\n")).toHaveLength(12);
      const settings = { server_zone: zone };
      expect((await bt(`bug search ${UPPER}`, { ...trackerIn(zone), settings })).out).toBe(out);
    },
  );
});

test("three requests verify that a tracker uses UTC; then the row is exact, without local evaluation", async () => {
  const lines = asked(await bt(`bug search ${UPPER}`, trackerIn("UTC")));
  const sent = searches(lines)[3];
  expect(sent).toContain("?creation_time=2026-01-10T00:00:00Z&f1=creation_ts&o1=lessthan&v1=2026-01-10 12:00:00&");
  expect(sent).toContain("include_fields=id&");
});

test("in another zone than UTC the search is widened and its results evaluated locally", async () => {
  const { out } = await bt(`bug search ${UPPER} --explain`, trackerIn("Asia/Tokyo"));
  expect(out).toContain("f1=creation_ts  o1=lessthan  v1=2026-01-11 02:00:00");
  expect(out).toContain("checked by bt  creation_time < 2026-01-10T12:00:00Z");
});

test("bugs are counted on a terminal only if the tracker evaluates all criteria, and up to a number", async () => {
  const part = UPPER.replace("--format ids", "--limit 3");
  const said = async (zone: string, line = part) =>
    (await bt(`bug search ${line}`, { ...trackerIn(zone), terminal: true })).err;
  expect([await said("Asia/Tokyo"), await said("UTC")]).toEqual(["note: first 3 bugs\n", "note: first 3 of 12 bugs\n"]);
  expect(await said("UTC", "'id > 0' --limit 3")).toBe("note: first 3 of at least 1000 bugs\n");
});

test("only a search with a time looks up the zone", async () => {
  const lines = asked(await bt("bug search -p Lantern --limit 5", trackerIn("UTC")));
  expect(searches(lines)).toHaveLength(1);
});

describe("a custom date-time is sent in the zone of the tracker", () => {
  const write = "bug update 12 --field 'cf_last_seen=2026-11-01T12:00Z'";
  const read = "bug get 12 --fields cf_last_seen --json";

  test.each(["UTC", "Asia/Tokyo"])("in %s, which is configured", async (zone) => {
    const around = { ...trackerIn(zone), settings: { server_zone: zone } };
    expect((await bt(write, around)).code).toBe(0);
    expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe("2026-11-01T12:00:00Z");
  });

  test("and in UTC if that was detected", async () => {
    const around = trackerIn("UTC");
    expect((await bt(write, around)).code).toBe(0);
    expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe("2026-11-01T12:00:00Z");
  });

  test.each([
    [write, "Asia/Tokyo"],
    ["bug create -p Lantern -c Library --bug-version 3.1 -t x -d y --field 'cf_last_seen=2026-11-01T12:00Z'", "UTC"],
  ])("and reported if it was stored as another: %s with the zone %s", async (line, zone) => {
    const around = { ...trackerIn(zone === "UTC" ? "Asia/Tokyo" : "UTC"), settings: { server_zone: zone } };
    const ran = await bt(line, around);
    expect(ran.code).toBe(10);
    expect(ran.err).toMatch(/cf_last_seen is 2026-11-01T(21:00:00Z|03:00:00Z), not 2026-11-01T12:00:00Z/);
    expect(ran.err).toContain("bt config set server_zone");
    expect(ran.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
  });

  test.each(
    sampled(
      ["Asia/Tokyo", "America/New_York", "Europe/Berlin", "Pacific/Auckland", "Asia/Kolkata", "Asia/Kathmandu"],
      2,
    ),
  )("in %s, detected with two requests more than UTC", async (zone) => {
    const around = trackerIn(zone);
    const ran = await bt(write, around);
    expect(ran.err).toBe("");
    expect(searches(asked(ran)).length).toBeLessThanOrEqual(5);
    expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe("2026-11-01T12:00:00Z");
  });

  test("the diff before and after is in UTC; the request in the zone of the tracker", async () => {
    const around = { ...trackerIn("Asia/Tokyo"), settings: { server_zone: "Asia/Tokyo" } };
    const planned = await bt(`${write} --dry-run`, around);
    expect(planned.out).toContain("2026-11-01T12:00:00Z");
    expect(planned.out).not.toContain("21:00");
    expect(planned.err).toContain('"cf_last_seen": "2026-11-01 21:00:00"');
    const { out } = await bt(write, around);
    expect(out).toBe("12\tapplied\n");
    const filed = await bt(
      "bug create -p Lantern -c Library --bug-version 3.1 -t x -d y --field 'cf_last_seen=2026-11-01T12:00Z' --dry-run",
      around,
    );
    expect(filed.err).toContain("cf_last_seen: 2026-11-01T12:00:00Z, which is 2026-11-01 21:00:00");
  });

  test.each([
    ["Europe/Berlin", "2026-10-25T00:30Z", "2026-10-25 02:30:00"],
    ["Europe/Berlin", "2026-10-25T01:30Z", "2026-10-25 02:30:00"],
    ["America/New_York", "2026-11-01T05:59:59Z", "2026-11-01 01:59:59"],
    ["America/New_York", "2026-11-01T06:00Z", "2026-11-01 01:00:00"],
    ["Australia/Lord_Howe", "2027-04-03T15:10Z", "2027-04-04 01:40:00"],
  ])("and rejected where the clock in %s shows it twice: %s", async (zone, time, shown) => {
    const around = { ...trackerIn(zone, 24), settings: { server_zone: zone } };
    const ran = await bt(`bug update 12 --field cf_last_seen=${time}`, around);
    expect([ran.code, ran.requests.filter(({ method }) => method !== "GET")]).toEqual([2, []]);
    expect(ran.err).toContain(`${shown} occurs twice`);
  });

  test.each([
    ["Europe/Berlin", "2026-10-24T23:59:59Z"],
    ["Europe/Berlin", "2026-10-25T02:00:00Z"],
    ["America/New_York", "2026-11-01T07:00:00Z"],
    ["America/New_York", "2027-03-14T07:00:00Z"],
  ])("but not next to that hour: in %s %s", async (zone, time) => {
    const around = { ...trackerIn(zone, 24), settings: { server_zone: zone } };
    expect((await bt(`bug update 12 --field cf_last_seen=${time}`, around)).err).toBe("");
    expect(JSON.parse((await bt(read, around)).out)[0].cf_last_seen).toBe(time);
  });

  test("but not if the bugs, all filed within a few days, match several zones that differ at that time", async () => {
    const { exchange, login } = manyBugs(24, 10_000);
    const around = {
      exchange: inZone(exchange, "America/New_York"),
      login,
      isInProcess: false,
      facts: bugzillaFacts(),
    };
    const ran = await bt(write.replace("2026-11-01", "2027-03-20"), around);
    expect([ran.code, ran.requests.filter(({ method }) => method !== "GET")]).toEqual([2, []]);
    expect(ran.err).toContain("bt config set server_zone");
  });
});

describe("bug history shows custom date-times", () => {
  /** A bug whose date was set and set again, on a tracker in Tokyo. */
  async function changedTwice() {
    const around = { ...trackerIn("Asia/Tokyo", 24), settings: { server_zone: "Asia/Tokyo" } };
    for (const time of ["2026-11-01T12:00Z", "2026-11-02T20:30Z"]) {
      await bt(`bug update 12 --field cf_last_seen=${time}`, around);
    }
    return around;
  }
  const TOLD = ["2026-11-01T12:00:00Z", "2026-11-02T20:30:00Z"];

  test("in UTC to programs, old values too", async () => {
    const { out } = await bt("bug history 12 --format tsv --fields removed,added", await changedTwice());
    expect(out.trimEnd().split("\n").slice(-2)).toEqual([`\t${TOLD[0]}`, TOLD.join("\t")]);
  });

  test("in local time at a terminal, as an update does", async () => {
    const around = { ...(await changedTwice()), terminal: true, columns: 100 };
    const { out } = await bt("bug history 12", around);
    expect(out).toContain("2026-11-01 12:00 UTC → 2026-11-02 20:30 UTC");
    const update = await bt("bug update 12 --field cf_last_seen=2026-11-03T08:15Z", around);
    expect(update.out).toContain("2026-11-02 20:30 UTC → 2026-11-03 08:15 UTC");
  });

  test("as recorded by the tracker in JSON", async () => {
    const { out } = await bt("bug history 12 --json", await changedTwice());
    expect(out).toContain('"removed":"2026-11-01 21:00:00","added":"2026-11-03 05:30:00"');
  });

  test("as recorded if the clock of the tracker showed the time twice", async () => {
    const around = await changedTwice();
    const { out } = await bt("bug history 12 --format tsv --fields added", {
      ...around,
      exchange: async (request) => {
        const reply = await around.exchange(request);
        return { ...reply, body: reply.body.replace("2026-11-01 21:00:00", "2026-10-25 02:30:00") };
      },
      settings: { server_zone: "Europe/Berlin" },
    });
    expect(out).toContain("\n2026-10-25 02:30:00\n");
  });

  test("and looks up the zone only if there are any", async () => {
    const plain = await bt("bug history 13", trackerIn("Asia/Tokyo", 24));
    expect(searches(asked(plain))).toEqual([]);
  });
});

test("a date of the search page is passed on: the tracker reads it in its own zone", async () => {
  const url = "https://bugs.example.org/buglist.cgi?f1=creation_ts&o1=lessthan&v1=2026-01-10&query_format=advanced";
  const ran = await bt(`bug search --from-url '${url}' --count`, trackerIn("Asia/Tokyo"));
  expect(searches(asked(ran)).at(-1)).toContain("f1=creation_ts&o1=lessthan&v1=2026-01-10&");
  const utc = await bt("bug search 'created < 2026-01-09T15:00Z' --count", trackerIn("Asia/Tokyo"));
  expect(ran.out).toBe(utc.out);
});
