import { beforeAll, describe, expect, test } from "vitest";
import { asked, bt, bugzillaFacts } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

let run: ReturnType<typeof demo>;
beforeAll(() => {
  run = demo();
});

describe("--from-url finds", () => {
  test.each([
    ["f1=priority&o1=notequals&v1=High&n1=1", "38 34 29 27 26 24 21 19 18 16 15 12 8 5 3 1"],
    ["f1=OP&j1=OR&n1=1&f2=bug_id&o2=greaterthan&v2=9&f3=bug_id&o3=equals&v3=5&f4=CP", "9 8 7 6 4 3 2 1"],
    ["f1=assigned_to&o1=equals&v1=%25user%25", "43 41 38 35 25"],
    ["f1=OP&j1=AND_G&f2=priority&o2=changedto&v2=High&f3=priority&o3=changedafter&v3=2026-01-01", "26 19 18 16 15"],
    ["f1=short_desc&o1=casesubstring&v1=Crash&f3=bug_id&o3=greaterthan&v3=7", "48 39"],
    [
      "https://bugs.example.org/buglist.cgi?bug_status=__open__&product=Lantern&list_id=7&order=changeddate%20DESC#x",
      "49 48 21 46 44 5 40 39 29 33 11 27 31 15 10 2 8 19",
    ],
    ["short_desc=photo album&short_desc_type=allwordssubstr", "27 21 2"],
    ["short_desc=Photos appear twice after import", "4"],
    ["keywords=crash,data-loss&keywords_type=allwords", "48"],
    [
      "chfield=priority&chfield=resolution&chfieldfrom=-30w&chfieldto=Now",
      "47 39 37 36 30 26 25 24 23 22 20 19 18 16 15 14 13 12 11 9",
    ],
    ["chfield=resolution&chfieldvalue=FIXED&chfieldfrom=2026-07-01&chfieldto=2026-10-02", "26 25 24 20 16"],
    ["chfield=[Bug creation]&chfieldfrom=2026-10-01", "50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32"],
    ["cf_channel=nightly&cf_channel_type=notequals&product=Harbor", "50 45 42 37 34 32 26 23 20 18 12 7"],
    ["quicksearch=ALL album&product=Lantern", "40 27 21 14 8 5 2 1"],
    ["quicksearch=ALL photo&short_desc=photo&short_desc_type=notregexp", "31 29 16"],
  ])("%s", async (url, ids) => {
    const ran = await run(`bug search --from-url '${url}' --format ids`);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out.trimEnd().split("\n").join(" ")).toBe(ids);
  });

  test.each([
    ["priority=Highest&quicksearch=ALL photo&assigned_to=mei@example.org", "37 6"],
    ["j_top=OR&f1=priority&o1=equals&v1=Highest&f3=priority&o3=equals&v3=Lowest&creation_time=2026-09-01", "49 48 37"],
  ])("all conditions of each form together: %s", async (url, ids) => {
    const { out } = await run(`bug search --from-url '${url}' --format ids`);
    expect(out.trimEnd().split("\n").join(" ")).toBe(ids);
  });
});

const URL = "https://bugs.example.org/buglist.cgi?product=Lantern&assigned_to=mei@example.org&order=priority&list_id=7";

test.each([
  ["--count", ""],
  ["--by component --format tsv", ""],
  ["--format ids", "--sort priority"],
  ["--format ids --limit 3 --offset 1", "--sort priority"],
  ["--format ids --sort id --limit 2", ""],
  ["--fields id,summary --limit 1 --sort id --json", ""],
])("a search of the search page is like one by flags with %s", async (flags, order) => {
  const found = await run(`bug search --from-url '${URL}' ${flags}`);
  expect(found.out).toBe((await run(`bug search -p Lantern -a mei@example.org ${flags} ${order}`)).out);
  expect(found.out.length).toBeGreaterThan(2);
});

test.each(["is:open", "--priority High", "--quicksearch photo", "--where 'priority = High'"])(
  "--from-url is combined with other criteria: %s",
  async (others) => {
    const found = await run(`bug search --from-url '${URL}' ${others} --format ids`);
    const expected = await run(`bug search -p Lantern -a mei@example.org ${others} --sort priority --format ids`);
    expect([found.code, found.out]).toEqual([0, expected.out]);
  },
);

test("a status that the tracker has lost since its fields were read is an error, since trackers drop it", async () => {
  const { exchange, login } = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count) });
  const { body } = await exchange({ method: "GET", path: "/rest/field/bug", query: [] });
  const cachedFields = JSON.parse(body.replaceAll("IN_PROGRESS", "ASSIGNED")).fields;
  const line = "bug search --from-url 'bug_status=ASSIGNED&product=Harbor'";
  const ran = await bt(line, {
    exchange,
    login,
    cachedFields,
    now: NOW,
    isInProcess: false,
    facts: bugzillaFacts(NOW),
  });
  expect([ran.code, ran.out]).toEqual([7, ""]);
  expect(ran.err).toContain("it may not know ASSIGNED");
});

test.each([
  ["--param product=Lantern --param priority=Highest", "product=Lantern&priority=Highest"],
  ["--param product=Lantern --priority Highest", "priority=Highest&product=Lantern"],
])("parameters that name fields are conditions like others: %s", async (flags, sent) => {
  const ran = await run(`bug search ${flags} --format ids`);
  expect(ran.out).toBe("49\n48\n14\n6\n");
  expect(asked(ran).find((line) => line.includes("/rest/bug?"))).toContain(`?${sent}&include_fields`);
});

test.each([
  ["--param f1=priority --param o1=equals --param v1=Highest -p Lantern", "priority = Highest and product = Lantern"],
  [
    "--param j_top=OR --param f1=bug_id --param o1=equals --param v1=50 id:1..9 'status changed'",
    "id = 50 and id:1..9",
  ],
  ["--param chfield=resolution --param chfieldvalue=FIXED is:closed", "resolution changed to FIXED and is:closed"],
])("parameters of a form are combined with other criteria: %s", async (flags, where) => {
  const ran = await run(`bug search ${flags} --format ids`);
  expect([ran.code, ran.out]).toEqual([0, (await run(`bug search --where '${where}' --format ids`)).out]);
});

test.each([
  ["bug search --from-url 'product=Harbor&limit=3' --format ids", "50 45 42"],
  ["bug search --from-url 'product=Harbor&limit=3&offset=1' --format ids", "45 42 37"],
  ["bug search --from-url 'product=Harbor&limit=3' --format ids --limit 1", "50"],
  ["bug search --param product=Harbor --param limit=2 --format ids", "50 45"],
  ["bug export --from-url 'product=Harbor&limit=2' --format csv --fields id", "id 50 45"],
  ["bug export --from-url 'id=50&limit=0' --format csv --fields id", "id 50"],
])("%s obeys the limit and the offset", async (line, found) => {
  const { code, out } = await run(line);
  expect([code, out.trim().split(/\s+/).join(" ")]).toEqual([0, found]);
});

test.each([
  ["--param f1=priority", 2],
  ["--param f1=priority --param o1=equals", 2],
  ["--param f1=priority --param o1=equals --param v1=", 2],
  ["--param v1=High", 2],
  ["--param f1=priority --param o1=equals --param v1=High --param n2=1", 2],
  ["--param f1=priority --param o1=isnotempty --param f2=OP --param f3=CP", 0],
])("a row by --param is whole: %s", async (flags, code) => {
  expect((await run(`bug search -p Harbor ${flags}`)).code).toBe(code);
});

test.each([
  ["https://bugs.example.org/buglist.cgi?product=Harbor", "https://bugs.example.org", 0],
  ["https://bugs.example.org/other/buglist.cgi?product=Harbor", "https://bugs.example.org", 2],
  ["https://bugs.example.org/bz/buglist.cgi?product=Harbor", "https://bugs.example.org/bz/", 0],
  ["https://bugs.example.org/bz/buglist.cgi?product=Harbor", "https://bugs.example.org/bz/rest.cgi", 0],
  ["https://bugs.example.org/bz/rest/bug?product=Harbor", "https://bugs.example.org/bz", 0],
  ["https://bugs.example.org/bz2/buglist.cgi?product=Harbor", "https://bugs.example.org/bz", 2],
  ["https://other.example.org/bz/buglist.cgi?product=Harbor", "https://bugs.example.org/bz", 2],
])("a URL is of the installation that is searched: %s at %s", async (url, address, code) => {
  expect((await run(`bug search --from-url '${url}'`, { address })).code).toBe(code);
});

test.each([
  "--param prodct=Harbor",
  "--param f1=nosuch",
  "--param x",
  "--from-url https://x/buglist.cgi?query_format=advanced",
])("%s is refused", async (flags) => {
  expect((await run(`bug search ${flags}`)).code).toBe(2);
});
