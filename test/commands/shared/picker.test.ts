import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EMPTY_STORE } from "../../../src/api/fact-store.ts";
import { originalQuestion } from "../../../src/commands/shared/bug-picker.ts";
import type { Context } from "../../../src/commands/verb.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { asked, updates } from "../../bt.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { demo } from "../demo.ts";

const MEI = { terminal: true, login: "mei@example.org" };

/** A folder of a repository with a branch checked out; a further worktree of it has only a link. */
function onBranch(name: string, isWorktree = false): { cwd: string } {
  const root = freshFolder();
  const git = path.join(root, isWorktree ? "main/.git/worktrees/w" : ".git");
  mkdirSync(git, { recursive: true });
  mkdirSync(path.join(root, "src/deep"), { recursive: true });
  writeFileSync(path.join(git, "HEAD"), `ref: refs/heads/${name}\n`);
  if (isWorktree) writeFileSync(path.join(root, ".git"), `gitdir: ${git}\n`);
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

  test("among bugs that were shown, then any with the words that are typed", async () => {
    const facts = new Map<string, JsonObject>([
      ["recent-bugs", { bugs: [{ id: 7, summary: "Seen before" }, { id: 8 }] }],
    ]);
    const ran = await demo()("bug get --format ids", { ...MEI, facts, answers: ["preset is"] });
    expect(ran.err).toMatch(/^ {2}#7 Seen before\n {2}#8\nbug: /);
    expect(ran.err).toContain("bug: #46 A very long name of a preset is not cut");
    expect(ran.out).toBe("46\n");
  });

  test.each([false, true])("first that of the branch; in a further worktree: %s", async (isWorktree) => {
    const ran = await demo()("bug get --format ids", {
      ...MEI,
      ...onBranch("bug-44-fix", isWorktree),
      answers: ["44"],
    });
    expect(ran.err).toMatch(/^ {2}#44 Import: "Ask me each time" asks once for all files - of the branch\n/);
  });

  test("which is left out if it cannot be read", async () => {
    const ran = await demo()("bug get --format ids", { ...MEI, ...onBranch("bug-99999-fix"), answers: ["44"] });
    expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining("99999")]);
  });

  test("by their number even before similar bugs are listed", async () => {
    const never = () => new Promise<never>(() => undefined);
    const facts = { memory: EMPTY_STORE };
    const searches = { first: never };
    const session = { address: "demo:", send: never, login: never, facts, searches };
    const io = { now: () => new Date("2026-11-20"), ticks: () => 0 };
    const { find } = originalQuestion({ id: 44, summary: "Import asks once" }, { session, io } as unknown as Context);
    expect(await find("#29", new AbortController().signal)).toEqual([{ value: "29", name: "bug 29" }]);
  });

  test("also by undo, which takes none", async () => {
    const run = demo();
    await run("bug update 44 --priority High", { login: "mei@example.org" });
    const ran = await run("bug undo", { ...MEI, answers: ["44"] });
    expect(ran.err).toContain("bug: ");
    expect(updates(ran)).toEqual([]);
  });
});
