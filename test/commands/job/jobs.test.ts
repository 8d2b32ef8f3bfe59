import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FATES, type Faults, nth, once } from "../../faults/faulty-tracker.ts";
import { jobIn, jobsOf, type Ran, ran } from "../../faults/ran.ts";
import { answer } from "../../servers/fault-server.ts";

const TEXT = '{"error":true,"code":112,"message":"no"}';
const REFUSED: Faults = { write: once(({ socket }) => void socket.write(answer(TEXT, { status: "400 No" }))) };
const COMMENTS = "SELECT count(*) FROM comments WHERE text = 'One'";

function journal({ home }: Ran, name: string, kind: "open" | "finished" = "open"): string {
  return join(home, ".local/state/bt/jobs", kind === "open" ? "" : kind, `${name}.jsonl`);
}

/** A job whose process was killed once these lines of its journal were written; it began `age` ms ago. */
async function killed(line: string, lines: number, age = 0) {
  const run = await ran(line, {});
  const name = String(jobsOf(run.home, "finished")[0]?.replace(".jsonl", ""));
  const [head = "", ...rest] = readFileSync(journal(run, name, "finished"), "utf8").split("\n");
  const job = name.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const at = JSON.parse(head).at - age;
  const text = [JSON.stringify({ ...JSON.parse(head), job, at }), ...rest].slice(0, lines).join("\n");
  writeFileSync(journal(run, job), `${text}\n`);
  return { ...run, job };
}

describe("a job has one state, in each list", () => {
  test.each<[string, Faults, string, string]>([
    ["comment add 43 -m One", { write: once(FATES.badGatewayBefore) }, "unknown", "unknown outcome"],
    ["comment add 43 -m One", {}, "done", "applied"],
    ["comment add 43 -m One", REFUSED, "done", "refused"],
  ])("%s %#", async (line, faults, status, state) => {
    const run = await ran(line, faults);
    const name = [...jobsOf(run.home, "open"), ...jobsOf(run.home, "finished")][0]?.replace(".jsonl", "");
    const row = { job: name, status, state };
    expect(JSON.parse((await run.again(`job show ${name?.toLowerCase()} --json`)).out)).toMatchObject([row]);
    expect(JSON.parse((await run.again("job list --last --json")).out)).toMatchObject([row]);
    expect(JSON.parse((await run.again("job list --json")).out)).toMatchObject(status === "done" ? [] : [row]);
  });

  test.each([
    [2, "unfinished", "not sent"],
    [3, "unknown", "unknown outcome"],
  ])("after a kill behind %i lines", async (lines, status, state) => {
    const run = await killed("comment add 43 -m One", lines);
    expect(JSON.parse((await run.again("job list --json")).out)).toMatchObject([{ job: run.job, status, state }]);
  });

  test("whose last line may be cut at any byte", async () => {
    const run = await killed("comment add 43 -m One", 4);
    const whole = readFileSync(journal(run, run.job), "utf8");
    for (let at = whole.length - 1; at > whole.indexOf("\n"); at -= 61) {
      writeFileSync(journal(run, run.job), whole.slice(0, at));
      expect((await run.again("job list --json")).code, `cut at ${at}`).toBe(0);
    }
  });
});

test("what is not found is sent again with --yes alone, once a minute has passed", async () => {
  const run = await ran("comment add 43 -m One", { write: once(FATES.badGatewayBefore) });
  const job = jobIn(run.err);
  expect(await run.again(`job send ${job}`)).toMatchObject({ code: 9, out: "" });
  expect(run.tracker.writes()).toHaveLength(1);
  const sent = await run.again(`job send ${job.toLowerCase()} --yes`);
  expect([sent.code, run.tracker.count(COMMENTS), jobsOf(run.home, "open")]).toEqual([0, 1, []]);
  const err = `note: job ${job} is already complete\n`;
  expect(await run.again(`job send ${job}`)).toMatchObject({ code: 0, out: "", err });
});

test("a write that is applied after the looks is found by job send, and not sent again", async () => {
  const late: (() => Promise<unknown>)[] = [];
  const run = await ran("comment add 43 -m One", {
    write: once(({ apply, socket }) => {
      late.push(apply);
      socket.resetAndDestroy();
    }),
  });
  expect(run.code).toBe(9);
  await late[0]?.();
  expect(await run.again(`job send ${jobIn(run.err)} --yes`)).toMatchObject({ code: 0 });
  expect([run.tracker.writes().length, run.tracker.count(COMMENTS)]).toEqual([1, 1]);
});

test("a write that was journaled before a restart of the machine, whose monotonic clock began anew, is found", async () => {
  const late: (() => Promise<unknown>)[] = [];
  const run = await ran("comment add 43 -m One", {
    write: once(({ apply, socket }) => {
      late.push(apply);
      socket.resetAndDestroy();
    }),
  });
  await late[0]?.();
  const file = journal(run, jobIn(run.err));
  const [head, planned, sent = "", ...rest] = readFileSync(file, "utf8").split("\n");
  const older = JSON.stringify({ ...JSON.parse(sent), left: undefined, ticks: 1e12 });
  writeFileSync(file, [head, planned, older, ...rest].join("\n"));
  expect(await run.again(`job send ${jobIn(run.err)}`)).toMatchObject({ code: 0 });
});

test("a write that is applied while job send waits is found, and not sent again", async () => {
  const late: (() => Promise<unknown>)[] = [];
  let looks = 0;
  const run = await ran("comment add 43 -m One", {
    write: once(({ apply, socket }) => {
      late.push(apply);
      socket.resetAndDestroy();
    }),
    read: async ({ request, pass }) => {
      await pass();
      if (request.path === "/rest/bug/43/comment" && ++looks === 6) await late[0]?.(); // five looks were before
    },
  });
  expect(run.code).toBe(9);
  expect(await run.again(`job send ${jobIn(run.err)} --yes`)).toMatchObject({ code: 0 });
  expect([run.tracker.writes().length, run.tracker.count(COMMENTS)]).toEqual([1, 1]);
});

test("a write that must not be sent any more is refused, and its text stays in the job", async () => {
  const run = await ran("bug update 43 --whiteboard mine -m Precious", { write: once(FATES.badGatewayBefore) });
  await run.again("bug update 43 --whiteboard theirs");
  const job = jobIn(run.err);
  expect(await run.again(`job send ${job} --yes`)).toMatchObject({ code: 11 });
  const { out } = await run.again(`job show ${job} --json`);
  expect(JSON.parse(out)).toMatchObject([{ status: "done", state: "refused" }]);
  expect(out).toContain("Precious");
  expect(run.tracker.writes()).toHaveLength(2);
});

test("the result of each write is shown, also behind one that is refused", async () => {
  const run = await killed("comment add 43 -m One", 2);
  const [head = "", first = ""] = readFileSync(journal(run, run.job), "utf8").split("\n");
  const second = { ...JSON.parse(first), n: 1 };
  const missing = first.replaceAll("/43/", "/9999999/").replace('"id":43', '"id":9999999');
  writeFileSync(journal(run, run.job), `${head}\n${missing}\n${JSON.stringify(second)}\n`);
  const sent = await run.again(`job send ${run.job} --yes`);
  expect(sent).toMatchObject({
    code: 5,
    out: expect.stringMatching(/^\d+\n$/),
    err: expect.stringContaining("9999999"),
  });
  expect(run.tracker.count(COMMENTS)).toBe(2);
});

test("of a job older than a minute, what it would add is shown, and sent with --yes: the journal may be a copy", async () => {
  const run = await killed("comment add 43 -m One", 2, 120_000);
  const asked = await run.again(`job send ${run.job}`);
  expect([asked.code, run.tracker.count(COMMENTS)]).toEqual([13, 1]);
  expect(asked.err).toContain('not sent: the comment on bug 43: "One"');
  expect(await run.again(`job send ${run.job} --yes`)).toMatchObject({ code: 0 });
});

describe("bt job drop", () => {
  test("names the loss, and requires --yes or a confirmation", async () => {
    const run = await killed("comment add 43 -m One", 2);
    const asked = await run.again(`job drop ${run.job}`);
    expect([asked.code, asked.err]).toEqual([13, expect.stringContaining("comment on bug 43 (not sent)")]);
    expect(await run.again(`job drop ${run.job} --yes`)).toMatchObject({
      code: 0,
      err: `note: dropped job ${run.job}\n`,
    });
    expect(jobsOf(run.home, "open")).toEqual([]);
  });

  test("keeps the journal of an unknown outcome, which later looks need", async () => {
    const run = await ran("comment add 43 -m One", { write: once(FATES.badGatewayBefore) });
    expect(await run.again(`job drop ${jobIn(run.err)} -y`)).toMatchObject({ code: 0 });
    expect(jobsOf(run.home, "finished")).toEqual([`${jobIn(run.err)}.jsonl`]);
    expect(await run.again(`job send ${jobIn(run.err)}`)).toMatchObject({ code: 2 });
  });

  test("removes a job that cannot be read, which is an error of other commands", async () => {
    const run = await killed("comment add 43 -m One", 2);
    writeFileSync(journal(run, run.job), "noise\nnoise\n");
    for (const verb of ["list", `show ${run.job}`, `send ${run.job}`])
      expect(await run.again(`job ${verb}`)).toMatchObject({ code: 12, err: expect.stringContaining("damaged") });
    expect(await run.again(`job drop ${run.job} --yes`)).toMatchObject({ code: 0 });
    expect((await run.again("job list")).code).toBe(0);
  });

  test("refuses a finished job and a missing one", async () => {
    const run = await ran("comment add 43 -m One", {});
    const [done = ""] = jobsOf(run.home, "finished");
    for (const name of [done.replace(".jsonl", ""), "01KB3XQ8Z5T4M7W2N9P6R1S0VA"])
      expect(await run.again(`job drop ${name}`)).toMatchObject({ code: 2 });
  });
});

const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 -t Crash --op-sys Linux --platform PC -d Secret";

test("bt job list --last lists recent writes with operation, ids, time and result, without their contents", async () => {
  const run = await ran(`${CREATE}`, { write: nth(4, FATES.badGatewayBefore) });
  const comment = await run.again("comment add 43 -m Secret");
  await run.again("bug update 43 41 --url Secret");
  await run.again("bug update 43 --whiteboard Secret");
  const { out, code } = await run.again("job list --last --json");
  const rows = JSON.parse(out);
  expect({ code, out }).toEqual({ code: 0, out: expect.not.stringMatching(/Secret|Crash/) });
  expect(rows).toHaveLength(4); // begun in one millisecond of the test's clock
  for (const row of [
    {
      operation: "bug update",
      ids: [43],
      created: null,
      state: "unknown outcome",
      started: expect.stringMatching(/Z$/),
    },
    { operation: "bug update", ids: [43, 41], created: null, state: "applied" },
    { operation: "comment add", ids: [43], created: Number(comment.out), state: "applied" },
    { operation: "bug create", ids: [], created: Number(run.out), state: "applied" },
  ]) {
    expect(rows).toContainEqual(expect.objectContaining(row));
  }
});

test("bt job list --last --format ids prints the names of the jobs", async () => {
  const run = await ran("bug update 44 --severity minor", {});
  const [row] = JSON.parse((await run.again("job list --last --json")).out);
  expect((await run.again("job list --last --format ids")).out).toBe(`${row.job}\n`);
});
