import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { WAYS } from "./scene.ts";

describe.each(WAYS)("a list of bugs goes through a spreadsheet %s", (_, open) => {
  test("an editor exports it, changes cells and adds a bug, and imports it", async () => {
    const { say } = await open();
    const file = join(freshFolder(), "list.csv");
    await say("ada", "bug update 44 --summary '=SUM(A1), \"all\"'");
    expect(
      (await say("mei", `bug export id:44,48,49 --fields id,summary,priority,keywords,last_change_time -o ${file}`))
        .code,
    ).toBe(0);
    const text = readFileSync(file, "utf8");
    expect(text).toContain(`44,"'=SUM(A1), ""all""",`);
    expect((await say("mei", `bug import ${file}`)).err).toContain("3 rows unchanged: nothing to do\n");

    writeFileSync(file, text.replace(/^(48,.*?),Highest,/m, "$1,Low,"));
    expect(await say("mei", `bug import ${file}`)).toMatchObject({
      code: 13,
      err: expect.stringContaining("note: 2 rows unchanged\nbt: this would change 1 bug\n    #48 "),
    });
    const done = await say("mei", `bug import ${file} --yes --fields id,result`);
    expect([done.code, done.out]).toEqual([0, "48\tapplied\n"]);
    expect((await say("nobody", "bug get 48 --fields priority --format tsv")).out).toBe("Low\n");

    const added = join(freshFolder(), "new.tsv");
    writeFileSync(
      added,
      "product\tcomponent\tversion\top_sys\tplatform\tsummary\tdescription\nLantern\tLibrary\t3.1\tAll\tAll\tFrom a sheet\ttwo\\nlines\n",
    );
    const filed = await say("mei", `bug import ${added} --yes --fields id,result`);
    expect([filed.code, filed.out]).toEqual([0, expect.stringMatching(/^\d+\tcreated\n$/)]);
    expect((await say("nobody", `comment list ${Number.parseInt(filed.out, 10)} --fields text`)).out).toBe(
      "two\\nlines\n",
    );
    expect((await say("mei", `bug import ${added} --yes`)).out).toBe("");
  });

  test("another user's change is a collision, and a user without rights changes nothing", async () => {
    const { say } = await open();
    const file = join(freshFolder(), "list.jsonl");
    await say("sam", `bug export id:44,48 --format ndjson -o ${file}`);
    await say("ada", "bug update 44 --priority Lowest");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/"severity":"\w+"/g, '"severity":"trivial"'));
    const mine = await say("mei", `bug import ${file} --yes`);
    expect([mine.code, mine.err]).toEqual([11, expect.stringContaining("bug 44: modified since")]);
    expect((await say("nobody", "bug get 44 48 --fields severity --format tsv")).out).toMatch(
      /^(?!trivial)\w+\ntrivial\n$/,
    );
    const other = await say("sam", `bug import ${file} --yes`);
    expect(other.code).not.toBe(0);
    expect(other.out).not.toContain("applied");
  });
});
