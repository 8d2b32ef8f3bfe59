import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { FATES, type Fate, type Faults, type FaultyTracker, once } from "../../faults/faulty-tracker.ts";
import { jobIn, jobsOf, ran } from "../../faults/ran.ts";

const TEXT = '{"error":true,"code":112,"message":"no"}';
const REFUSAL = `HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: ${TEXT.length}\r\n\r\n${TEXT}`;
const refused = (): Faults => ({ write: once(({ socket }) => void socket.write(REFUSAL)) });

type Home = { readonly home: string; readonly tracker: FaultyTracker };

function folder(home: string) {
  return join(home, ".local/state/bt/jobs");
}

/** Runs a line on a terminal whose editor appends a word. */
function atTerminal(line: string, { home, tracker }: Home, answers: string[] = []) {
  const env = { ...tracker.env, HOME: home, EDITOR: `sh -c 'echo edited >> "$1"' editor`, PATH: "/usr/bin:/bin" };
  return btConnected(line, { env, terminal: true, columns: 160, answers });
}

/** A job whose process ended after some lines of the journal: after one nothing was sent, after two the outcome is unknown. */
async function stopped(line: string, after: 1 | 2, faults: Faults = {}) {
  const run = await ran(line, faults);
  const [file = ""] = jobsOf(run.home, "finished");
  const old = file.replace(".jsonl", "");
  const lines = readFileSync(join(folder(run.home), "finished", file), "utf8")
    .split("\n")
    .slice(0, after);
  const job = old.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  writeFileSync(join(folder(run.home), `${job}.jsonl`), `${lines.join("\n").replace(old, job)}\n`);
  return { ...run, job };
}

describe("a job has one status", () => {
  test.each([
    ["comment add 43 -m One", { write: once(FATES.badGatewayBefore) }, ["unknown", "unknown outcome"]],
    ["comment add 43 -m One", {}, ["done", "applied"]],
    ["comment add 43 -m One", refused(), ["failed", "failed (code 112)"]],
  ] as const)("%s %#", async (line, faults, [status, state]) => {
    const run = await ran(line, faults);
    const name = [...jobsOf(run.home, "open"), ...jobsOf(run.home, "finished")][0]?.replace(".jsonl", "");
    const { code, out } = await run.again(`job show ${name} --json`);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([expect.objectContaining({ job: name, status, state })]);
    const [row] = JSON.parse((await run.again("job list --last --json")).out);
    expect(row).toMatchObject({ job: name, status });
  });

  test("unknown, after a crash during the request", async () => {
    const run = await stopped("tag update 5 --add abc", 2);
    const listed = JSON.parse((await run.again("job list --json")).out);
    expect(listed).toEqual([expect.objectContaining({ job: run.job, status: "unknown", state: "unknown outcome" })]);
  });

  test("waiting, until it is edited into a draft", async () => {
    const run = await stopped("comment add 43 -m One", 1);
    const status = async () => JSON.parse((await run.again("job list --json")).out)[0];
    expect(await status()).toMatchObject({ job: run.job, status: "waiting", state: "not sent" });
    expect(await atTerminal(`job edit ${run.job}`, run)).toMatchObject({ code: 0, out: `${run.job}\n` });
    expect(await status()).toMatchObject({ job: run.job, status: "draft", state: "draft, not sent" });
    expect(await run.again(`job send ${run.job}`)).toMatchObject({ code: 0 });
    expect(run.tracker.writes().at(-1)?.body).toContain("One\\nedited");
    expect((await run.again("job list")).out).toBe("");
  });
});

test("a card shows what a job sends, and no key", async () => {
  const run = await stopped("comment add 43 -m 'Two words'", 1);
  const { code, out } = await atTerminal(`job show ${run.job.toLowerCase()}`, run);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${run.job}  the comment on bug 43\n`));
  expect(out).toMatch(/^Status +waiting \(not sent\)$/m);
  expect(out).toMatch(/^comment +Two words$/m);
  const json = (await run.again(`job show ${run.job} --json`)).out;
  expect(out + json).not.toMatch(/scrypt|salt/);
});

describe("a job whose tracker cannot be reached keeps its status, and the error names the command that sends it", () => {
  const staying = (state: string, job: string) => {
    const lines = `\n    nothing was sent; the job stays ${state}\n[^]*\nhint: when the tracker can be reached: bt job send ${job}\n$`;
    return { code: 6, out: "", err: expect.stringMatching(lines) };
  };

  test.each(["draft", "waiting"])("%s", async (state) => {
    const run = await stopped("comment add 43 -m One", 1);
    if (state === "draft") await atTerminal(`job edit ${run.job}`, run);
    await run.tracker.close();
    expect(await run.again(`job send ${run.job.toLowerCase()}`)).toEqual(staying(state, run.job));
    expect(JSON.parse((await run.again("job list --json")).out)).toMatchObject([{ job: run.job, status: state }]);
  });

  test.each([
    ["waiting", (faults: Faults) => stopped("comment add 43 -m One", 1, faults)],
    ["unknown", (faults: Faults) => ran("comment add 43 -m One", { ...faults, write: once(FATES.badGatewayBefore) })],
  ] as const)("even if it goes away right before the write: %s %#", async (state, begin) => {
    const last = { read: Number.POSITIVE_INFINITY, stop: () => {} };
    const read: Fate = async ({ pass, socket, request }) => {
      await pass();
      socket.end();
      if (request.path.endsWith("/comment")) last.read -= 1;
      if (last.read === 0) last.stop();
    };
    const run = await begin({ read });
    const job = "job" in run ? String(run.job) : jobIn(run.err);
    const journal = () => readFileSync(join(folder(run.home), `${job}.jsonl`), "utf8");
    const before = journal();
    Object.assign(last, { read: 1, stop: run.tracker.stopListening });
    expect(await run.again(`job send ${job} --resend`)).toEqual(staying(state, job));
    expect([journal(), jobsOf(run.home, "open")]).toEqual([before, [`${job}.jsonl`]]);
  });
});

test("an update whose connection was refused is run again, not sent as a job", async () => {
  const last = { read: 2, stop: () => {} }; // the bug, and the fields
  const read: Fate = async ({ pass }) => {
    await pass();
    last.read -= 1;
    if (last.read === 0) last.stop();
  };
  const run = await ran("bug update 43 --priority High", { read }, (tracker) => (last.stop = tracker.stopListening));
  const [file = ""] = jobsOf(run.home, "finished");
  expect(run.code).toBe(6);
  expect(await run.again(`job send ${file.replace(".jsonl", "")}`)).toMatchObject({
    code: 6,
    err: expect.stringContaining("hint: it was not sent: run the command again\n"),
  });
});

test("the text of a refused comment becomes a new draft, and the refusal stays", async () => {
  const run = await ran("comment add 43 -m One", refused());
  const [old = ""] = jobsOf(run.home, "finished");
  const told = await run.again(`job send ${old.replace(".jsonl", "")}`);
  expect(told).toMatchObject({ code: 3, err: expect.stringContaining(`bt job edit ${old.replace(".jsonl", "")}`) });
  const { code, out } = await atTerminal(`job edit ${old.replace(".jsonl", "")}`, run);
  expect({ code, drafts: jobsOf(run.home, "open") }).toEqual({ code: 0, drafts: [`${out.trim()}.jsonl`] });
  expect(jobsOf(run.home, "finished")).toEqual([old]);
  expect(await run.again(`job send ${out.trim()}`)).toMatchObject({ code: 0 });
  expect(run.tracker.writes().at(-1)?.body).toContain("One\\nedited");
});

test("without a terminal for the editor, edit names the way to one", async () => {
  const run = await ran("comment add 43 -m One", refused());
  const [old = ""] = jobsOf(run.home, "finished").map((file) => file.replace(".jsonl", ""));
  expect(await run.again(`job edit ${old}`)).toMatchObject({
    code: 2,
    err: `bt: there is no terminal for the editor: stdin is not one\nhint: run it in a terminal: bt job edit ${old}\n`,
  });
});

test("jobs are named by a beginning or an end, and listed by what they do", async () => {
  const run = await stopped("bug create -p Lantern -c Library --version 3.2 -t 'A crash' --os All --platform All", 1);
  const [done = ""] = jobsOf(run.home, "finished").map((file) => file.replace(".jsonl", ""));
  const end = run.job.slice(-5).toLowerCase();
  expect(JSON.parse((await run.again(`job show ${end} --json`)).out)).toMatchObject([{ job: run.job }]);
  expect((await atTerminal("job list", run)).out).toMatch(/WHAT +TIME\n.* new bug: A crash /);
  for (const verb of ["show", "send", "edit", "drop"]) {
    const { code, err } = await run.again(`job ${verb} ${run.job.slice(0, 8)}`);
    expect([verb, code, err]).toEqual([verb, 2, expect.stringContaining("several jobs match")]);
    expect([err.includes(run.job), err.includes(done)]).toEqual([true, true]);
  }
  expect(await run.again(`job send ${end}`)).toMatchObject({ code: 0 });
});

test("a finished job that was never sent was dropped", async () => {
  const run = await stopped("comment add 43 -m One", 1);
  renameSync(join(folder(run.home), `${run.job}.jsonl`), join(folder(run.home), "finished", `${run.job}.jsonl`));
  expect(await run.again(`job send ${run.job}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`bt: job ${run.job} was dropped and not sent\n`),
  });
});

describe("an edit that is not possible is rejected with the reason", () => {
  test.each([
    ["comment add 43 -m One", {}, "it is already complete"],
    ["bug update 43 --priority High", {}, "it has no text: the update of bug 43"],
    ["bug update 43 --priority High -m One", refused(), "it is already complete"],
    ["comment add 43 -m One", { write: once(FATES.badGatewayBefore) }, "it may have been applied"],
  ])("%s %#", async (line, faults, reason) => {
    const run = await ran(line, faults);
    const [file = ""] = [...jobsOf(run.home, "open"), ...jobsOf(run.home, "finished")];
    const { code, err } = await atTerminal(`job edit ${file.replace(".jsonl", "")}`, run);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`cannot be edited: ${reason}\n`) });
  });
});

describe("bt job drop", () => {
  test("names the loss and requires --yes or a confirmation", async () => {
    const run = await stopped("comment add 43 -m One", 1);
    const loss = `${run.job}: the comment on bug 43 would not be sent, and its text is lost`;
    const piped = await run.again(`job drop ${run.job}`);
    expect(piped).toMatchObject({ code: 13, out: "", err: expect.stringContaining(loss) });
    const no = await atTerminal(`job drop ${run.job}`, run, ["n"]);
    expect(no).toMatchObject({ code: 13, err: expect.stringContaining(loss) });
    expect(jobsOf(run.home, "open")).toHaveLength(1);
    expect((await atTerminal(`job drop ${run.job}`, run, ["y"])).err).toContain(`dropped job ${run.job}\n`);
    expect([jobsOf(run.home, "open"), jobsOf(run.home, "finished").length]).toEqual([[], 1]);
  });

  test("rejects an unknown outcome without --force, and keeps its journal", async () => {
    const run = await stopped("tag update 5 --add abc", 2);
    const { job } = run;
    const no = await run.again(`job drop ${job} --yes`);
    expect(no).toMatchObject({ code: 13, err: expect.stringContaining("may or may not be applied") });
    expect(no.err).toContain(`hint: bt job send ${job} verifies it; --force drops it unverified`);
    expect(await run.again(`job drop ${job} --yes --force`)).toMatchObject({ code: 0, err: `dropped job ${job}\n` });
    expect((await run.again("job list")).out).toBe("");
    expect(JSON.parse((await run.again(`job show ${job} --json`)).out)).toMatchObject([{ status: "dropped" }]);
    expect(await run.again(`job send ${job}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`job ${job} was dropped: unknown outcome`),
    });
    expect((await run.again(`job drop ${job} -y`)).err).toContain(`job ${job} was already dropped\n`);
  });

  test("rejects a finished job and a missing one", async () => {
    const run = await ran("comment add 43 -m One", {});
    const [name = ""] = jobsOf(run.home, "finished");
    expect(await run.again(`job drop ${name.replace(".jsonl", "")} -y`)).toMatchObject({
      code: 2,
      err: expect.stringContaining("is already complete"),
    });
    expect(await run.again("job drop 01KB3XQ8Z5T4M7W2N9P6R1S0VA -y")).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'no job "01KB3XQ8Z5T4M7W2N9P6R1S0VA"\nhint: bt job list shows open jobs, bt job list --last ',
      ),
    });
    expect(await run.again("job send zzz")).toMatchObject({
      code: 2,
      err: expect.stringContaining('no open job "zzz"'),
    });
  });

  test("deletes an unreadable journal with --force", async () => {
    const run = await stopped("comment add 43 -m One", 1);
    writeFileSync(join(folder(run.home), `${run.job}.jsonl`), '{"v":9}\n');
    expect(await run.again(`job drop ${run.job} -y`)).toMatchObject({ code: 13 });
    expect(await run.again(`job drop ${run.job} -y --force`)).toMatchObject({ code: 0 });
    expect(await run.again("job list")).toMatchObject({ code: 0, out: "" });
  });
});
