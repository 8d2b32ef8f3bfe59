import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { WAYS } from "./scene.ts";

const PATCH = "From: Tomas\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

describe.each(WAYS)("%s", (_, open) => {
  test("a patch is attached with a review request, read, downloaded, reviewed and replaced", async () => {
    const { say } = await open();
    const folder = freshFolder();
    const file = join(folder, "fix.patch");
    writeFileSync(file, PATCH);
    const add = `attachment add 12 ${file} -m 'Please look.' --flag 'review?(mei@example.org)'`;
    expect(await say("tomas", add)).toMatchObject({ code: 0, out: "4\n", err: "" });
    const listed = await say("sam", "attachment list 12 --fields id,file_name,is_patch,flags,creator");
    expect(listed.out).toBe("4\tfix.patch\t1\treview?(mei@example.org)\ttomas@example.org\n");
    expect((await say("mei", "attachment download 4")).out).toBe(PATCH);
    const copy = join(folder, "copy");
    expect((await say("mei", `attachment download 4 -o ${copy}`)).code).toBe(0);
    expect(readFileSync(copy, "utf8")).toBe(PATCH);
    expect((await say("mei", "attachment update 4 --flag review+ -m 'Good.'")).out).toBe("4\tapplied\n");
    expect((await say("sam", "attachment update 4 --is-obsolete yes")).code).toBe(3);
    expect((await say("tomas", `attachment add 12 ${file} --obsoletes 4`)).out).toBe("5\n");
    expect((await say("tomas", "attachment list 12 --fields id,is_obsolete,flags")).out).toBe(
      "4\t1\treview+\n5\t0\t\n",
    );
    expect((await say("tomas", "bug history 12 --json")).out).toContain(
      '{"field_name":"attachments.isobsolete","removed":"0","added":"1","attachment_id":4}',
    );
  });

  test("a private attachment is for insiders", async () => {
    const { say } = await open();
    const file = join(freshFolder(), "keys.txt");
    writeFileSync(file, "secret\n");
    expect((await say("sam", `attachment add 12 ${file} --private`)).code).toBe(4);
    expect((await say("ada", `attachment add 12 ${file} --private`)).out).toBe("4\n");
    expect((await say("ada", "attachment download 4")).out).toBe("secret\n");
    for (const person of ["sam", "nobody"] as const) {
      expect(await say(person, "attachment list 12")).toMatchObject({ code: 0, out: "", err: "" });
      for (const verb of ["get", "download"]) {
        const run = await say(person, `attachment ${verb} 4`);
        expect(run).toMatchObject({ code: 4, out: "" });
        expect(run.err).not.toContain("keys.txt");
      }
    }
  });
});
