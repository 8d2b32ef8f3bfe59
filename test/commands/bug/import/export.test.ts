import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

/** A demo with a bug whose summary and whiteboard are hostile to spreadsheets and lines. */
async function hostile() {
  const run = demo();
  await run("bug update 44 --summary '=cmd|x, \"y\" 🐞' --set-whiteboard=-1+1");
  return run;
}

const COLUMNS = "id,summary,whiteboard,cc";

describe("bt bug export", () => {
  test("writes CSV with a header, and no cell that a spreadsheet runs as a formula", async () => {
    const run = await hostile();
    expect(await run(`bug export id:44 --fields ${COLUMNS}`)).toMatchObject({
      code: 0,
      err: "",
      out: `${COLUMNS}\r\n44,"'=cmd|x, ""y"" 🐞",'-1+1,\r\n`,
    });
    expect((await run(`bug export id:44 --raw --fields ${COLUMNS}`)).out).toContain(
      '\r\n44,"=cmd|x, ""y"" 🐞",-1+1,\r\n',
    );
  });

  test("writes JSON lines with comments, history and attachments", async () => {
    const run = demo();
    const lines = (await run("bug export is:open --format ndjson")).out.trimEnd().split("\n");
    const bugs = lines.map((line) => JSON.parse(line));
    const counts = await run("bug search is:open --count");
    expect(bugs.length).toBe(Number(counts.out));
    for (const bug of bugs) expect(bug.comments.length).toBeGreaterThan(0);
    const attached = bugs.flatMap(({ attachments }) => attachments);
    expect(attached.length).toBeGreaterThan(0);
    expect(attached.every((one) => one.data === undefined)).toBe(true);
    expect(bugs.some(({ history }) => history.length > 0)).toBe(true);
  });

  test.each(["json", "xlsx"])("refuses a name of another format: .%s", async (ending) => {
    const file = join(freshFolder(), `bugs.${ending}`);
    const refused = await demo()(`bug export is:open -o ${file}`);
    const err = `bt: the formats are csv, tsv and ndjson, not ${ending}\nhint: --format names one\n`;
    expect([refused, existsSync(file)]).toEqual([expect.objectContaining({ code: 2, out: "", err }), false]);
    expect((await demo()(`bug export is:open -o ${file} --format ndjson`)).code).toBe(0);
  });

  test("replaces no device, not even with --force", async () => {
    const device = join(freshFolder(), "device");
    symlinkSync("/dev/null", device);
    expect(await demo()(`bug export id:44 -o ${device} --force`)).toMatchObject({
      code: 13,
      out: "",
      err: `bt: ${device} is not a regular file\nhint: --force replaces regular files only; -o - writes to stdout\n`,
    });
    expect(lstatSync(device).isSymbolicLink()).toBe(true);
  });

  test("writes a file as its name says, and replaces none without --force", async () => {
    const run = demo();
    const folder = freshFolder();
    const file = join(folder, "open.tsv");
    expect(await run(`bug export is:open --fields id,summary -o ${file}`)).toMatchObject({
      code: 0,
      out: `${file}\n`,
      err: "",
    });
    expect(readFileSync(file, "utf8")).toMatch(/^id\tsummary\n50\t/);
    writeFileSync(file, "mine");
    expect(await run(`bug export is:open -o ${file}`)).toMatchObject({ code: 13 });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect((await run(`bug export id:44 --fields id -o ${file} --force`, { terminal: true })).out).toContain("(1 bug)");
    expect(readFileSync(file, "utf8")).toBe("id\n44\n");
    expect(readdirSync(folder)).toEqual(["open.tsv"]);
  });

  test.each([
    ["bug export", "no criteria"],
    ["bug export is:open --fields sumary", "summary"],
    ["bug export is:open --product Lantrn", "Lantern"],
  ])("refuses %s", async (line, said) => {
    const ran = await demo()(line);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(said);
  });

  test("to a folder that does not exist is an error of this machine, and leaves nothing", async () => {
    const file = join(freshFolder(), "missing", "open.csv");
    expect(await demo()(`bug export is:open -o ${file}`)).toMatchObject({ code: 12, out: "" });
    expect(existsSync(file)).toBe(false);
  });
});
