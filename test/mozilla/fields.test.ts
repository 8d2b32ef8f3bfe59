import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Around, asked, updates } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { ADMIN, FIELDS, type MozillaServer, mozillaServer, NEW_BUG, onMozilla } from "./server.ts";

let server: MozillaServer;

beforeEach(() => {
  server = mozillaServer();
});

const run = (line: string, around: Partial<Around> = {}) => onMozilla(line, server, around);

function fileOf(content: string): string {
  const file = join(freshFolder(), "bugs.csv");
  writeFileSync(file, content);
  return file;
}

describe("fields that only some trackers have are read", () => {
  test("but not those that bugs do not show", async () => {
    expect(await run("bug get 6 --fields id,cc_count")).toMatchObject({ code: 2, out: "" });
    expect(asked(await run("bug search 'cc_count > 3' --fields id")).at(-1)).toContain("f1=cc_count");
  });
});

describe("--field sets them", () => {
  test("on an update: a choice, a whole list, and an edited list", async () => {
    const ran = await run("bug update 6 --field type=TASK --field mentors=@me,ada@example.org --field regressions=7");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(updates(ran)).toEqual([
      { ids: [6], type: "task", mentors: [ADMIN, "ada@example.org"], regressions: { set: [7] } },
    ]);
    expect(asked(ran).find((line) => line.startsWith("PUT"))).toContain(`"bug_mentors":["${ADMIN}"`);
    expect(server.bugs.get(6)).toMatchObject({ type: "task", regressions: [7] });
  });

  test("with + and - as edits", async () => {
    const ran = await run("bug update 6 --field regressed_by=+9,-1 --field mentors=+ada@example.org");
    expect(updates(ran)).toEqual([
      { ids: [6], regressed_by: { add: [9], remove: [1] }, mentors: [ADMIN, "ada@example.org"] },
    ]);
    expect(server.bugs.get(6)).toMatchObject({ regressed_by: [2, 9] });
  });

  test("on a new bug, with lists as lists", async () => {
    const ran = await run(`${NEW_BUG} --field Type=defect --field regressed_by=1,2 --field mentors=@me`);
    expect([ran.code, ran.out]).toEqual([0, "7\n"]);
    expect(ran.requests.find(({ method }) => method === "POST")?.body).toMatchObject({
      ...{ type: "defect", regressed_by: [1, 2], bug_mentors: [ADMIN] },
    });
  });

  test.each([
    ["type=defekt", 'unknown type "defekt"'],
    ["regressed_by=x", 'regressed_by "x" is not an integer'],
    ["mentors='a b'", 'mentors "a b" is not a login'],
    ["votes=3", "votes is read-only"],
    ["severity=normal", "severity is not a custom field\nhint: --severity\n"],
  ])("%s is rejected", async (pair, reason) => {
    const ran = await run(`bug update 6 --field ${pair}`);
    expect([ran.code, updates(ran)]).toEqual([2, []]);
    expect(ran.err.toLowerCase()).toContain(reason.toLowerCase());
  });
});

describe("a tracker that requires a type", () => {
  test("is reported with the types", async () => {
    const ran = await run(NEW_BUG);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain("--field type=VALUE: defect, enhancement, task, --");
    expect(ran.err).toContain("hint: bt config set type VALUE stores a default\n");
  });

  test("gets the type of the settings, which a flag overrides, and other trackers do not get", async () => {
    const settings = { type: "task" };
    await run(NEW_BUG, { settings });
    await run(`${NEW_BUG} --field type=defect`, { settings });
    expect([server.bugs.get(7)?.["type"], server.bugs.get(8)?.["type"]]).toEqual(["task", "defect"]);
    const plain = FIELDS.filter(({ name }) => name !== "bug_type");
    const other = await run(`${NEW_BUG} --dry-run`, { settings, cachedFields: plain });
    expect([other.code, other.err.includes('"type"')]).toEqual([0, false]);
  });

  test("is prompted for on a terminal, even if nothing else is missing", async () => {
    const ran = await run(NEW_BUG, { terminal: true, answers: ["defect", "1"] });
    expect(ran.err).toContain("Type");
    expect(server.bugs.get(7)?.["type"]).toBe("defect");
  });

  test("gets clones with the type of the original, without its other fields", async () => {
    const ran = await run("bug clone 6 -t Copy");
    expect([ran.code, ran.out]).toEqual([0, "7\n"]);
    const body = ran.requests.find(({ method }) => method === "POST")?.body;
    expect(body).toMatchObject({ type: "defect" });
    expect(Object.keys(body as object)).not.toContain("regressed_by");
  });
});

test("an update of existing rows sets them, and undo restores them", async () => {
  const rows = 'id,type,mentors,regressed_by\n6,task,admin@example.org,"2,9"\n';
  const env = { HOME: freshFolder() };
  const imported = await run(`bug import ${fileOf(rows)} --yes`, { env });
  expect(updates(imported)).toEqual([{ ids: [6], type: "task", regressed_by: { add: [9], remove: [1] } }]);
  const undone = await run("bug undo 6", { env });
  expect(updates(undone)).toEqual([{ ids: [6], type: "defect", regressed_by: { add: [1], remove: [9] } }]);
});

test("completion offers the fields that --field sets", async () => {
  expect((await run("complete -- bug create --field ty")).out).toBe("type=\tType\n");
  expect((await run("complete -- bug update 6 --field votes")).out).toBe("");
});

test("a field whose values the tracker does not list takes any value", async () => {
  const ran = await run("bug update 6 --field status-firefox109=");
  expect(updates(ran)).toEqual([{ ids: [6], cf_status_firefox109: "---" }]);
});

test("a new bug gets its alias as text", async () => {
  const ran = await run(`${NEW_BUG} --field type=task --alias noise`);
  expect([ran.code, ran.out]).toEqual([0, "7\n"]);
  expect(asked(ran).find((line) => line.startsWith("POST"))).toContain('"alias":"noise"');
});

test("a type that the tracker replaces is not applied, and overwrites nobody's change", async () => {
  const ran = await run("bug update 6 --field type=task --add-keywords regression");
  expect([ran.code, ran.out]).toEqual([10, "6\tapplied\n"]);
  expect(ran.err).toMatch(/^bt: bug 6: not applied: type\n/);
  expect(ran.err).not.toContain("overwrote");
});
