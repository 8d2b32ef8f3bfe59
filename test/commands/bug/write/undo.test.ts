import { describe, expect, test } from "vitest";
import { type Around, updates } from "../../../bt.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

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

const elsewhere = () => ({ env: { HOME: freshFolder() } });

test("a dry run shows the request, sends nothing, and names what stays", async () => {
  const run = await changed("bug update 40 --add-cc mei@example.org --work-time 1 -m Seen");
  const ran = await run("bug undo 40 --dry-run");
  expect([ran.code, updates(ran), ran.out]).toEqual([10, [], "40\twould change\tcc: - mei@example.org\n"]);
  expect(ran.err).toMatch(/would send PUT [\s\S]*comment not undone: [\s\S]*work_time not undone: hours stay\n/);
});

test("a job is undone on all its bugs, the last one first, by one read and an update of each", async () => {
  const run = await changed("bug update 44 48 --severity minor");
  const ran = await run(`bug undo --job ${await newestJob(run)}`);
  expect(ran).toMatchObject({ code: 0, out: "48\tapplied\n44\tapplied\n" });
  expect(ran.requests.filter(({ path }) => path.startsWith("/rest/bug"))).toHaveLength(3);
  expect((await run("bug get 44 48 --fields severity")).out).toBe("normal\nblocker\n");
});

test.each(["44 48", MANY])("an undo is redone by its job alone, and that is undone again: %s", async (bugs) => {
  const run = await changed(`bug update ${bugs} --severity minor --yes`);
  const severities = async () => (await run(`bug get ${bugs} --fields severity`)).out;
  const before = (await demo()(`bug get ${bugs} --fields severity`)).out;
  const changedTo = await severities();
  await run(`bug undo ${bugs} --yes`);
  expect(await severities()).toBe(before);
  const undo = await newestJob(run);
  const again = await run("bug undo 44 --yes");
  const reason = /nothing to undo\n +bug 44: /;
  expect([again.code, updates(again), again.err]).toEqual([1, [], expect.stringMatching(reason)]);
  expect((await run(`bug undo --job ${undo} --yes`)).code).toBe(0);
  expect(await severities()).toBe(changedTo);
  expect((await run(`bug undo --job ${await newestJob(run)} --yes`)).code).toBe(0);
  expect(await severities()).toBe(before);
});

test("bugs that were last changed by different commands are undone", async () => {
  const run = await changed("bug update 48 --severity minor", "bug update 11 44 --severity minor");
  const ran = await run("bug undo 11 44 48");
  expect([ran.code, updates(ran).flatMap(({ ids }) => ids)]).toEqual([0, [11, 44, 48]]);
});

test("a text of which others changed tokens since is listed, not taken apart", async () => {
  const run = await changed("bug update 44 --whiteboard '[x] [y]'", "bug update 44 --add-whiteboard [z]");
  await run("bug update 44 --add-whiteboard [later]", elsewhere());
  const { code, err } = await run("bug undo 44");
  expect([code, err]).toEqual([10, expect.stringContaining("whiteboard not undone: it was changed since")]);
});

test("what is not undone is listed with exit code 10; if that is all, nothing is sent", async () => {
  const run = await changed("bug update 44 45 --priority High --whiteboard hot", "bug update 45 --priority Low");
  const [, { job }] = JSON.parse((await run("job list --last --json")).out);
  const ran = await run(`bug undo --job ${job}`);
  const line = 'bug 45: priority not undone: it was changed since; it is now "Low", not "High"\n';
  expect([ran.code, ran.err]).toEqual([10, expect.stringContaining(line)]);
  const again = await run(`bug undo --job ${job}`);
  expect([again.code, updates(again)]).toEqual([10, []]);
  const none = await run("bug undo 43");
  const reason = "bug 43: this machine's journal has no change by you (tomas@example.org)\n";
  expect([none.code, updates(none), none.err]).toEqual([1, [], expect.stringContaining(reason)]);
});

test("values that are back are nothing to undo", async () => {
  const run = await changed("bug update 11 --version 3.0");
  await run("bug update 11 --version 3.2", elsewhere());
  const err = "bt: nothing to undo\n";
  expect(await run("bug undo 11")).toMatchObject({ code: 1, out: "", err });
});

test.each([
  ["bug undo", "name bugs, or a job with --job"],
  ["bug undo 11 --job 01KB3XQ8Z5T4M7W2N9P6R1S0VA", "no job"],
])("%s is refused before any request", async (line, message) => {
  expect(await demo()(line)).toMatchObject({ code: 2, requests: [], err: expect.stringContaining(message) });
});

test.each([
  ["comment add 44 -m Wrong", "comment not undone"],
  ["bug update 44 -m Wrong", "comment not undone"],
  ["bug update 44 --work-time 1", "work_time not undone: hours stay"],
])("%s is the last change, of which nothing is undone", async (line, reason) => {
  const run = await changed("bug update 44 --priority Low", line);
  const ran = await run("bug undo 44");
  expect([ran.code, updates(ran), ran.err]).toEqual([10, [], expect.stringContaining(reason)]);
});

describe("a status without a direct way back", () => {
  const TWO = [
    { ids: [48], status: "CONFIRMED" },
    { ids: [48], status: "IN_PROGRESS" },
  ];

  test("goes by another one, in the same job, which can be undone", async () => {
    const run = await changed("bug close 48");
    const preview = JSON.parse((await run("bug undo 48 --dry-run --json")).out);
    expect(preview).toMatchObject({
      requests: [{ body: { status: "CONFIRMED" } }, { body: { status: "IN_PROGRESS" } }],
      bugs: [{ changes: { status: { removed: "RESOLVED", added: "IN_PROGRESS" } } }],
    });
    const ran = await run("bug undo 48 -m Wrong. --json");
    expect([ran.code, updates(ran)]).toEqual([0, [{ ...TWO[0], comment: { body: "Wrong." } }, TWO[1]]]);
    expect(ran.err).not.toContain("overwrote");
    expect(JSON.parse(ran.out)[0].changes.status).toEqual({ removed: "RESOLVED", added: "IN_PROGRESS" });
    const again = await run(`bug undo --job ${await newestJob(run)}`);
    expect(updates(again)).toEqual([{ ids: [48], status: "RESOLVED", resolution: "FIXED" }]);
    expect((await run(`bug undo --job ${await newestJob(run)}`)).code).toBe(0);
    expect((await run("bug get 48 --fields status,resolution")).out).toBe("IN_PROGRESS\t---\n");
  });

  test("does so on many bugs, of which the others have one update", async () => {
    const ids = (await demo()("bug search is:open --all --format ids")).out.trim().replaceAll("\n", ",");
    const state = `bug get ${ids} --fields id,status,resolution`;
    const run = await changed(`bug close ${ids} --yes`);
    const ran = await run(`bug undo --job ${await newestJob(run)} --yes`);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("undo: bt bug undo --job ")]);
    expect((await run(state)).out).toBe((await demo()(state)).out);
    expect((await run(`bug undo --job ${await newestJob(run)} --yes`)).code).toBe(0);
    expect((await run(`bug get ${ids} --fields status`)).out).not.toContain("IN_PROGRESS");
  });
});

test("an alias that was handed on goes back, once the other bug has lost it", async () => {
  const run = await changed(
    "bug update 43 --add-alias nightly",
    "bug update 43 --remove-alias nightly",
    "bug update 44 --add-alias nightly",
  );
  const ran = await run("bug undo 43");
  expect([ran.code, ran.err]).toEqual([3, expect.stringMatching(/Bug 44 has already taken the alias nightly/)]);
  for (const line of ["bug undo 44", "bug undo 43"]) expect((await run(line)).code).toBe(0);
  expect((await run("bug get nightly --fields id")).out).toBe("43\n");
});

test("the last change is that of the journal, whatever the clock said", async () => {
  const run = await changed("bug update 40 --priority High");
  expect(await run("bug update 40 --severity minor", { now: "2026-11-19T12:00:00Z" })).toMatchObject({ code: 0 });
  const ran = await run("bug undo 40", { now: "2026-11-19T12:01:00Z" });
  expect(updates(ran)).toEqual([{ ids: [40], severity: expect.not.stringMatching("minor") }]);
});
