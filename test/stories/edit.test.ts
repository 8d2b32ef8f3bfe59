import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { WAYS } from "./scene.ts";

/** An editor that runs a line of shell on the document, and answers to prompts. */
function editor(line: string, answers: string[] = []) {
  return { env: { EDITOR: `sh -c '${line}' editor`, PATH: "/usr/bin:/bin" }, answers };
}

describe.each(WAYS)("bugs are edited as documents %s", (_way, open) => {
  test("with a comment, and not without the right to", async () => {
    const scene = await open();
    const fields = `s/^priority:.*/priority: High/; s/^keywords:.*/keywords: crash, regression/; s/^cf_build:.*/cf_build:/`;
    const one = await scene.say("tomas", "bug edit 44", editor(`sed -i "${fields}" "$1"; echo "Seen in 3.3." >> "$1"`));
    expect(one).toMatchObject({ code: 0, err: "" });
    expect(one.out).toMatchInlineSnapshot(`
      "#44  Import: "Ask me each time" asks once for all files (comment added)
        Priority  Normal → High
        Keywords  - good-first-bug  + crash
        Build     - 3.2.0-41
      "
    `);
    expect((await scene.say("tomas", "bug history 44 --json")).out).not.toContain("summary");
    const { out } = await scene.say("tomas", "comment list 44 --json=text");
    expect(JSON.parse(out).at(-1)).toEqual({ text: "Seen in 3.3." });

    const denied = await scene.say("sam", "bug edit 44", editor(`sed -i "s/^priority:.*/priority: Low/" "$1"`, ["n"]));
    expect([denied.code, denied.err]).toEqual([4, expect.stringMatching(/edit again.*your text is saved/s)]);
    rmSync(path.dirname(/saved in\s+(\S+)/.exec(denied.err)?.[1] ?? ""), { recursive: true });
    expect((await scene.say("tomas", "bug get 44 --fields priority")).out).toBe("High\n");
  });
});
