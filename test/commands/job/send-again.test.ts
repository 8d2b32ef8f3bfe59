import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FATES, once } from "../../faults/faulty-tracker.ts";
import { jobIn, jobsOf, ran } from "../../faults/ran.ts";

const BUG = "bug create -p Lantern -c Library --bug-version 3.1 -t Crash -d Steps";

describe("resuming a finished job sends nothing", () => {
  test("and prints its outcome", async () => {
    const { err, tracker, again } = await ran(BUG, { write: once(FATES.badGatewayBefore) });
    const job = jobIn(err);
    const first = await again(`job send ${job} --resend`);
    const writes = tracker.writes().length;
    const second = await again(`job send ${job}`);
    expect(second).toEqual({ code: 0, out: first.out, err: `job ${job} is already complete\n` });
    expect(tracker.writes()).toHaveLength(writes);
  });

  test("and prints the refusal that it ended with", async () => {
    const { home, tracker, again } = await ran("bug update 43 --add-see-also https://x.example/1 -m Hi", {
      write: once(({ socket }) => void socket.write(REFUSAL)),
    });
    const [name = ""] = jobsOf(home, "finished");
    const second = await again(`job send ${name.replace(".jsonl", "")}`);
    expect(second).toMatchObject({ code: 3, out: "", err: expect.stringContaining("is already complete") });
    expect(tracker.writes()).toHaveLength(1);
  });
});

const TEXT = '{"error":true,"code":112,"message":"no"}';
const REFUSAL = `HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: ${TEXT.length}\r\n\r\n${TEXT}`;

describe("the JSON of a resumed job has one order of keys, whatever the order in the response", () => {
  test.each([
    [BUG, '{"id":'],
    ["bug update 43 --priority High --severity major --add-keywords crash,perf", '[{"id":43,"alias":'],
    ["comment add 43 -m Hi", '{"id":'],
    ["tag update 5 --add abc,def", "["],
  ])("%s", async (line, start) => {
    const { err, home, again } = await ran(line, { write: once(FATES.badGatewayBefore) });
    const job = err.match(/\b\w{26}\b/)?.[0] ?? jobIn(err);
    const outputs = [(await again(`job send ${job} --resend --json`)).out];
    const file = join(home, ".local/state/bt/jobs/finished", `${job}.jsonl`);
    const journal = readFileSync(file, "utf8");
    for (const by of [1, 2, 3, 4]) {
      writeFileSync(
        file,
        journal.replace(/.*"DONE".*/g, (record) => answeredIn(record, by)),
      );
      outputs.push((await again(`job send ${job} --json`)).out);
    }
    expect(outputs[0]?.startsWith(start), outputs[0]).toBe(true);
    expect(new Set(outputs).size, outputs.join("")).toBe(1);
  });

  /** A record of a journal whose answer has its keys in another order. */
  function answeredIn(record: string, by: number): string {
    const { answer, ...rest } = JSON.parse(record);
    return JSON.stringify({ ...rest, answer: turned(answer, by) });
  }

  function turned(value: unknown, by: number): unknown {
    if (Array.isArray(value)) return value.map((item) => turned(item, by));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, turned(inner, by)]);
    const cut = by % Math.max(1, entries.length);
    return Object.fromEntries([...entries.slice(cut), ...entries.slice(0, cut)]);
  }
});

test("an unreadable journal is no confirmed write", async () => {
  const { err, home, again } = await ran(BUG, { write: once(FATES.badGatewayBefore) });
  const file = join(home, ".local/state/bt/jobs", `${jobIn(err)}.jsonl`);
  writeFileSync(file, '{"v":9,"job":"of a newer bt"}\n');
  const listed = await again("job list");
  expect(listed).toMatchObject({ code: 12, out: "" });
  expect(listed.err).toContain(`cannot read the journal of job ${jobIn(err)}: damaged, or written by a newer bt`);
  expect(listed.err).not.toContain("no open jobs");
  writeFileSync(file, "");
  expect(await again("job list")).toMatchObject({ code: 0 });
});

test.each(["bug update 43 --priority High", "tag update 5 --add abc"])(
  "an unexpected shape of a response before the write is an error that names it: %s",
  async (line) => {
    const { code, err, tracker } = await ran(line, { read: FATES.emptyBefore });
    expect({ code, writes: tracker.writes() }).toEqual({ code: 7, writes: [] });
    expect(err).toMatch(/request: GET \/rest\/\S+\n {4}no changes made\n/);
  },
);
