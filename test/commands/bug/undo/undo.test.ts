import { describe, expect, test } from "vitest";
import { type Around, updates } from "../../../bt.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

const PUT = ({ method }: { readonly method: string }) => method === "PUT";

/** A fresh demo, and a machine whose journal has changes of these lines; each line is a second later. */
async function changed(...lines: readonly string[]) {
  const [bt, env] = [demo(), { HOME: freshFolder() }];
  let second = 0;
  const run = (line: string, more: Partial<Around> = {}) => {
    second += 1;
    return bt(line, { env, ...more, now: `2026-11-20T12:00:${String(second).padStart(2, "0")}Z` });
  };
  for (const line of lines) expect(await run(line)).toMatchObject({ code: 0 });
  return run;
}

async function newestJob(run: Awaited<ReturnType<typeof changed>>): Promise<string> {
  return JSON.parse((await run("job list --last --json")).out)[0].job;
}

/** Too many bugs for one request; 17 is not visible. */
const MANY = Array.from({ length: 25 }, (_, at) => at + 1)
  .filter((id) => id !== 17)
  .join(",");

test("a dry run shows the request and what stays, and sends nothing", async () => {
  const run = await changed("bug update 40 --add-cc mei@example.org -m Seen");
  const ran = await run("bug undo 40 --dry-run");
  expect(ran.requests.filter(PUT)).toEqual([]);
  expect(ran).toMatchObject({
    code: 0,
    out: "40\twould change\tcc: - mei@example.org\t2026-11-20T12:00:00Z\t\n",
    err: expect.stringContaining("would send PUT /rest/bug/40\n"),
  });
  expect(ran.err).toContain("bug 40: comment not undone: comments are kept\n");
  const json = JSON.parse((await run("bug undo 40 --dry-run --json")).out);
  expect(json).toMatchObject({
    dry_run: true,
    bugs: [{ id: 40, undone: { who: "tomas@example.org" }, not_undone: [{ field: "comment" }] }],
  });
});

test("what is not undone ends the output also after a prompt, behind the comments, which always stay", async () => {
  const run = await changed(`bug update ${MANY} --priority Highest -m Urgent --yes`, "bug update 4 --priority Low");
  const [, { job }] = JSON.parse((await run("job list --last --json")).out);
  const ran = await run(`bug undo --job ${job}`, { terminal: true, answers: ["y"] });
  expect(ran.code, ran.err).toBe(10);
  const [shown, end] = ran.err.split("[y/N] ");
  expect(shown).toContain("comment not undone: comments are kept\n");
  expect(end).toMatch(
    /bt: the change was only partly undone\n {4}bug 4: priority not undone: it was changed since[^\n]*\n {4}some changes were made\n$/,
  );
});

test("several bugs are undone by a request for each set of values, with a comment", async () => {
  const run = await changed("bug update 44 48 --severity minor");
  const ran = await run("bug undo 44 48 -m Sorry");
  expect(ran).toMatchObject({
    code: 0,
    out: "44\tdone\tseverity: minor -> normal; comment\t2026-11-20T12:00:00Z\t\n48\tdone\tseverity: minor -> blocker; comment\t2026-11-20T12:00:00Z\t\n",
  });
  expect(updates(ran)).toEqual([
    { ids: [44], severity: "normal", comment: { body: "Sorry" } },
    { ids: [48], severity: "blocker", comment: { body: "Sorry" } },
  ]);
  const [{ job }] = JSON.parse((await run("job list --last --json")).out);
  expect((await run(`bug undo --job ${job} --dry-run`)).out).toMatch(/^44\t.*\n48\t.*\n$/); // both updates are of one command
  expect((await run("bug undo 48 44 --dry-run")).out).toMatch(/^48\t.*\n44\t.*\n$/);
});

test.each(["44 48", MANY])("an undo of an undo redoes the change, and the next one undoes that: %s", async (bugs) => {
  const run = await changed(`bug update ${bugs} --severity minor --yes`);
  const newest = () => newestJob(run);
  const change = await newest();
  const first = await run(`bug undo --job ${change} --yes`);
  expect(first.err).toMatch(RegExp(`^undoing job ${change} of [^ ]+Z: bugs `));
  const undo = await newest();
  const again = await run(`bug undo --job ${undo} --yes`);
  expect(again.err).toMatch(RegExp(`^redoing job ${change}, undone by job ${undo} of [^ ]+Z: bugs `));
  const redo = await newest();
  expect((await run(`bug undo ${bugs} --yes`)).err).toMatch(RegExp(`^undoing job ${redo} of [^ ]+Z: bugs `));
  expect((await run(`bug undo --job ${await newest()} --yes`)).err).toMatch(RegExp(`^redoing job ${redo}, undone by `));
});

describe("bugs that were last changed by different commands", () => {
  /** Bugs 11 and 44 as they were changed together, and bug 48, which a command before left as it is. */
  async function changedApart() {
    const run = await changed("bug update 48 --severity minor", "bug update 11 44 48 --severity minor");
    const jobs = JSON.parse((await run("job list --last --json")).out).map(({ job }: { job: string }) => job);
    const lines = [
      `job ${jobs[0]} of 2026-11-20T12:00:00Z: bugs 11, 44`,
      `job ${jobs[1]} of 2026-11-20T12:00:00Z: bug 48`,
    ];
    return { run, jobs, lines };
  }

  test.each(["", " --yes"])("are not undone in a pipe, but named with their jobs%s", async (flag) => {
    const { run, jobs, lines } = await changedApart();
    const ran = await run(`bug undo 11 44 48${flag}`);
    expect(ran.requests.filter(PUT)).toEqual([]);
    expect([ran.code, ran.err.split("\n").slice(0, -1)]).toEqual([
      2,
      [
        "bt: these bugs were last changed by 2 jobs",
        ...lines.map((line) => `    ${line}`),
        `hint: bt bug undo --job ${jobs[0]} undoes the first, on all of its bugs`,
      ],
    ]);
    expect((await run(`bug undo --job ${jobs[0]}`)).out).toMatch(/^11\t.*\n44\t.*\n$/);
  });

  test("are named by a dry run", async () => {
    const { run, lines } = await changedApart();
    const { code, err } = await run("bug undo 11 44 48 --dry-run");
    expect([code, err.split("\n").slice(0, 2)]).toEqual([0, lines.map((line) => `undoing ${line}`)]);
  });

  test.each([
    ["no", 13, 0],
    ["yes", 0, 2],
  ])("are asked about on a terminal, also with --yes: %s", async (answer, code, sent) => {
    const { run, lines } = await changedApart();
    const ran = await run("bug undo 11 44 48 --yes", { terminal: true, answers: [answer] });
    expect([ran.code, updates(ran).length]).toEqual([code, sent]);
    const asked = `undoing ${lines.join("\nundoing ")}\nbugs 11, 44, 48: to restore: severity\nundo the changes of 2 jobs?`;
    expect(ran.err).toContain(asked);
  });
});

describe("without bugs, the last command", () => {
  const lines = ["bug update 30 --severity minor", "bug update 44 48 --severity minor"];

  test("is offered on a terminal", async () => {
    const run = await changed(...lines);
    const ran = await run("bug undo", { terminal: true, answers: ["the last change"] });
    expect(ran.err).toMatch(
      /^ {2}the last change: 2 bugs: #44 Import: .* and 1 more, just now\n {2}#[\s\S]*\nchange or bug: /,
    );
    expect([ran.code, updates(ran).map(({ ids }) => ids)]).toEqual([0, [[44], [48]]]);
  });

  test("is listed with the bugs that were changed before and are not undone, newest first", async () => {
    const run = await changed(...["46", "38", "30"].map((bug) => `bug update ${bug} --severity minor`));
    await run("bug undo 30 --yes");
    const { err } = await run("bug undo", { terminal: true, answers: ["38"] });
    expect(err).toMatch(/^ {2}redo what you undid last: #30 .*\n {2}#38 .*\n {2}#46 .*\nchange or bug: /);
  });

  test("is named in a pipe", async () => {
    const run = await changed(...lines);
    const { code, err, requests } = await run("bug undo");
    const [, job] =
      /^hint: your last change \(2 bugs: #44 Import: .* and 1 more, just now\): bt bug undo --job (\w+)$/m.exec(err) ??
      [];
    expect([code, requests.filter(PUT)]).toEqual([2, []]);
    expect((await run(`bug undo --job ${job}`)).out).toMatch(/^44\t.*\n48\t.*\n$/);
  });
});

test.each([
  ["one bug", "44"],
  ["many bugs", "2 3 4 5 6 8 9 10 11 13 14 15 16 19 21 22 24 27 29 31 33 36 44"],
])("of a text only the tokens that were added and removed are undone, whatever others added: %s", async (_, bugs) => {
  const run = await changed(
    "bug update 44 --whiteboard '[x] [y]'",
    `bug update ${bugs} --remove-whiteboard [x] --add-whiteboard [z] --yes`,
  );
  await run("bug update 44 --add-whiteboard [later]", { env: { HOME: freshFolder() } });
  const undone = await run(`bug undo 44`);
  expect([undone.code, undone.out]).toEqual([
    0,
    "44\tdone\twhiteboard: [y] [z] [later] -> [y] [later] [x]\t2026-11-20T12:00:00Z\t\n",
  ]);
});

describe("the last change is undone once", () => {
  const lines = ["bug update 44 --severity trivial", "bug update 44 48 --severity minor -m Sorry"];

  test.each(["bug undo 44 48", "bug undo 44 48 --yes"])("in a pipe, where only its job redoes it: %s", async (line) => {
    const run = await changed(...lines);
    const change = await newestJob(run);
    expect((await run(line)).code).toBe(0);
    const undo = await newestJob(run);
    const err = `bt: job ${change} is already undone by job ${undo}\nhint: to redo it: bt bug undo --job ${undo}\n`;
    for (const again of [line, `bug undo --job ${change} --yes`, `bug undo --job ${change} --dry-run`])
      expect(await run(again)).toMatchObject({ code: 1, out: "", err });
    expect((await run("bug undo")).err).toMatch(/ is an undo; to redo: bt bug undo --job \w+\n$/);
    expect((await run(`bug undo --job ${undo}`)).out).toMatch(/^44\tdone\tseverity: trivial -> minor\t.*\n48\t/);
  });

  test.each([
    ["no", 13, 0],
    ["yes", 0, 1],
  ])("on a terminal, which prompts for a redo: %s", async (answer, code, sent) => {
    const run = await changed("bug update 11 --version 3.0", "bug undo 11");
    const ran = await run("bug undo 11 --yes", { terminal: true, answers: [answer] });
    expect(ran.err).toMatch(
      /^redoing job \w+, undone by job \w+ of .*: bug 11\nbug 11: to restore: version\nredo what was undone\?/,
    );
    expect([ran.code, updates(ran).length]).toEqual([code, sent]);
  });

  test("its job undoes the other bugs later", async () => {
    const run = await changed(...lines);
    const change = await newestJob(run);
    await run("bug undo 44");
    const undo = await newestJob(run);
    const ran = await run(`bug undo --job ${change} --json`);
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([
      0,
      [
        { id: 44, result: "unchanged", undone: null, not_undone: [] },
        { id: 48, result: "done", undone: { job: change } },
      ],
    ]);
    const both = await run(`bug undo --job ${change}`);
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining(` is already undone by jobs ${undo}, `) });
    await run(`bug undo --job ${await newestJob(run)}`);
    expect((await run(`bug undo --job ${change}`)).err).toMatch(
      RegExp(
        `^undoing job ${change} of .*: bug 48\nbug 44: already undone by job ${undo}\n[^]*bug 48: undone: severity; comment`,
      ),
    );
  });
});

describe("a job of which a part cannot be undone", () => {
  /** Changes three bugs, of which others then change one in part and one in whole, and undoes that; returns both jobs. */
  async function partlyUndone() {
    const run = await changed("bug update 44 45 46 --priority High --whiteboard hot");
    const change = await newestJob(run);
    for (const line of ["45 --priority Low", "46 --priority Low --whiteboard cold"]) await run(`bug update ${line}`);
    const first = await run(`bug undo --job ${change}`);
    expect(first).toMatchObject({ code: 10, err: expect.stringContaining("bt: the change was only partly undone\n") });
    return { run, change, undo: await newestJob(run) };
  }

  test("is partly undone wherever it is named, with what is left", async () => {
    const { run, change, undo } = await partlyUndone();
    const state = `applied, partly undone by ${undo}; left: 45 (priority), 46`;
    const row = async (line: string) =>
      JSON.parse((await run(`${line} --json`)).out).find(({ job }: { job: string }) => job === change);
    expect(await row("job list --last")).toMatchObject({ state, undone_by: [undo] });
    expect(await row(`job show ${change}`)).toMatchObject({ state, undone_by: [undo] });
    const list = await run("job list --last", { terminal: true, columns: 120 });
    expect(list.out).toMatch(/^now +bug update +44, 45, 46 +applied, partly undone /m);
    const again = await run(`bug undo --job ${change}`);
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toMatch(
      RegExp(
        `^bt: job ${change} is partly undone by job ${undo}\n {4}bugs 45, 46: priority not undone: [^]*\n {4}bug 46: whiteboard not undone: [^]*\nhint: to redo it`,
      ),
    );
    const ofBug = `bt: job ${change} is partly undone by job ${undo}\n    bug 45: priority not undone\n`;
    expect(await run("bug undo 45")).toMatchObject({ code: 1, err: expect.stringContaining(ofBug) });
    const whole = `bt: job ${change} is already undone by job ${undo}\n`;
    expect(await run("bug undo 44")).toMatchObject({ code: 1, err: expect.stringContaining(whole) });
    const prompt = await run("bug undo 45", { terminal: true, answers: ["n"] });
    expect(prompt.err).toContain(`redoing job ${change}, partly undone by job ${undo} of `);
  });

  test("is undone once the rest is, whatever else was changed meanwhile", async () => {
    const { run, change } = await partlyUndone();
    await run("bug update 45 --priority High --whiteboard mild");
    await run("bug update 46 --priority High --whiteboard hot");
    expect(await run(`bug undo --job ${change}`)).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("not undone"),
    });
    const [rest] = JSON.parse((await run(`job show ${change} --json`)).out);
    expect(rest.state).toMatch(/^applied, undone by \w+(, \w+)*$/);
    expect(await run(`bug undo --job ${change}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is already undone by jobs "),
    });
  });
});

test("a bug that a bulk update only commented on is named, with its comment, which stays", async () => {
  const run = await changed("bug update 44 --priority High", "bug update 44 45 --priority High -m Urgent");
  const change = await newestJob(run);
  const plan = await run(`bug undo --job ${change} --dry-run`);
  expect([plan.code, plan.err]).toEqual([
    0,
    expect.stringMatching(/: bugs 44, 45\n[\s\S]*bugs 44, 45: comment not undone: comments are kept\n$/),
  ]);
  const ran = await run(`bug undo --job ${change}`);
  expect([ran.code, ran.out]).toEqual([
    0,
    expect.stringMatching(/^44\tunchanged\t[\s\S]*\n45\tdone\tpriority: High -> Normal\t/),
  ]);
  expect(ran.err).toMatch(/\nbug 44: comment 1 stays\nbug 45: undone: priority; comment \d stays\n$/);
  expect(await run(`bug undo --job ${change}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining(" is already undone by "),
  });
  await run("bug update 44 --priority High -m Still");
  const only = await run(`bug undo --job ${await newestJob(run)}`);
  expect([only.code, only.err]).toEqual([
    1,
    expect.stringMatching(/ changed no fields\n {4}bug 44: your comment of .* stays; bt comment list 44 shows it\n/),
  ]);
});

test("nothing to undo is exit code 1, a later change of all fields 11, part of it 10; nothing is sent for the first two", async () => {
  const run = await changed("bug update 21 --add-cc mei@example.org");
  expect(await run("bug undo 44")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("this machine's journal has no change of bug 44 by you (tomas@example.org)\n"),
  });
  expect(await run("bug undo 21 44")).toMatchObject({
    code: 10,
    err: expect.stringContaining("bug 44: last change not undone: not in this machine's journal\n"),
  });
  const [elsewhere, later] = [demo(), { HOME: freshFolder() }];
  await elsewhere("bug update 11 --version 3.0", { env: later });
  await elsewhere("bug update 11 --version 3.1"); // by a machine without a journal
  const ran = await elsewhere("bug undo 11", { env: later });
  expect(ran.requests.filter(PUT)).toEqual([]);
  expect(ran).toMatchObject({
    code: 11,
    err: expect.stringContaining('version not undone: it was changed since; it is now "3.1", not "3.0"\n'),
  });
});

test("of many bugs that are not undone for one reason the first are named, with the number of the others", async () => {
  const run = await changed("bug update 21 --add-cc mei@example.org");
  expect(await run("bug undo 21 1 2 3 4 5 6 7 8 9 10 11 12")).toMatchObject({
    code: 10,
    err: expect.stringContaining(
      "bugs 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more: last change not undone: not in this machine's journal\n",
    ),
  });
});

test("hours alone are nothing to undo, nor are values that are back", async () => {
  const run = await changed("bug update 25 --work-time 1");
  expect(await run("bug undo 25")).toMatchObject({
    code: 1,
    err: expect.stringContaining("work_time not undone: hours are kept\n"),
  });
  const [elsewhere, env] = [demo(), { HOME: freshFolder() }];
  await elsewhere("bug update 11 --version 3.0", { env });
  await elsewhere("bug update 11 --version 3.2");
  expect(await elsewhere("bug undo 11", { env })).toMatchObject({
    ...{ code: 1, out: "" },
    err: "bt: nothing to undo: bug 11 already has the values from before the change\n",
  });
});

test("a job is undone on all its bugs, of a local tracker too", async () => {
  const run = await changed("bug update 44 48 --severity minor");
  const [{ job }] = JSON.parse((await run("job list --last --json")).out);
  expect(await run(`bug undo --job ${job}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^44\tdone\tseverity: minor -> normal\t/m),
  });
});

test.each([
  ["bug undo", "name bugs, or a job with --job"],
  ["bug undo 11 --job 01KB3XQ8Z5T4M7W2N9P6R1S0VA", "--job and bugs cannot be used together"],
])("%s is refused before any request", async (line, message) => {
  expect(await demo()(line)).toMatchObject({ code: 2, requests: [], err: expect.stringContaining(message) });
});

test("after undoing a change with a comment, a line says what was undone and which comment stays", async () => {
  const run = await changed("bug update 44 --priority Low -a ada@example.org -m Seen");
  const count = JSON.parse((await run("comment list 44 --json")).out).length - 1;
  const { code, err } = await run("bug undo 44");
  expect(code).toBe(0);
  expect(err.split("\n").slice(1)).toEqual([`undone: priority, assignee; comment ${count} stays`, ""]);
});

test.each([
  ["no", 13, 0],
  ["yes", 0, 1],
])("a change of more than a day ago is asked about on a terminal: %s", async (answer, code, sent) => {
  const [bt, env] = [demo(), { HOME: freshFolder() }];
  await bt("bug update 44 --priority Low", { env });
  const recent = { env, terminal: true, now: "2026-11-21T11:59:00Z", answers: [] };
  expect((await bt("bug undo 44 --dry-run", recent)).code).toBe(0);
  const old = { ...recent, now: "2026-11-21T12:01:00Z", answers: [answer] };
  const ran = await bt("bug undo 44", old);
  expect([ran.code, updates(ran).length]).toEqual([code, sent]);
  expect(ran.err).toContain("undo a change of 2026-11-20T12:00:00Z?");
});

test.each([
  ["bug dup 45 44", "status, resolution, duplicate of"],
  ["bug close 45 --as WONTFIX -m No.", "status, resolution"],
])("a prompt is about the fields that it would restore: %s", async (line, fields) => {
  const [bt, env] = [demo(), { HOME: freshFolder() }];
  await bt(line, { env });
  const ran = await bt("bug undo 45", { env, terminal: true, now: "2026-11-22T12:00:00Z", answers: ["no"] });
  expect(ran.err).toContain(`: bug 45\nbug 45: to restore: ${fields}\nbug 45: comment not undone: comments are kept`);
});

describe("a comment, which stays", () => {
  const STAYS =
    /bug 44: your comment of 2026-11-20T12:00:0\dZ stays; bt bug update 44 --comment-is-private (\d+)=yes hides it\n/;

  test("is named if there is nothing else to undo, with the command that hides it", async () => {
    const run = await changed("comment add 44 -m Wrong");
    const ran = await run("bug undo 44");
    expect([ran.code, updates(ran)]).toEqual([1, []]);
    expect(ran.err).toContain("has no change of bug 44 by you (tomas@example.org) but comments\n");
    const [, comment] = STAYS.exec(ran.err) ?? [];
    expect((await run(`bug update 44 --comment-is-private ${comment}=yes`)).code).toBe(0);
    expect(JSON.parse((await run("comment list 44 --json")).out).at(-1).is_private).toBe(true);
  });

  test.each(["comment add 44 -m Wrong", "bug update 44 -m Wrong"])(
    "is not passed over: the change before it is undone by its job: %s",
    async (line) => {
      const run = await changed("bug update 44 --priority Low", line);
      const bare = await run("bug undo");
      expect([bare.code, updates(bare)]).toEqual([2, []]);
      expect(bare.err).toMatch(
        /^bt: name bugs.*\n {4}bug 44: your comment of .* stays; .*\nhint: your last change \(#44 Import/,
      );
      const ran = await run("bug undo 44");
      expect([ran.code, updates(ran)]).toEqual([1, []]);
      expect(ran.err).toMatch(/you commented after your last change.*\n {4}bug 44: your comment of .* stays; /);
      const [, job] = /bt bug undo --job (\w+)/.exec(ran.err) ?? [];
      expect(await run(`bug undo --job ${job}`)).toMatchObject({
        code: 0,
        out: "44\tdone\tpriority: Low -> Normal\t2026-11-20T12:00:00Z\t\n",
      });
    },
  );
});

test("a closed bug that was in progress gets its status back by two updates, which can be undone together", async () => {
  const run = await changed("bug close 48");
  const two = [
    { ids: [48], status: "CONFIRMED" },
    { ids: [48], status: "IN_PROGRESS" },
  ];
  const line = "bug 48: RESOLVED does not lead to IN_PROGRESS, so that two updates set CONFIRMED, then IN_PROGRESS\n";
  const preview = await run("bug undo 48 --dry-run --json");
  expect([preview.code, JSON.parse(preview.out)]).toMatchObject([
    0,
    {
      requests: [{ body: { status: "CONFIRMED" } }, { body: { status: "IN_PROGRESS" } }],
      bugs: [{ changes: { status: { removed: "RESOLVED", added: "IN_PROGRESS" } } }],
    },
  ]);
  const ran = await run("bug undo 48 -m Wrong.");
  expect([ran.code, updates(ran)]).toEqual([0, [{ ...two[0], comment: { body: "Wrong." } }, two[1]]]);
  expect(ran).toMatchObject({
    out: expect.stringContaining("status: RESOLVED -> IN_PROGRESS; resolution: - FIXED; comment\t"),
    err: expect.stringContaining(line),
  });
  const again = await run("bug undo 48", { terminal: true, answers: ["y"] });
  expect(again.err).toContain("redo what was undone? [y/N]");
  expect(updates(again)).toEqual([{ ids: [48], status: "RESOLVED", resolution: "FIXED" }]);
  expect((await run("bug undo 48", { terminal: true, answers: ["y"] })).code).toBe(0);
  expect((await run("bug get 48 --fields status,resolution")).out).toBe("IN_PROGRESS\t---\n");
});

test("so do many bugs, of which the others have one update", async () => {
  const ids = (await demo()("bug search is:open --all --format ids")).out.trim().replaceAll("\n", ",");
  const state = `bug get ${ids} --fields id,status,resolution`;
  const run = await changed(`bug close ${ids} --yes`);
  const job = await newestJob(run);
  const preview = await run(`bug undo --job ${job}`, { terminal: true, answers: ["n"] });
  expect(preview.err).toMatch(
    /bugs 48, .*5: RESOLVED does not lead to IN_PROGRESS, so that two updates set [\s\S]*\[y\/N/,
  );
  const ran = await run(`bug undo --job ${job} --yes`);
  expect(ran).toMatchObject({ code: 0, err: expect.stringContaining("undo: bt bug undo --job ") });
  expect(ran.out).toContain("\n48\tdone\tstatus: RESOLVED -> IN_PROGRESS; resolution: - FIXED\t");
  expect((await run(state)).out).toBe((await demo()(state)).out);
  expect(new Set(updates(ran).map(({ status }) => status))).toEqual(
    new Set(["CONFIRMED", "IN_PROGRESS", "UNCONFIRMED"]),
  );
  const again = await run(`bug undo --job ${await newestJob(run)} --yes`);
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringContaining("\n48\tdone\tstatus: IN_PROGRESS -> RESOLVED; "),
  ]);
});

test("the undo of a duplicate says what stays at its original", async () => {
  const run = await changed("bug dup 44 46");
  const kept = "bug 46 keeps its comment about the duplicate, and whom that added to its CC\n";
  expect((await run("bug undo 44 --dry-run")).err).toContain(`bug 44: comment not undone: comments are kept; ${kept}`);
  const ran = await run("bug undo 44");
  expect([ran.code, ran.err]).toEqual([0, expect.stringMatching(/undone: status, .*; comment 1 stays; bug 46 keeps /)]);
});

test("a verified bug that was opened is verified again by two updates", async () => {
  const run = await changed("bug reopen 14");
  expect(await run("bug undo 14")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/status: \w+ -> VERIFIED; resolution: \+ /),
  });
  const fresh = await demo()("bug get 14 --fields status,resolution");
  expect((await run("bug get 14 --fields status,resolution")).out).toBe(fresh.out);
});

test("an alias that another bug has now stays there, with the command that frees it", async () => {
  const run = await changed(
    "bug update 43 --add-alias nightly",
    "bug update 43 --remove-alias nightly",
    "bug update 44 --add-alias nightly",
  );
  const ran = await run("bug undo 43");
  expect([ran.code, updates(ran)]).toEqual([1, []]);
  const line = "bug update 44 --remove-alias nightly";
  expect(ran.err).toContain(`bug 43: alias not undone: bug 44 has "nightly" now; bt ${line} frees it\n`);
  await run(line);
  expect((await run("bug undo 43")).out).toBe("43\tdone\talias: + nightly\t2026-11-20T12:00:00Z\t\n");
});

test("what an undo of many bugs cannot undo is named before the prompt", async () => {
  const all = Array.from({ length: 48 }, (_, at) => at + 1).filter((id) => ![17, 28].includes(id));
  const run = await changed(`bug update ${all} --severity trivial -m Seen --yes`, "bug update 2 --severity blocker");
  const [, { job }] = JSON.parse((await run("job list --last --json")).out);
  const ran = await run(`bug undo --job ${job}`, { terminal: true, answers: ["n"] });
  expect([ran.code, updates(ran)]).toEqual([13, []]);
  expect(ran.err.split("this would update")[0]).toMatch(
    /\nbug 2: severity not undone: it was changed since; it is now "blocker", not "trivial"/,
  );
});

test("a flag that somebody else changed since is listed, a flag that is as it was before is not", async () => {
  const run = await changed("bug update 40 --flags review?", "bug update 41 --flags review?");
  const theirs = { login: "mei@example.org", env: { HOME: freshFolder() } };
  expect(await run("bug update 40 --flags review+", theirs)).toMatchObject({ code: 0 });
  expect(await run("bug update 41 --flags reviewX", theirs)).toMatchObject({ code: 0 });
  const ran = await run("bug undo 40");
  expect([ran.code, updates(ran)]).toEqual([11, []]);
  expect(ran.err).toContain("flags not undone: review? was changed since");
  expect(await run("bug undo 41")).toMatchObject({ code: 1 });
});

test("the last change is that of the journal, whatever the clock said", async () => {
  const run = await changed("bug update 40 --priority High");
  expect(await run("bug update 40 --severity minor", { now: "2026-11-19T12:00:00Z" })).toMatchObject({ code: 0 });
  const ran = await run("bug undo 40", { now: "2026-11-19T12:01:00Z" });
  expect(updates(ran)).toEqual([{ ids: [40], severity: expect.not.stringMatching("minor") }]);
});
