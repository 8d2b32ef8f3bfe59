import { describe, expect, test } from "vitest";
import { asked } from "../../../bt.ts";
import { demo } from "../../demo.ts";

describe("counting", () => {
  test("--count prints the number and fetches ids only", async () => {
    const ran = await demo()("bug search --resolution FIXED --count");
    const ids = await demo()("bug search --resolution FIXED --format ids");
    expect(Number(ran.out)).toBe(ids.out.trimEnd().split("\n").length);
    expect(asked(ran).filter((line) => line.includes("/rest/bug?"))[0]).toMatch(/include_fields=id\b(?!,)/);
  });

  test("--by prints a line per value, and the counts add up", async () => {
    const bt = demo();
    const { out } = await bt("bug search --status @open --by component");
    const sum = out
      .trimEnd()
      .split("\n")
      .reduce((before, line) => before + Number(line.split("\t")[1]), 0);
    expect(sum).toBe(Number((await bt("bug search --status @open --count")).out));
  });

  test("--by counts flags and users by name", async () => {
    const run = demo();
    expect((await run("bug search --all --by flags")).out).toMatch(/^\t\d+\nreview\+\t\d+\nneedinfo\?\t\d+\n/);
    expect((await run("bug search --all --by cc_detail --format tsv")).out).toMatch(/^ada@example\.org\t\d+$/m);
  });

  test("--by --json is a list of objects keyed by the fields", async () => {
    const { out } = await demo()("bug search --status @open --by severity,priority --json");
    expect(Object.keys(JSON.parse(out)[0])).toEqual(["severity", "priority", "count"]);
  });

  test.each([
    "--by nosuch",
    "--by status,priority,severity",
    "--count --limit 3",
    "--by ''",
    "--by component --count",
    "--by component --format ids",
    "--by component,component",
    "--by status --by bug_status",
    "--by component -f id",
    "--count --format ids",
    "--count -f id",
    "--format ids -f summary",
  ])("refuses %s", async (flags) => {
    const ran = await demo()(`bug search --all ${flags}`);
    expect(ran.code).toBe(2);
    expect(asked(ran).filter((line) => line.includes("/rest/bug?"))).toEqual([]);
  });
});

describe("explaining", () => {
  test("--explain shows what would be sent and sends no search", async () => {
    const ran = await demo()("bug search is:open 'priority >= High' --explain");
    expect(ran.out).toContain("where          status in (UNCONFIRMED, CONFIRMED, IN_PROGRESS)");
    expect(ran.out).toContain(
      "sent           status=UNCONFIRMED  status=CONFIRMED  status=IN_PROGRESS\n               priority=Highest  priority=High\n",
    );
    expect(asked(ran)).toEqual(["GET /rest/field/bug"]);
  });

  test("on a tracker with a web interface the search has a link, printed by --web without a terminal", async () => {
    const around = { address: "https://bugs.example.org/bugzilla" };
    const { out } = await demo()("bug search --status CONFIRMED --web", around);
    expect(out).toBe(
      "https://bugs.example.org/bugzilla/buglist.cgi?f1=bug_status&o1=equals&v1=CONFIRMED&query_format=advanced\n",
    );
    expect((await demo()("bug search --status CONFIRMED --web")).code).toBe(2);
  });
});

test.each([
  ["f1=alias&o1=isempty", "no:alias"],
  ["f1=flagtypes.name&o1=nowordssubstr&v1=review", "'not flags ~ review'"],
  ["f1=flagtypes.name&o1=isempty", "no:flags"],
  ["f1=attachments.filename&o1=isempty", "no:attachment"],
])("a row of the web form matches bugs without such a value: %s", async (query, expression) => {
  const bt = demo();
  const { out } = await bt(`bug search --from-url '${query}' --all --format ids`);
  expect(out).toBe((await bt(`bug search ${expression} --all --format ids`)).out);
  expect(out.length).toBeGreaterThan(50);
});

test("a search of the search page is explained and linked as such", async () => {
  const rows = "f1=short_desc&o1=casesubstring&v1=Photo&f2=longdesc&o2=nowords&v2=zebra";
  const { out } = await demo()(`bug search --from-url '${rows}' --explain`, { address: "https://bugs.example.org" });
  expect(out).toContain(`where          ${rows}, passed on`);
  expect(out).toContain("sent           f1=short_desc  o1=casesubstring  v1=Photo\n               f2=longdesc");
  expect(out).toContain(`web            https://bugs.example.org/buglist.cgi?${rows}&query_format=advanced`);
});

test("terms, --where and flags are combined with AND", async () => {
  const bt = demo();
  const ids = async (line: string) => new Set((await bt(`bug search ${line} --format ids`)).out.trimEnd().split("\n"));
  const [open, high, lantern] = [await ids("is:open"), await ids("--priority High"), await ids("-p Lantern")];
  const both = [...open].filter((id) => high.has(id) && lantern.has(id)).sort();
  expect([...(await ids("is:open --where 'priority = High' -p Lantern"))].sort()).toEqual(both);
  expect(both.length).toBeGreaterThan(0);
});

test("--sort is sent in the names of the server, an unknown key is rejected with the nearest one", async () => {
  const bt = demo();
  for (const criterion of ["--status @open --limit 2", "--all --limit 2"]) {
    const sorted = await bt(`bug search ${criterion} --sort updated:desc,priority`);
    expect(asked(sorted).at(-1)).toContain("order=changeddate DESC,priority,bug_id");
    const mistyped = await bt(`bug search ${criterion} --sort updatd`);
    expect([mistyped.code, mistyped.err]).toEqual([2, expect.stringContaining("hint: did you mean updated?")]);
  }
});

test("a term after a minus is negated, as on other trackers", async () => {
  const bt = demo();
  const rest = (await bt("bug search is:open -product:Harbor -product:Lantern --fields product")).out;
  expect(new Set(rest.trimEnd().split("\n"))).toEqual(new Set(["Handbook"]));
});

test.each([
  ["--all -product:Harbor", 0],
  ["--json -product:Harbor", 0],
  ["--status=@open -product:Harbor", 0],
  ["-s @open -product:Harbor", 0],
  ["-a -product:Harbor", 2],
  ["is:open --sort -updated:desc", 0],
])("a negated term may follow a flag, and the value of a flag is no term: %s", async (line, code) => {
  expect((await demo()(`bug search ${line} --explain`)).code).toBe(code);
});

test("a custom day is a day as text, and as the tracker has it in JSON", async () => {
  const bt = demo();
  const days = "bug search 'cf_ship_by is not empty' --sort id";
  const bugs: { id: number; cf_ship_by: string }[] = JSON.parse((await bt(`${days} -f id,cf_ship_by --json`)).out);
  const lines = bugs.map(({ id, cf_ship_by }) => `${id}\t${cf_ship_by.replace(/T00:00:00Z$/, "")}\n`).join("");
  expect(lines).toMatch(/^(?:\d+\t\d{4}-\d\d-\d\d\n)+$/);
  expect((await bt(`${days} -f id,cf_ship_by`)).out).toBe(lines);
  expect((await bt(`${days} -f id,cf_ship_by --format csv`)).out).toContain(
    lines.replaceAll("\t", ",").replaceAll("\n", "\r\n"),
  );
  const [{ id, cf_ship_by } = { id: 0, cf_ship_by: "" }] = bugs;
  const day = cf_ship_by.slice(0, "2026-12-01".length);
  expect((await bt(`bug search id:${id} --by cf_ship_by`)).out).toBe(`${day}\t1\n`);
});

test.each([
  ["--id 44,9999", "note: 1 of 2 bugs do not exist, or are not visible to you\n"],
  ["id:44,9998,9999 --count", "note: 2 of 3 bugs do not exist, or are not visible to you\n"],
  ["'id in (9999)'", "note: no bugs match id = 9999\n"],
  ["--id 44,45,44", ""],
  ["--id 44,45 --limit 1", ""],
  ["--id 44,45,46 --limit 2 --offset 2", ""],
  ["id:44,9999 is:open", ""],
  ["'id:44,9999 or is:open' --count", ""],
])("a search by numbers alone notes bugs that were not found: %s", async (line, note) => {
  expect(await demo()(`bug search ${line}`)).toMatchObject({ code: 0, err: note });
});
