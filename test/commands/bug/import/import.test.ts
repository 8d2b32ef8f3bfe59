import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

/** The lines of a results file, the last of each row. */
function resultsOf(file: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(`${file}.results.jsonl`, "utf8").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  return [...new Map(entries.map((entry) => [entry.row, entry])).values()];
}

const NEW = "product,component,version,op_sys,platform,summary\nLantern,Library,3.1,All,All,";

/** The note on a file that does not tell as of when its rows are. */
const UNGUARDED =
  "note: without a column last_change_time, changes by others since the export are overwritten; " +
  "bt bug export has it, unless --fields leaves it out\n";

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
    expect([ran.code, writes(ran)]).toEqual([0, []]);
    const results = JSON.parse(ran.out);
    expect(results.length).toBeGreaterThan(40);
    expect(results.every(({ result }: { result: string }) => result === "unchanged")).toBe(true);
    expect(ran.err).toMatch(/^not imported: creator, creation_time, flags/);
    expect(writes(await run(`bug import ${file} --empty clears`))).toEqual([]);
  });

  test("as CSV without apostrophes, and from UTF-16 with other line breaks", async () => {
    const run = await hostile();
    const file = join(freshFolder(), "raw.csv");
    await run(`bug export --all --raw -o ${file}`);
    expect(writes(await run(`bug import ${file} --raw`))).toEqual([]);
    const text = readFileSync(file, "utf8").replace(/\r?\n/g, "\r\n");
    const wide = fileOf(Buffer.from(`\ufeff${text}`, "utf16le"));
    expect(writes(await run(`bug import ${wide} --raw`))).toEqual([]);
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
    expect(ran.out.split("\n").map((line) => line.split("\t").slice(0, 2))).toEqual([
      ["48", "unchanged"],
      ["44", "done"],
      [expect.stringMatching(/^\d+$/), "created"],
      [""],
    ]);
    const id = Number(ran.out.split("\n")[2]?.split("\t")[0]);
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
    expect(resultsOf(file)).toMatchObject([
      { row: 3, line: 5, result: "unchanged", id: 48 },
      { row: 1, line: 2, result: "changed", id: 44 },
      { row: 2, line: 3, result: "created", id },
    ]);
  });

  test("clears fields by empty cells with --empty clears only", async () => {
    const run = demo();
    await run("bug update 44 --set-whiteboard x --deadline 2027-01-01 --set-keywords crash");
    const file = fileOf("id,whiteboard,deadline,keywords\n44,,,\n");
    expect(writes(await run(`bug import ${file} -y`))).toEqual([]);
    expect(writes(await run(`bug import ${file} -y --empty clears`))).toEqual([
      ["PUT /rest/bug/44", { whiteboard: "", deadline: "", keywords: { add: [], remove: ["crash"] } }],
    ]);
    const required = fileOf("id,priority\n44,\n");
    expect(await run(`bug import ${required} -y --empty clears`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("line 2: --priority is empty"),
    });
  });

  test("is one command for an undo, which leaves the bugs that it filed", async () => {
    const [run, env] = [demo(), { HOME: freshFolder() }];
    const rows = ",Lantern,Library,3.1,All,All,New,\n44,,,,,,,Low\n48,,,,,,,Low\n49,,,,,,,\n";
    const file = fileOf(`id,product,component,version,op_sys,platform,summary,priority\n${rows}`);
    const imported = await run(`bug import ${file} -y`, { env, terminal: true });
    const [, job] =
      /K1 bug created, 2 updated, 1 unchanged\nnote: undo: bt bug undo --job (\w{26})\n$/.exec(imported.err) ?? [];
    const id = resultsOf(file).find(({ row }) => row === 1)?.["id"];
    expect((await run("bug undo", { env })).err).toContain(
      `hint: your last change (2 bugs: #44 Import: "Ask me each time" asks once for all files and 1 more, just now): bt bug undo --job ${job}\n`,
    );
    const undone = await run(`bug undo --job ${job} -y`, { env });
    expect([undone.code, undone.out.split("\n").toSorted()]).toEqual([
      10,
      [
        "",
        "44\tdone\tpriority: Low -> Normal\t2026-11-20T12:00:00Z\t",
        "48\tdone\tpriority: Low -> Highest\t2026-11-20T12:00:00Z\t",
      ],
    ]);
    expect(undone.err).toContain(`    bug ${id}: filing not undone: bt bug close ${id} closes the bug\n`);
  });

  test("of new bugs alone is not undone, but says how they are closed", async () => {
    const [run, env] = [demo(), { HOME: freshFolder() }];
    const imported = await run(`bug import ${fileOf(`${NEW}One\n${NEW.split("\n")[1]}Two\n`)} -y --json`, { env });
    const [{ id, job }, { id: other }] = JSON.parse(imported.out);
    expect(await run(`bug undo --job ${job} -y`, { env })).toMatchObject({
      code: 2,
      err: `bt: the new bug cannot be undone\nhint: bt bug close ${id} ${other} closes them\n`,
    });
  });

  test("reports bugs that were modified after their last_change_time, and updates the others", async () => {
    const hint = "hint: export modified bugs again, or empty their last_change_time to overwrite the changes\n";
    const file = fileOf("id,priority,last_change_time\n44,Low,2020-01-01T00:00:00Z\n48,Low,\n");
    const env = { HOME: freshFolder() };
    const ran = await demo()(`bug import ${file} -y`, { env });
    expect([ran.code, writes(ran)]).toEqual([11, [["PUT /rest/bug/48", { priority: "Low" }]]]);
    expect(ran.err).toMatch(/^note: undo: bt bug undo --job \w{26}\nbt: 1 of 2 bugs done: 1 failed\n/);
    expect(ran.err).toContain("bug 44 was modified in the meantime");
    expect(ran.err).toContain(`some changes were made\n${hint}`);
    const other = fileOf("id,priority,last_change_time\n44,Low,2020-01-01T00:00:00Z\n48,,\n");
    const again = await demo()(`bug import ${other} -y`);
    expect([again.code, writes(again)]).toEqual([11, []]);
    const [sentence, ...lines] = again.err.split("\n");
    expect([sentence, lines.slice(1).join("\n")]).toEqual(["bt: 0 of 2 bugs done, 1 unchanged: 1 failed", hint]);
    const preview = await demo()(`bug import ${file} --dry-run --fields id,result --results ${file}.new`);
    expect([preview.code, preview.out, writes(preview)]).toEqual([11, "44\twould fail\n48\twould change\n", []]);
    expect(preview.err).toMatch(
      /^bt: 1 of 2 bugs would be imported: 1 would fail\n {4}bug 44 was modified in the meantime \(.*\); export it again/,
    );
    expect(preview.err).toContain(hint);
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
          line 10: invalid date "2027-13-01": no month 13
          line 11: last_change_time "yesterday" is not a time as exported (for example: 2026-10-03T14:00:00Z)
      "
    `);
    expect(existsSync(`${file}.results.jsonl`)).toBe(false);
  });

  test("names every mistake of every row at once", async () => {
    const file = fileOf(
      "id,product,component,version,summary,priority,status,assigned_to,depends_on,deadline\n" +
        "44,,Editr,,,Hihg,VERIFIED,mie@example.org,9999,someday\n" +
        "45,,,,x,,,,,,,\n" +
        ",Lantern,Editr,3.2,,Hihg,,,,\n" +
        ",Lanern,Editor,3.2,Title,Hihg,,,,\n" +
        Array.from({ length: 12 }, (_, at) => `${at + 1},,,,,Hihg,,,,\n`).join(""),
    );
    const ran = await demo()(`bug import ${file} -y`);
    expect([ran.code, ran.out, writes(ran)]).toEqual([2, "", []]);
    expect(ran.err.split("\n").slice(0, 14)).toEqual([
      "bt: 16 of 16 rows are invalid",
      '    line 2: unknown component "Editr" in Lantern (did you mean Editor? others: Import & Export, Installer, Library)',
      expect.stringContaining('line 2: unknown priority "Hihg"'),
      expect.stringContaining('line 2: --deadline "someday" is not a valid date'),
      "    line 2: bug 44 cannot change from CONFIRMED to VERIFIED (valid values: IN_PROGRESS, RESOLVED)",
      '    line 2: unknown user "mie@example.org" (did you mean mei@example.org?)',
      "    line 2: Bug #9999 does not exist. (check the value of --add-depends-on)",
      "    line 3: 12 cells, but 10 columns (quote cells that contain a separator)",
      expect.stringContaining('line 4: unknown component "Editr" in Lantern'),
      expect.stringContaining('line 4: unknown priority "Hihg"'),
      "    line 4: a new bug requires summary",
      expect.stringContaining('line 5: unknown product "Lanern"'),
      expect.stringContaining('line 5: unknown priority "Hihg"'),
      expect.stringContaining('line 6: unknown priority "Hihg"'),
    ]);
    expect(ran.err).toMatch(/\n {4}line 13: .*\n {4}and 4 more errors\n$/);
  });

  test("refuses a cell that cannot be set in a row with no other change, but not what others changed since", async () => {
    const run = demo();
    const { last_change_time: time } = JSON.parse((await run("bug get 44 --json")).out)[0];
    const file = fileOf(`id,creator,last_change_time\n44,bob@example.org,${time}\n`);
    expect((await run(`bug import ${file} -y`)).err).toContain("line 2: creator cannot be changed by an import");
    const older = fileOf("id,creator,last_change_time\n44,bob@example.org,2020-01-01T00:00:00Z\n");
    expect(await run(`bug import ${older} -y`)).toMatchObject({
      code: 0,
      out: "44\tunchanged\t\t2026-11-12T12:00:00Z\t\n",
    });
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
          line 2: unknown user "mie@example.org" (did you mean mei@example.org?)
          line 3: unknown user "nobody@x.org" (bt user search '*' lists users)
          line 4: unknown group "stuff" (did you mean staff?)
          line 5: Bug #9999 does not exist. (check the value of --add-depends-on)
          line 7: unknown user "mie@example.org" (did you mean mei@example.org?)
          line 8: Bug #9999 does not exist. (check the value of --depends-on)
      "
    `);
    expect(asked(ran).filter((line) => /names=|\/rest\/bug\/(?:12|9999)\?/.test(line))).toMatchInlineSnapshot(`
      [
        "GET /rest/user?names=mie@example.org&names=nobody@x.org&names=mei@example.org&names=ada@example.org&include_fields=id,name",
        "GET /rest/user?names=nobody@x.org&names=mei@example.org&names=ada@example.org&include_fields=id,name",
        "GET /rest/user?names=mei@example.org&names=ada@example.org&include_fields=id,name",
        "GET /rest/group?names=stuff&include_fields=id,name",
        "GET /rest/bug/9999?ids=12&include_fields=id",
        "GET /rest/bug/12?include_fields=id",
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

  test("leaves out the columns that are named, and says so", async () => {
    const file = fileOf('id,Effort,summary,"Owner, old"\n44,3,Later,y\n');
    const run = demo();
    const ran = await run(`bug import ${file} -y --skip-columns 'Effort,"Owner, old"'`);
    expect([ran.code, ran.err]).toEqual([0, `not imported: Effort, Owner, old\n${UNGUARDED}`]);
    expect(writes(ran)).toEqual([["PUT /rest/bug/44", { summary: "Later" }]]);
    const again = fileOf("summary,Summary,product,component,version,Effort\nx,A,Lantern,Editor,3.2,3\n");
    const filed = await run(`bug import --new ${again} -y --skip-columns summary --skip-columns Effort`);
    expect([filed.code, filed.requests.find(({ method }) => method === "POST")?.body]).toEqual([
      0,
      expect.objectContaining({ summary: "A" }),
    ]);
  });

  test.each([
    ["Effrot", 'the file has no column "Effrot"', "did you mean Effort?"],
    ["id", "the column id cannot be skipped", ""],
  ])("does not leave out %s", async (name, message, hint) => {
    const ran = await demo()(`bug import ${fileOf("id,Effort\n44,3\n")} -y --skip-columns ${name}`);
    expect([ran.code, ran.requests.filter(({ method }) => method !== "GET")]).toEqual([2, []]);
    expect(ran.err).toContain(message);
    expect(ran.err).toContain(hint);
  });

  test.each([
    ["id,sumary\n44,x\n", 'unknown column "sumary"', "did you mean summary?"],
    [
      'id,Effort,summary,"Owner, old"\n44,3,x,y\n',
      'unknown columns "Effort", "Owner, old"',
      `--skip-columns 'Effort,"Owner, old"' leaves them out`,
    ],
    ["id;summary,alias\n44;x,y\n", "unknown column", "by commas, semicolons or tabs in CSV"],
    ["id,summary,Summary\n44,x,y\n", "the columns summary and Summary are the same field", ""],
    ["id,id\n44,44\n", 'line 1: two columns are named "id"', ""],
    ["id,,summary\n44,,x\n", "column 2 has no name", ""],
    ["id,summary\n44,x,y\n", "line 2: 3 cells, but 2 columns", ""],
    ['id,summary\n44,"x\n48,y\n', "line 2: unclosed quote", ""],
    ['id,summary\n44,x"y\n', "line 2: unexpected quote in an unquoted cell", ""],
    ["", "has no header line", ""],
    ["id,summary\n44,x\0y\n", "contains the character NUL", "UTF-16"],
  ])("refuses %j", async (content, said, hint) => {
    const ran = await demo()(`bug import ${fileOf(content)} -y`);
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain(said);
    expect(ran.err).toContain(hint);
  });

  test.each([
    ['{"id":44,"priority":"Low"}\n[]\n', "line 2: not a JSON object"],
    ['{"id":44\n', "line 1: not JSON at column 9: unexpected end of input"],
    ['{"id":44,"priority":"Low","priority":"High"}\n', 'line 1: not JSON at column 27: duplicate key "priority"'],
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

  test("gives new bugs the defaults of the configuration", async () => {
    const settings = { product: "Lantern", component: "Library", version: "3.1" };
    const file = fileOf("summary,op_sys,platform\nTitle,All,All\n");
    const [[, body] = []] = writes(await demo()(`bug import ${file} -y`, { settings }));
    expect(body).toMatchObject({ ...settings, summary: "Title" });
  });
});

describe("before anything is sent", () => {
  const file = () => fileOf(`${NEW}Title\n`);

  test("the import is previewed, and requires --yes without a terminal", async () => {
    const ran = await demo()(`bug import ${file()}`);
    expect([ran.code, writes(ran)]).toEqual([13, []]);
    expect(ran.err).toBe(
      "bt: 1 bug to create\n    line 2  new bug of Lantern, Library  Title\nhint: --yes skips the prompt; --dry-run shows every change\n",
    );
  });

  test("a person answers on the terminal", async () => {
    expect(writes(await demo()(`bug import ${file()}`, { terminal: true, answers: ["n"] }))).toEqual([]);
    expect(writes(await demo()(`bug import ${file()}`, { terminal: true, answers: ["y"] }))).toHaveLength(1);
  });

  test("--dry-run shows every change, and leaves no results", async () => {
    const one = fileOf("id,priority,comment\n44,Low,Seen\n48,,\n");
    const ran = await demo()(`bug import ${one} --dry-run --json`);
    expect([ran.code, writes(ran), existsSync(`${one}.results.jsonl`)]).toEqual([0, [], false]);
    expect(JSON.parse(ran.out)).toEqual([
      {
        ...{ id: 44, result: "would change" },
        changes: { priority: { removed: "Normal", added: "Low" }, comment: { removed: "", added: "Seen" } },
      },
      { id: 48, result: "unchanged" },
    ]);
    const lists = fileOf("id,keywords,priority,whiteboard\n44,regression,Low,later\n48,a11y,,\n");
    expect((await demo()(`bug import ${lists} --dry-run`)).out).toBe(
      "44\twould change\tpriority: Normal -> Low; keywords: - good-first-bug; whiteboard: + later\t\t\n" +
        "48\twould change\tkeywords: - crash, data-loss + a11y\t\t\n",
    );
    const shown = await demo()(`bug import ${one} --dry-run`, { terminal: true });
    expect(shown.err).toBe(`${UNGUARDED}1 bug would be updated, 1 unchanged\n`);
  });

  test.each([
    ["id,priority\n44,Low\n", UNGUARDED],
    ["id,priority,comment\n44,Low,Seen\n", UNGUARDED],
    ["id,priority,last_change_time\n44,Low,\n", ""],
    ["id,priority\n44,Normal\n", ""],
    ["id,comment\n44,Seen\n", ""],
    [`${NEW}One\n`, ""],
  ])("a file that may overwrite changes by others has a note: %j", async (content, err) => {
    for (const flag of ["--dry-run", "--yes"])
      expect(await demo()(`bug import ${fileOf(content)} ${flag}`)).toMatchObject({ code: 0, err });
    const asked = await demo()(`bug import ${fileOf(content)}`, { terminal: true, answers: ["n"] });
    expect(asked.err.startsWith(UNGUARDED)).toBe(err !== "");
  });

  test("a file on stdin requires a results file", async () => {
    const stdin = "id,priority\n44,Low\n";
    expect((await demo()("bug import - -y", { stdin })).code).toBe(2);
    expect((await demo()("bug import - --dry-run", { stdin })).code).toBe(0);
    const results = join(freshFolder(), "r.jsonl");
    expect((await demo()(`bug import - -y --results ${results}`, { stdin })).code).toBe(0);
    expect(readFileSync(results, "utf8")).toMatch(/"result":"changed","job":"\w{26}","id":44/);
  });
});

describe("an import repeated with the same command", () => {
  test.each(["-y", "--dry-run"])("is refused where its bugs have other values now: %s", async (how) => {
    const run = demo();
    const file = fileOf("id,priority\n44,Low\n48,Low\n");
    expect(writes(await run(`bug import ${file} -y`))).toHaveLength(2);
    expect((await run(`bug import ${file} ${how}`)).code).toBe(0);
    await run("bug update 44 --priority Lowest");
    const again = await run(`bug import ${file} ${how}`);
    expect([again.code, writes(again)]).toEqual([11, []]);
    expect(again.err).toContain(
      "bt: nothing imported: changed since an earlier import: bug 44\nhint: --results FILE imports them again\n",
    );
    expect(writes(await run(`bug import ${file} -y --results ${freshFolder()}/r.jsonl`))).toHaveLength(1);
  });

  test("sends nothing twice, and sends rows that were added", async () => {
    const run = demo();
    const file = fileOf(`${NEW}One\n`);
    expect(writes(await run(`bug import ${file} -y`))).toHaveLength(1);
    const again = await run(`bug import ${file} -y`);
    expect([again.code, writes(again), again.err]).toEqual([
      0,
      [],
      `imported before, by ${file}.results.jsonl: 1 row; --results FILE imports them again\n`,
    ]);
    const told = await run(`bug import ${file} -y`, { terminal: true });
    expect(told.err).toContain("0 bugs updated\n");
    const exported = join(freshFolder(), "exported.csv");
    await run(`bug export id:44 --fields id,priority,last_change_time -o ${exported}`);
    writeFileSync(exported, readFileSync(exported, "utf8").replace("Normal", "Low"));
    expect(writes(await run(`bug import ${exported} -y`))).toHaveLength(1);
    const unchanged = await run(`bug import ${exported} -y`);
    expect(unchanged.err).toBe(
      `imported before, by ${exported}.results.jsonl: 1 row; export the bugs again to change them\n`,
    );
    writeFileSync(file, `${NEW}One\nLantern,Library,3.1,All,All,Two\n`);
    expect(writes(await run(`bug import ${file} -y`)).map(([, body]) => Object(body).summary)).toEqual(["Two"]);
  });

  /** A demo and a machine, with a file of bugs 44 and 45 that has other priorities; each line is a second later. */
  async function edited() {
    const clock = stoppedClock();
    const env = { ...clock.env, HOME: freshFolder() };
    const tracker = freshDemo({ now: clock.now, random: (count) => new Uint8Array(count) });
    const run = (line: string, more: Partial<Around> = {}) => {
      clock.step(1000);
      return bt(line, { ...tracker, env, ...more });
    };
    const file = join(freshFolder(), "exported.csv");
    const replace = (one: string, other: string) =>
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(one, other));
    await run(`bug export id:44,45 --fields id,keywords,priority,last_change_time -o ${file}`);
    replace("Normal", "Low");
    return { run, file, replace, elsewhere: { env: { ...clock.env, HOME: freshFolder() } } };
  }

  test("adds no comment again that an import added which was undone, also where a row has other values now", async () => {
    const { run, file } = await edited();
    const write = (rows: string) => writeFileSync(file, `id,priority,comment\n${rows}\n`);
    write("44,Low,Seen.\n45,Low,");
    const comments = async () => (await run("bug get 44 --comments --json")).out.split('"Seen.').length - 1;
    expect((await run(`bug import ${file} -y`)).code).toBe(0);
    expect([(await run("bug undo 44 45 -y")).code, await comments()]).toEqual([0, 1]);
    const omitted = "not imported: 1 comment from an import that was undone, which stayed\n";
    const preview = await run(`bug import ${file} --dry-run`);
    expect(preview).toMatchObject({ code: 0, err: expect.stringContaining(omitted) });
    expect(preview.out).not.toContain("Seen.");
    write("44,High,Seen.\n45,Low,");
    const ran = await run(`bug import ${file} -y`);
    expect([ran.code, ran.err, writes(ran)]).toMatchObject([
      0,
      expect.stringContaining(omitted),
      [
        ["PUT /rest/bug/44", { priority: "High" }],
        ["PUT /rest/bug/45", { priority: "Low" }],
      ],
    ]);
    await run("bug undo 44 -y");
    write("44,High,Seen. Again.\n45,Low,");
    expect((await run(`bug import ${file} -y`)).err).not.toContain("not imported");
    expect(await comments()).toBe(2);
  });

  test("sends no row again whose undo was undone, nor over what others changed after an undo", async () => {
    const { run, file, elsewhere } = await edited();
    await run(`bug import ${file} -y`);
    await run("bug undo 44 -y");
    const [undo] = JSON.parse((await run("job list --last --json")).out);
    await run(`bug undo --job ${undo.job} -y`);
    expect(await run(`bug import ${file} -y`)).toMatchObject({ code: 0, out: "" });
    await run("bug undo 44 -y");
    await run("bug update 44 --severity minor", elsewhere);
    const ran = await run(`bug import ${file} -y`);
    expect([ran.code, ran.out, writes(ran)]).toEqual([11, expect.stringContaining("44\tfailed\t"), []]);
  });

  test("refuses a row that was filed with other values, and results of another tracker or file", async () => {
    const run = demo();
    const file = fileOf(`${NEW}One\n`);
    await run(`bug import ${file} -y`);
    expect((await run(`bug import ${file} -y`, { address: "https://other.example.org" })).err).toContain(
      "has the results of demo:, not of https://other.example.org",
    );
    writeFileSync(file, `${NEW}Two\n`);
    expect(await run(`bug import ${file} -y`)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/line 2: bug \d+ was filed from row 1 with other values/),
    });
    writeFileSync(`${file}.results.jsonl`, "mine\n");
    expect((await run(`bug import ${file} -y`)).code).toBe(12);
  });
});
