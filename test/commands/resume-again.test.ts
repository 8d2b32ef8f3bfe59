import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FATES, once } from "../faults/faulty-tracker.ts";
import { jobIn, jobsOf, ran } from "../faults/ran.ts";

const BUG = "bug create -p Lantern -c Library --bug-version 3.1 -t Crash -d Steps";

describe("a job that is over is told again, and nothing is sent", () => {
  test("with what came of it", async () => {
    const { err, tracker, again } = await ran(BUG, { write: once(FATES.badGatewayBefore) });
    const job = jobIn(err);
    const first = await again(`resume ${job}`);
    const writes = tracker.writes().length;
    const second = await again(`resume ${job}`);
    expect(second).toEqual({ code: 0, out: first.out, err: `job ${job} is over; nothing was left to do\n` });
    expect(tracker.writes()).toHaveLength(writes);
  });

  test("with the refusal that it ended in", async () => {
    const { home, tracker, again } = await ran("bug update 43 --add-see-also https://x.example/1 -m Hi", {
      write: once(({ socket }) => void socket.write(REFUSAL)),
    });
    const [name = ""] = jobsOf(home, "finished");
    const second = await again(`resume ${name.replace(".jsonl", "")}`);
    expect(second).toMatchObject({ code: 3, out: "", err: expect.stringContaining("is over") });
    expect(tracker.writes()).toHaveLength(1);
  });
});

const TEXT = '{"error":true,"code":112,"message":"no"}';
const REFUSAL = `HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: ${TEXT.length}\r\n\r\n${TEXT}`;

test("a journal that cannot be read is no settled write", async () => {
  const { err, home, again } = await ran(BUG, { write: once(FATES.badGatewayBefore) });
  const file = join(home, ".local/state/bt/jobs", `${jobIn(err)}.jsonl`);
  writeFileSync(file, '{"v":9,"job":"of a newer bt"}\n');
  const listed = await again("jobs");
  expect(listed).toMatchObject({ code: 12, out: "" });
  expect(listed.err).toContain(`the journal of job ${jobIn(err)} cannot be read: damaged, or of a newer bt`);
  expect(listed.err).not.toContain("every write is settled");
  writeFileSync(file, "");
  expect(await again("jobs")).toMatchObject({ code: 0 });
});

test.each(["bug update 43 --priority High", "tag update 5 --add abc"])(
  "an answer of another shape to a question before the write names it: %s",
  async (line) => {
    const { code, err, tracker } = await ran(line, { read: FATES.emptyBefore });
    expect({ code, writes: tracker.writes() }).toEqual({ code: 7, writes: [] });
    expect(err).toMatch(/asked: GET \/rest\/\S+\n {4}nothing was changed\n/);
  },
);
