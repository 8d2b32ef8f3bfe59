import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { asked } from "../../bt.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { demo } from "../demo.ts";

const MEI = { terminal: true, login: "mei@example.org" };

/** A folder of a repository with a branch checked out. */
function onBranch(name: string): { cwd: string } {
  const root = freshFolder();
  mkdirSync(path.join(root, ".git"), { recursive: true });
  mkdirSync(path.join(root, "src/deep"), { recursive: true });
  writeFileSync(path.join(root, ".git/HEAD"), `ref: refs/heads/${name}\n`);
  return { cwd: path.join(root, "src/deep") };
}

describe("on a terminal, bugs that a line lacks are picked", () => {
  test.each([
    ["bug get", ["44"], "GET /rest/bug/44?"],
    ["bug history", ["44"], "GET /rest/bug/44/history"],
    ["comment list", ["44"], "GET /rest/bug/44/comment"],
    ["bug close", ["44"], 'PUT /rest/bug/44 {"status":"RESOLVED"'],
    ["bug needinfo --from ada@example.org -m Why", ["44"], "PUT /rest/bug/44 "],
    ["bug dup", ["44", "29"], 'PUT /rest/bug/44 {"dupe_of":29'],
    ["bug dup 44", ["29"], 'PUT /rest/bug/44 {"dupe_of":29'],
  ])("bt %s", async (line, answers, sent) => {
    const ran = await demo()(line, { ...MEI, answers });
    expect([ran.code, asked(ran).join("\n")]).toEqual([0, expect.stringContaining(sent)]);
  });

  test("first that of the branch, then bugs that were shown; nothing is sent to list them", async () => {
    const facts = new Map<string, JsonObject>([
      ["recent-bugs", { bugs: [{ id: 7, summary: "Seen before" }, { id: 8 }] }],
    ]);
    const around = { ...MEI, ...onBranch("bug-44-fix"), facts };
    const ran = await demo()("bug get --format ids", { ...around, answers: ["seen"] });
    expect(ran.err).toMatch(/^ {2}#44 - of the branch\n {2}#7 Seen before\n {2}#8\nbug: /);
    expect([ran.out, ran.requests.length]).toEqual(["7\n", 1]);
  });
});
