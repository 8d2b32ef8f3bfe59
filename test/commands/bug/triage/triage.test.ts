import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BtError } from "../../../../src/errors.ts";
import type { Exchange, JsonObject } from "../../../../src/wire/exchange.ts";
import { type Around, bt, btConnected, type Ran, updates } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { homeFolders } from "../../../mirrored.ts";
import { demo } from "../../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/** Walks over bugs of a fresh demo by these answers. */
function triage(ids: string, answers: readonly string[], around: Partial<Around> = {}): Promise<Ran> {
  return demo()(`bug triage --id ${ids} --sort id`, {
    terminal: true,
    login: "mei@example.org",
    answers: [...answers],
    ...around,
  });
}

describe("keys collect into one change", () => {
  test.each([
    ["the assignee", ["a", "@me"], { assigned_to: "mei@example.org" }],
    ["the priority", ["p", "high"], { priority: "High" }],
    ["the severity", ["e", "crit"], { severity: "critical" }],
    ["the component in its product", ["t", "edit"], { component: "Editor" }],
    [
      "a request",
      ["n", "ada@example.org", ""],
      { flags: [{ name: "needinfo", status: "?", requestee: "ada@example.org", new: true }] },
    ],
    ["a duplicate", ["d", "#12"], { dupe_of: 12 }],
    ["a resolution", ["c", "wontfix", ""], { status: "RESOLVED", resolution: "WONTFIX" }],
    [
      "the last of two resolutions, with all comments",
      ["m", "One.", "c", "wontfix", "No.", "c", "invalid", "Not ours."],
      { status: "RESOLVED", resolution: "INVALID", comment: { body: "One.\n\nNo.\n\nNot ours." } },
    ],
    ["an open status", ["S", "in_prog"], { status: "IN_PROGRESS" }],
    ["a closed status with its resolution", ["S", "res", "fixed", ""], { status: "RESOLVED", resolution: "FIXED" }],
    ["a keyword", ["k", "crash"], { keywords: { add: ["crash"] } }],
    [
      "a keyword in place of another",
      ["k", "perf", "k", "-good-first"],
      { keywords: { add: ["perf"], remove: ["good-first-bug"] } },
    ],
    [
      "a product with its component and version",
      ["P", "Harbor", "API", "1.5"],
      { product: "Harbor", component: "API", version: "1.5" },
    ],
    ["a comment", ["m", "Seen in 3.3."], { comment: { body: "Seen in 3.3." } }],
    ["what is left without the last key", ["p", "High", "p", "Low", "u"], { priority: "High" }],
    [
      "several of them",
      ["p", "High", "m", "One.", "m", "Two."],
      { priority: "High", comment: { body: "One.\n\nTwo." } },
    ],
  ])("%s", async (_, keys, body) => {
    const ran = await triage("44", [...keys, ""]);
    expect([ran.code, updates(ran)]).toEqual([0, [{ ids: [44], ...body }]]);
    expect(ran.err).toContain("note: 1 applied\n");
  });

  test.each([
    ["p", "Normal"],
    ["S", "CONFIRMED"],
    ["a", "seun@example.org"],
  ])("%s with the value of the bug changes nothing: %s", async (key, value) => {
    const ran = await triage("44", [key, value, "?", ""]);
    expect(ran.err).toContain("\n  s  skip\n  q  quit\n"); // the keys, without one for undo
    expect([ran.code, updates(ran)]).toEqual([0, []]);
  });

  test("an empty comment is written in the editor, which keeps nothing once it is sent", async () => {
    const folder = freshFolder();
    const script = `sed -i "1i Seen in 3.3.\\n\\n  on Linux" "$1"; cp "$1" ${folder}/edited; echo "$1" >${folder}/name`;
    const env = { EDITOR: `sh -c '${script}' editor`, PATH: "/usr/bin:/bin" };
    const ran = await triage("44,46", ["m", "", "", "q"], { env });
    expect(updates(ran)).toMatchObject([{ ids: [44], comment: { body: "Seen in 3.3.\n\n  on Linux" } }]);
    expect(readFileSync(`${folder}/edited`, "utf8")).toContain('# bug 44: Import: "Ask me each time"');
    expect(existsSync(readFileSync(`${folder}/name`, "utf8").trim())).toBe(false);
    const empty = await triage("44", ["m", "", "s"], { env: { ...env, EDITOR: "true" } });
    expect([empty.code, empty.err]).toEqual([0, expect.stringMatching(/the comment is empty[\s\S]*1 skipped/)]);
  });

  test("a user is found by a part of the name", async () => {
    const ran = await triage("44", ["a", "Tana", "1", ""], { login: "ada@example.org" });
    expect(updates(ran)).toEqual([{ ids: [44], assigned_to: "mei@example.org" }]);
  });

  test("similar bugs are listed for an original, and Enter alone takes none of them", async () => {
    const run = demo();
    await run("bug update 46 --summary 'Import asks once for all files'");
    const ran = await run("bug triage --id 46", { terminal: true, answers: ["d", "none of", "d", "Ask me", "q", "y"] });
    expect(ran.err).toMatch(/lists the keys: {3}\(none of these\)\n {2}#44 .*, 7\d % match\n/);
    expect(ran.err).toContain("bt bug update 46 --dupe-of 44\n");
    const dup = await run("bug dup 44", { terminal: true, answers: ["none of"] });
    expect([dup.code, dup.err]).toEqual([2, expect.stringContaining("prompt cancelled")]);
  });

  test("an original that is missing, or the bug itself, is refused when it is sent, and another can be named", async () => {
    const ran = await triage("44", ["d", "9999", "", "d", "44", "", "d", "12", ""]);
    for (const why of ["Bug #9999 does not exist.", "You cannot mark bug 44 as a duplicate of itself."])
      expect(ran.err).toContain(`bt: ${why}\n`);
    expect(updates(ran).at(-1)).toEqual({ ids: [44], dupe_of: 12 });
    expect(ran.err).toContain("note: 1 applied\n");
  });

  test("it is shown with its command line, and sent at Enter only", async () => {
    const ran = await triage("44", ["p", "High", "m", "It's fixed in 3.3", "u", "q", "n", "q", "y"]);
    expect(ran.err).toContain('bt bug update 44 --priority High -m "It\'s fixed in 3.3"\nbug 44 (1 of 1)');
    expect([ran.code, updates(ran)]).toEqual([0, []]);
    expect(ran.err).toContain("0 applied, 1 left");
  });

  test("s asks before it drops a change", async () => {
    const kept = await triage("44", ["p", "High", "s", "n", ""]);
    expect(kept.err).toContain("skip without sending the change? [y/N] ");
    expect(updates(kept)).toEqual([{ ids: [44], priority: "High" }]);
    const dropped = await triage("44", ["p", "High", "s", "y"]);
    expect([updates(dropped), dropped.err]).toEqual([[], expect.stringContaining("note: 0 applied, 1 skipped\n")]);
  });

  test.each([
    [["S", "res", "dup", "12"], { dupe_of: 12 }],
    [["c", "dup", "12"], { dupe_of: 12 }],
  ])("a duplicate is among resolutions: %j", async (keys, body) => {
    const ran = await triage("44", [...keys, ""]);
    expect(updates(ran)).toEqual([{ ids: [44], ...body }]);
  });

  test("u without a key undoes the last change that was sent, once that is confirmed, and goes back to its bug", async () => {
    const env = { ...homeFolders(freshFolder()), BT_BASE_URL: "demo:" };
    const answers = ["?", "p", "High", "?", "", "?", "u", "n", "u", "y", "q"];
    const around = { env, now: NOW, terminal: true, answers };
    const { err, out } = await btConnected("bug triage --id 44,46 --sort id", around);
    expect(err).toContain("undo the change of bug 44? [y/N] ");
    const places = [...err.matchAll(/bug (\d+) \(\d of 2\)/g)].map(([, bug]) => Number(bug));
    expect(places).toEqual([44, 44, 44, 44, 46, 46, 46, 44]);
    expect([...err.matchAll(/^ {2}u {2}(.+)$/gm)].map(([, name]) => name)).toEqual(["undo", "undo #44"]);
    const changes = [...out.matchAll(/Priority +(.+)/g)].map(([, change]) => change);
    expect(changes).toEqual(["Normal → High", "High → Normal"]);
    expect(err).toContain(": note: 0 applied, 1 undone, 1 left\n");
  });

  test.each([
    ["changed, undone and changed", ["p", "High", "", "u", "y", "p", "Low", ""], "1 applied, 1 left"],
    ["skipped and gone back to", ["s", "u"], "0 applied, 2 left"],
    ["changed, undone, skipped and gone back to", ["p", "High", "", "u", "y", "s", "u"], "0 applied, 2 left"],
  ])("at the end a bug is counted once: %s", async (_, answers, tally) => {
    const env = { ...homeFolders(freshFolder()), BT_BASE_URL: "demo:" };
    const around = { env, now: NOW, terminal: true, answers: [...answers, "q"] };
    expect((await btConnected("bug triage 44 46", around)).err).toContain(tally);
  });

  test("--dry-run sends nothing", async () => {
    const facts = new Map<string, JsonObject>();
    const ran = await triage("44,46 --dry-run", ["p", "High", "", "q"], { facts });
    expect([ran.code, updates(ran)]).toEqual([0, []]);
    expect(ran.out).toContain("would change");
    expect(ran.err).toContain("1 would change, 1 left\n");
    expect([...facts.keys()]).not.toContain("triage");
  });
});

describe("saved replies", () => {
  test("are comments as they are written", async () => {
    const ran = await triage("44", ["r", "thanks", ""], {
      settings: { "reply.thanks": "Thank you!\n\nPlease try {3.3}." },
    });
    expect(updates(ran)).toMatchObject([{ comment: { body: "Thank you!\n\nPlease try {3.3}." } }]);
  });

  test("without any the way to add one is shown, and the bug stays", async () => {
    const ran = await triage("44", ["r", "s"]);
    expect(ran.err).toContain("bt: no saved replies\n");
    expect(ran.err).toContain("bt config set reply.thanks");
    expect(ran.code).toBe(0);
  });
});

describe("an error leaves the bug on the screen with its keys", () => {
  test.each([
    ["ada@example.org", "ada@example.org"],
    ["mei@example.org", "@me"],
  ])("a second request to the same user, %s", async (login, again) => {
    const ran = await triage("44", ["n", login, "", "n", again, ""]);
    expect(ran.err).toContain(`needinfo is already requested from ${login}`);
    expect(updates(ran)).toMatchObject([{ flags: [{ requestee: login }] }]);
  });

  test("a bug that another user changed meanwhile is shown again, and sent at the next Enter", async () => {
    let now = NOW;
    const { exchange, login } = freshDemo({ now: () => new Date(now), random: (count) => new Uint8Array(count) });
    const answers = ["p", "High", "", ""];
    const raced: Exchange = async (request) => {
      if (answers.length === 1 && now === NOW) {
        now = "2026-11-20T12:05:00Z";
        const body = { severity: "minor", comment: { body: "It is not that bad." } };
        await exchange({ method: "PUT", path: "/rest/bug/44", query: [], body });
      }
      return exchange(request);
    };
    const ran = await bt("bug triage --id 44", { exchange: raced, login, now, terminal: true, answers });
    expect([ran.code, updates(ran)]).toEqual([0, [{ ids: [44], priority: "High" }]]);
    expect(ran.err.match(/^#44 /gm)).toHaveLength(2);
    expect(ran.err).toMatch(
      /bug 44 was modified since [\s\S]* · minor · [\s\S]*\n\nbt bug update 44 --priority High\n/,
    );
  });

  test("Ctrl-D with unsent keys is an error that shows the change", async () => {
    const ran = await triage("44", ["p", "High"]);
    expect([ran.code, updates(ran)]).toEqual([2, []]);
    expect(ran.err).toContain("not sent: bt bug update 44 --priority High\nnote: 0 applied, 1 left\n");
    expect((await triage("44", [])).code).toBe(0);
  });

  test("a change whose outcome is unknown is no update, and is not counted as skipped", async () => {
    const { exchange, login } = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count) });
    const lost: Exchange = async (request) => {
      if (request.method === "PUT") throw new BtError("unknown", "no response", { changed: "unknown" });
      return exchange(request);
    };
    const around = { exchange: lost, login, now: NOW, terminal: true, answers: ["p", "High", "", ""] };
    const ran = await bt("bug triage --id 44", around);
    expect(ran.err).toContain("note: 0 applied, 1 unknown\n");
  });
});

test.each([80, 40])(
  "at %i columns a long description is cut to the screen, and v shows all with every field",
  async (columns) => {
    const server = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count) });
    server.store.run("UPDATE comments SET text = @text WHERE bug_id = 46 AND is_private = 0", {
      text: [...Array(40).keys()].map((line) => `line ${line}`).join("\n"),
    });
    const around = { ...server, now: NOW, terminal: true, rows: 24, columns, answers: ["v", "q"] };
    const ran = await bt("bug triage --id 46", around);
    const [shown = ""] = ran.err.split("lists the keys");
    expect(shown.split("\n").length).toBe(22); // and a line of keys
    expect(shown).toMatch(/\n {2}line \d+\n\.\.\. \d+ more lines; v shows all\n\nUNCONFIRMED/);
    for (const fact of ["assignee Mei Tanaka", "reporter Lucía Romero", "4 days ago"]) expect(shown).toContain(fact);
    expect(ran.out).toMatch(/\nQA contact +Jonas Weber[\s\S]*\n {2}line 39\n/);
  },
);

describe("a walk", () => {
  test.each(["demo:", "local:", "local:FILE"])("of %s that was left is continued by the next command", async (base) => {
    const home = freshFolder();
    const env = { ...homeFolders(home), BT_BASE_URL: base.replace("FILE", `${home}/file.db`) };
    const run = (line: string, around = {}) => btConnected(line, { now: NOW, env, ...around });
    const create = "bug create -p Project -c General --version unspecified --op-sys All --platform All -t a -d b";
    if (base !== "demo:") for (const _ of [1, 2]) expect(await run(create)).toMatchObject({ code: 0 });
    const first = await run("bug triage --id 1,2 --sort id", { terminal: true, answers: ["s", "q"] });
    expect(first.err).toMatch(/\n#1 [\s\S]*0 applied, 1 skipped, 1 left/);
    const second = await run("bug triage --id 1,2 --sort id", { terminal: true, answers: ["q"] });
    expect(second.err).toMatch(/^note: skipping 1 bug that you handled before; --restart shows all\n\n#2 /);
  });

  test("shows a bug again that somebody changed since it was handled", async () => {
    const env = { ...homeFolders(freshFolder()), BT_BASE_URL: "demo:" };
    const walk = (answers: string[]) =>
      btConnected("bug triage --id 44,46,48 --sort id", { now: NOW, env, terminal: true, answers });
    await walk(["p", "High", "", "u", "y", "s", "s", "q"]);
    const later = "2026-11-20T13:00:00Z";
    expect((await walk(["q"])).err).toMatch(/^note: skipping 2 bugs [^\n]*\n\n#48 /);
    await btConnected("bug update 46 --severity minor", { now: later, env });
    expect((await walk(["q"])).err).toMatch(/^note: skipping 1 bug [^\n]*\n\n#46 /);
  });

  test("ends after --limit bugs, and the next ones go on behind them until --restart", async () => {
    const facts = new Map<string, JsonObject>();
    const walk = async (line: string, answers: string[]) =>
      (await triage(`40,41,44,46 ${line}`, answers, { facts })).err;
    expect(await walk("-L 2", ["s", "s"])).toMatch(/bug 40 \(1 of 2\)[\s\S]*note: 0 applied, 2 skipped\n$/);
    expect(await walk("-L 2", ["s", "s"])).toMatch(/^note: skipping 2 bugs [\s\S]*bug 44 \(1 of 2\)/);
    expect(await walk("", [])).toMatch(/^note: skipping 4 bugs [^\n]*\n$/);
    expect(await walk("--restart", ["q"])).toMatch(/^\n#40 /);
  });
});
