import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BtError } from "../../../../src/errors.ts";
import type { Exchange, JsonObject } from "../../../../src/wire/exchange.ts";
import { type Around, asked, bt, type Ran } from "../../../bt.ts";
import { NOON, stoppedClock } from "../../../clock.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

/** A new file with this content. */
function fileOf(content: string | Uint8Array, name = "bugs.csv"): string {
  const file = join(freshFolder(), name);
  writeFileSync(file, content);
  return file;
}

/** Method, path and body of every write of a run. */
function writes({ requests }: Ran) {
  return requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}

const NEW = "product,component,version,op_sys,platform,summary\nLantern,Library,3.1,All,All,";

/** The note on a file that does not tell as of when its rows are. */
const UNGUARDED = "note: no last_change_time column: newer changes by others are overwritten\n";

/** Texts and lists that are hostile to files: formulas, quotes, apostrophes, line breaks, separators. */
const HOSTILE = [
  { id: 44, summary: '=cmd|x, "y" 🐞', whiteboard: "-1+1", keywords: ["crash", "perf"] },
  { id: 48, summary: "'=x", whiteboard: "@x\\t,y", url: "+1;2", cc: ["mei@example.org", "ada@example.org"] },
  { id: 49, summary: '"', alias: ["'-c", "+a+b"], depends_on: [12, 44] },
  { id: 50, summary: "''''@", cf_crash_signature: "a::b\r\n\"c\", 'd'\r\n\r\n=e\tf\\n\\" },
];

/** A demo with such bugs, imported as JSON lines. */
async function hostile() {
  const run = demo();
  const file = fileOf(HOSTILE.map((bug) => `${JSON.stringify(bug)}\n`).join(""), "hostile.jsonl");
  expect((await run(`bug import ${file} -y`)).code).toBe(0);
  const names = [...new Set(HOSTILE.flatMap((bug) => Object.keys(bug)))].join(",");
  const bugs = JSON.parse((await run(`bug get 44 48 49 50 --json --fields ${names}`)).out);
  for (const [at, { cc = bugs[at].cc, ...bug }] of HOSTILE.entries())
    expect(bugs[at]).toMatchObject({ ...bug, cc: expect.arrayContaining(cc) });
  return run;
}

describe("export, then import of the same file, changes nothing", () => {
  test.each(["csv", "tsv", "jsonl"])("as %s", async (format) => {
    const run = await hostile();
    const file = join(freshFolder(), `all.${format}`);
    expect((await run(`bug export --all --force -o ${file}`)).code).toBe(0);
    const ran = await run(`bug import ${file} --json`);
    expect([ran.code, writes(ran), ran.out]).toEqual([0, [], "[]\n"]);
    expect(ran.err).toMatch(
      /^note: not imported: creator, creation_time, flags.*\nnote: \d\d rows unchanged: nothing to do\n$/,
    );
    const piped = await run("bug import -", { stdin: readFileSync(file, "utf8") });
    expect([piped.code, writes(piped)]).toEqual([0, []]);
  });

  test.each(["csv", "jsonl"])("with a value that has a comma, as %s", async (format) => {
    const server = freshDemo({ now: () => new Date(NOON), random: (count) => new Uint8Array(count) });
    server.store.run("UPDATE field_values SET name = 'camera,phone' WHERE name = 'camera'", {});
    const run = (line: string) => bt(line, { ...server, now: NOON });
    await run("bug update 44 --field 'cf_devices=\"camera,phone\"'");
    const file = join(freshFolder(), `bugs.${format}`);
    await run(`bug export id:44 --fields id,cf_devices -o ${file}`);
    expect((await run(`bug import ${file} -y`)).err).toContain("1 row unchanged");
    const torn = await run(`bug import ${fileOf('id,cf_devices\n44,"camera,phone"\n')} -n`);
    expect(torn.code).toBe(2);
  });
});

describe("bt bug import", () => {
  test("files rows without an id, updates the others, and sends only cells that differ", async () => {
    const file = fileOf(
      "ID,Summary,priority,product,component,version,keywords,description,op_sys,platform\n" +
        '44,,Highest,Lantern,,,"crash,good-first-bug",,,\n' +
        ',"a ""new"" 🐞",High,Lantern,Library,3.1,crash,"two\nlines",All,All\n' +
        "48,,,,,,,,,\n",
    );
    const ran = await demo()(`bug import ${file} -y`);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^44\tapplied\n\d+\tcreated\n$/);
    expect(ran.err).toContain("note: 1 row unchanged\n");
    expect(writes(ran)).toEqual([
      ["PUT /rest/bug/44", { priority: "Highest", keywords: { add: ["crash"], remove: ["regression"] } }],
      [
        "POST /rest/bug",
        {
          ...{ product: "Lantern", component: "Library", version: "3.1", op_sys: "All", platform: "All" },
          ...{ summary: 'a "new" 🐞', priority: "High", keywords: ["crash"], description: "two\nlines" },
        },
      ],
    ]);
  });

  test("an empty cell clears its field in a row with last_change_time only, which the preview says", async () => {
    const run = demo();
    await run(
      "bug update 44 --set-whiteboard x --deadline 2027-01-01 --set-keywords crash --qa-contact mei@example.org",
    );
    const [bug] = JSON.parse((await run("bug get 44 --json")).out);
    const head = "id,whiteboard,deadline,keywords,qa_contact,priority,last_change_time\n";
    const ran = await run(`bug import ${fileOf(`${head}44,"  ",,",",,,\n`)} -y`);
    expect([writes(ran), ran.err]).toEqual([
      [],
      "note: 4 empty cells without effect: only rows with last_change_time clear fields\nnote: 1 row unchanged: nothing to do\n",
    ]);
    const stale = await run(`bug import ${fileOf(`${head}44,,,,,,2020-01-01T00:00:00Z\n`)} -y`);
    expect([stale.code, writes(stale)]).toEqual([11, []]);
    const cleared = await run(`bug import ${fileOf(`${head}44,,,,,,${bug.last_change_time}\n`)} -y`);
    expect(writes(cleared)).toEqual([
      ["PUT /rest/bug/44", { whiteboard: "", deadline: "", keywords: { add: [], remove: ["crash"] }, qa_contact: "" }],
    ]);
    expect(cleared.err).toContain("note: bug 44: whiteboard is cleared\nnote: bug 44: deadline is cleared\n");
  });

  test("an emptied groups cell requires --allow-no-groups", async () => {
    const run = demo({
      groups: [{ name: "drivers", user_regexp: ".*" }],
      products: [{ name: "Lantern", groups: [{ group: "drivers", members: "shown", others: "shown" }] }],
    });
    expect((await run("bug update 44 --add-groups drivers")).code).toBe(0);
    const [bug] = JSON.parse((await run("bug get 44 --json")).out);
    const file = fileOf(`id,groups,last_change_time\n${bug.id},,${bug.last_change_time}\n`);
    const refused = await run(`bug import ${file} -y`);
    expect([refused.code, writes(refused)]).toEqual([13, []]);
    expect(refused.err).toContain("and become public\nhint: --allow-no-groups accepts it\n");
    expect((await run(`bug import ${file} -y --allow-no-groups`)).code).toBe(0);
  });

  test("is one command for an undo, which leaves the bugs that it filed", async () => {
    const [run, env] = [demo(), { HOME: freshFolder() }];
    const rows = ",Lantern,Library,3.1,All,All,New,\n44,,,,,,,Low\n48,,,,,,,Low\n49,,,,,,,\n";
    const file = fileOf(`id,product,component,version,op_sys,platform,summary,priority\n${rows}`);
    const imported = await run(`bug import ${file} -y`, { env, terminal: true });
    const [, job] = /1 created, 2 applied\nnote: undo: bt bug undo --job (\w{26})\n$/.exec(imported.err) ?? [];
    const undone = await run(`bug undo --job ${job} -y --json`, { env });
    const priorities = await run("bug get 44 48 --fields priority --format tsv");
    expect([undone.code, priorities.out]).toEqual([10, "Normal\nHighest\n"]);
  });

  test("reports bugs that were modified after their last_change_time, and updates the others", async () => {
    const file = fileOf("id,priority,last_change_time\n44,Low,2020-01-01T00:00:00Z\n48,Low,\n");
    const ran = await demo()(`bug import ${file} -y`);
    expect([ran.code, writes(ran)]).toEqual([11, [["PUT /rest/bug/48", { priority: "Low" }]]]);
    expect(ran.out).toBe("44\trefused\n48\tapplied\n");
    expect(ran.err).toContain("bug 44: modified since (2026-11-12T12:00:00Z)");
    expect(ran.err).toContain("export these bugs again, or empty their last_change_time to overwrite the changes");
    const preview = await demo()(`bug import ${file} --dry-run --fields id,result`);
    expect([preview.code, preview.out, writes(preview)]).toEqual([10, "44\trefused\n48\twould change\n", []]);
  });

  test("checks every row before the first is sent, and names the line of each mistake", async () => {
    const file = fileOf(
      "id,summary,priority,status,creator,deadline,last_change_time\r\n" +
        '44,"two\r\nlines",Hihgest,,,,\r\n' +
        "99999,,,,,,\r\n" +
        "44,,,,,,\r\n" +
        ",Title,,,,,\r\n" +
        "12x,,,,,,\r\n" +
        "48,Fine,,,bob@example.org,,\r\n" +
        "49,,,VERIFIED,,,\r\n" +
        "50,,,,,2027-13-01,\r\n" +
        "12,Fine,,,,,yesterday\r\n" +
        "40,Fine,Low,,,,\r\n",
    );
    const ran = await demo()(`bug import ${file} -y`);
    expect([ran.code, ran.out, writes(ran)]).toEqual([2, "", []]);
    expect(ran.err).toMatchInlineSnapshot(`
      "bt: 9 of 10 rows are invalid
          line 2: unknown priority "Hihgest" (did you mean Highest? others: High, Normal, Low, Lowest, ---)
          line 4: Bug #99999 does not exist.
          line 5: bug 44 is also in line 2
          line 6: a new bug requires product, component, version
          line 7: "12x" is not a bug number (empty it for a new bug)
          line 8: creator cannot be changed by an import (restore the cell, or empty it)
          line 9: bug 49 cannot change from CONFIRMED to VERIFIED (valid values: IN_PROGRESS, RESOLVED)
          line 10: invalid date "2027-13-01": there is no such day, or it is before 1900
          line 11: last_change_time "yesterday" is not a time as exported (for example: 2026-10-03T14:00:00Z)
      "
    `);
  });

  test("refuses a cell that cannot be set in a row with no other change, but not what others changed since", async () => {
    const run = demo();
    const { last_change_time: time } = JSON.parse((await run("bug get 44 --json")).out)[0];
    const file = fileOf(`id,creator,last_change_time\n44,bob@example.org,${time}\n`);
    expect((await run(`bug import ${file} -y`)).err).toContain("line 2: creator cannot be changed by an import");
    const older = fileOf("id,creator,last_change_time\n44,bob@example.org,2020-01-01T00:00:00Z\n");
    expect(await run(`bug import ${older} -y`)).toMatchObject({ code: 0, out: "" });
  });

  const NAMING =
    "id,assigned_to,cc,groups,depends_on,product,component,version,op_sys,platform,summary\n" +
    "44,mie@example.org,,,,,,,,,\n" +
    '45,,"nobody@x.org,mei@example.org",,,,,,,,\n' +
    "46,,,stuff,,,,,,,\n" +
    "48,,,,9999,,,,,,\n" +
    "49,mei@example.org,,,12,,,,,,\n" +
    ",mie@example.org,,,,Lantern,Library,3.1,All,All,x\n" +
    ",,,,9999,Lantern,Library,3.1,All,All,x\n";

  test.each(["-y", "--dry-run"])("checks the people, groups and bugs of all rows in few requests: %s", async (flag) => {
    const ran = await demo()(`bug import ${fileOf(NAMING)} ${flag}`);
    expect([ran.code, ran.out, writes(ran)]).toEqual([2, "", []]);
    expect(ran.err).toMatchInlineSnapshot(`
      "bt: 6 of 7 rows are invalid
          line 2: unknown user "mie@example.org" (bt user search '*' lists users)
          line 3: unknown user "nobody@x.org" (bt user search '*' lists users)
          line 4: unknown group "stuff"
          line 5: Bug #9999 does not exist.
          line 7: unknown user "mie@example.org" (bt user search '*' lists users)
          line 8: Bug #9999 does not exist.
      "
    `);
    expect(asked(ran).filter((line) => /names=|\/rest\/bug\/(?:12|9999)\?/.test(line))).toMatchInlineSnapshot(`
      [
        "GET /rest/user?names=mie@example.org&names=nobody@x.org&names=mei@example.org&names=ada@example.org&include_fields=id,name",
        "GET /rest/user?names=mie@example.org&include_fields=id,name",
        "GET /rest/user?names=nobody@x.org&include_fields=id,name",
        "GET /rest/user?names=mei@example.org&include_fields=id,name",
        "GET /rest/user?names=ada@example.org&include_fields=id,name",
        "GET /rest/group?names=stuff&include_fields=id,name",
        "GET /rest/bug/9999?ids=12&include_fields=id",
        "GET /rest/bug/12?include_fields=id",
        "GET /rest/bug/9999?include_fields=id",
      ]
    `);
  });

  test("a new bug that lacks a value of its row makes the import partial, and is named", async () => {
    const { exchange: whole, login } = freshDemo({
      now: () => new Date(NOON),
      random: (count) => new Uint8Array(count),
    });
    const exchange: Exchange = (request) => {
      const { deadline: _, ...body } = (request.body ?? {}) as JsonObject;
      return whole(request.method === "POST" && request.path === "/rest/bug" ? { ...request, body } : request);
    };
    const file = fileOf("product,component,version,summary,deadline\nLantern,Editor,3.2,Title,2026-12-30\n");
    const ran = await bt(`bug import ${file} -y --json`, { exchange, login, env: { HOME: freshFolder() } });
    expect(JSON.parse(ran.out)).toMatchObject([{ id: 51, not_applied: ["deadline"] }]);
    expect(JSON.parse(ran.err).error).toMatchObject({ exit_code: 10, message: "bug 51: not applied: deadline" });
  });

  test.each([
    ["id,sumary\n44,x\n", 'unknown column "sumary"', "did you mean summary?"],
    ["id;summary,alias\n44;x,y\n", "unknown column", "bt field list shows the fields"],
    ["id,summary,Summary\n44,x,y\n", "the columns summary and Summary are the same field", ""],
    ["id,id\n44,44\n", "line 1: the columns id and id are the same field", ""],
    ["id,,summary\n44,,x\n", 'unknown column ""', ""],
    ["id,summary\n44,x,y\n", "line 2: 3 cells, but 2 columns", ""],
    ['id,summary\n44,"x\n48,y\n', "line 2: misplaced or unclosed quote", ""],
    ["", "has no header line", ""],
    ["id,summary\n44,x\0y\n", "is not text", "UTF-8"],
  ])("refuses %j", async (content, said, hint) => {
    const ran = await demo()(`bug import ${fileOf(content)} -y`);
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain(said);
    expect(ran.err).toContain(hint);
  });

  test.each([
    ['{"id":44,"priority":"Low"}\n[]\n', "line 2: not a JSON object"],
    ['[{"id":44}]', "is a JSON array"],
    ['{"id":44\n', "line 1: not JSON"],
    ['{"id":44,"priority":"Low","priority":"High"}\n', 'line 1: duplicate key "priority"'],
    ['{"id":44,"priority":["Low"]}\n', "line 1: priority takes one value, not a list"],
  ])("refuses the JSON lines %j", async (content, said) => {
    const ran = await demo()(`bug import ${fileOf(content, "bugs.jsonl")} -y`);
    expect([ran.code, ran.err.includes(said)], ran.err).toEqual([2, true]);
  });

  test("refuses an unknown escape of TSV, and bytes that are not UTF-8, by line", async () => {
    expect((await demo()(`bug import ${fileOf("id\tsummary\n44\ta\\q\n", "x.tsv")} -y`)).err).toContain(
      "line 2: unknown escape \\q",
    );
    const bytes = Buffer.concat([Buffer.from("id,summary\n44,"), Buffer.from([0xff]), Buffer.from("\n")]);
    expect((await demo()(`bug import ${fileOf(bytes)} -y`)).err).toContain("is not UTF-8 in line 2");
  });

  test.each([
    ["flags", "review?"],
    ["remaining_time", "3"],
    ["comment", "Text"],
  ])("files no bug without the %s that its row gives", async (name, cell) => {
    const file = fileOf(`${NEW.replace("summary", `summary,${name}`)}Title,${cell}\n`);
    expect((await demo()(`bug import ${file} -y`)).code).toBe(2);
  });
});

describe("before anything is sent", () => {
  const file = () => fileOf(`${NEW}Title\n`);

  test("the import is previewed, and requires --yes without a terminal", async () => {
    const ran = await demo()(`bug import ${file()}`);
    expect([ran.code, writes(ran)]).toEqual([13, []]);
    expect(ran.err).toContain("bt: this would file 1 bug\n    line 2");
    expect(ran.err).toContain("hint: --yes skips the prompt; --dry-run shows every change\n");
  });

  test("--dry-run shows the requests and every change", async () => {
    const one = fileOf(
      `id,priority,comment,${NEW.split("\n")[0]}\n44,Low,Seen,,,,,,\n48,,,,,,,,\n,,,${NEW.split("\n")[1]}One\n`,
    );
    const ran = await demo()(`bug import ${one} --dry-run --json`);
    expect([ran.code, writes(ran)]).toEqual([0, []]);
    const { requests, bugs } = JSON.parse(ran.out);
    expect(requests).toMatchObject([
      { method: "PUT", body: { priority: "Low", comment: { body: "Seen" } } },
      { method: "POST", path: "/rest/bug", body: { summary: "One" } },
    ]);
    expect(bugs).toMatchObject([
      { id: 44, result: "would change", changes: { priority: { removed: "Normal", added: "Low" } } },
      { id: "line 4", result: "would create" },
    ]);
  });

  test.each([
    ["id,priority\n44,Low\n", true],
    ["id,priority,last_change_time\n44,Low,\n", false],
    ["id,comment\n44,Seen\n", false],
    [`${NEW}One\n`, false],
  ])("a file that may overwrite changes by others has a note: %j", async (content, isNoted) => {
    for (const flag of ["--dry-run", "--yes"]) {
      const ran = await demo()(`bug import ${fileOf(content)} ${flag}`);
      expect([ran.code, ran.err.startsWith(UNGUARDED)]).toEqual([0, isNoted]);
    }
  });

  test("a file on stdin needs nothing more", async () => {
    for (const stdin of ["id,priority\n44,Low\n", "id\tpriority\n44\tLow\n", '{"id":44,"priority":"Low"}\n'])
      expect(writes(await demo()("bug import - -y", { stdin }))).toEqual([["PUT /rest/bug/44", { priority: "Low" }]]);
  });
});

describe("an import repeated with the same file", () => {
  /** A demo and a machine, on which each line is a second later. */
  function machine() {
    const clock = stoppedClock();
    const env = { ...clock.env, HOME: freshFolder() };
    const tracker = freshDemo({ now: clock.now, random: (count) => new Uint8Array(count) });
    return (line: string, more: Partial<Around> = {}) => {
      clock.step(1000);
      return bt(line, { ...tracker, env, ...more });
    };
  }

  test("files no row twice, adds no comment twice, and says when it was finished", async () => {
    const run = machine();
    const file = fileOf(`id,comment,priority,${NEW.split("\n")[0]}\n44,Seen,Low,,,,,,\n,,,${NEW.split("\n")[1]}One\n`);
    expect(writes(await run(`bug import ${file} -y`))).toHaveLength(2);
    const again = await run(`bug import ${file} -y`);
    expect([again.code, writes(again), again.err]).toEqual([
      0,
      [],
      expect.stringMatching(/1 row unchanged, 1 row imported before, at 2026-.*: nothing to do\n$/),
    ]);
    await run("bug update 44 --priority Lowest");
    expect(writes(await run(`bug import ${file} -y`))).toEqual([["PUT /rest/bug/44", { priority: "Low" }]]);
    writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
    expect(writes(await run(`bug import ${file} -y`))).toHaveLength(2);
  });

  test("files its new bugs itself: bt job send does not know what follows", async () => {
    const run = machine();
    const { exchange } = freshDemo({ now: stoppedClock().now, random: (count) => new Uint8Array(count) });
    const down: Exchange = async (request) => {
      if (request.method === "POST") throw new BtError("network", "no connection", { changed: "nothing" });
      return exchange(request);
    };
    const file = fileOf(`${NEW}One\n`);
    expect((await run(`bug import ${file} -y`, { exchange: down })).code).toBe(6);
    const [name] = (await run("job list")).out.split("\t");
    const sent = await run(`job send ${name} --yes`);
    expect([sent.code, writes(sent)]).toEqual([2, []]);
    expect(writes(await run(`bug import ${file} -y`))).toHaveLength(1);
  });

  test("sends the rows that were refused, and none over newer changes by others", async () => {
    const run = machine();
    const { last_change_time: time } = JSON.parse((await run("bug get 44 --json")).out)[0];
    const file = fileOf(`id,priority,last_change_time\n44,Low,${time}\n`);
    expect((await run(`bug import ${file} -y`)).code).toBe(0);
    expect((await run(`bug import ${file} -y`)).code).toBe(0);
    await run("bug undo 44 -y");
    const ran = await run(`bug import ${file} -y`);
    expect([ran.code, writes(ran)]).toEqual([11, []]);
  });
});
