import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, nth, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf, ran } from "./ran.ts";

const BUSY: Fate = ({ socket }) => void socket.write(answer("", { status: "429 Busy" }));
const REFUSED_LOGIN: Fate = ({ socket }) =>
  void socket.write(answer('{"error":true,"code":410,"message":"Log in first."}', { status: "401 No" }));

test.each([
  ["group update staff --icon-url https://example.org/i.png", /\t\w+: \+ https:\/\/example.org\/i.png/],
  ["bug update 43 --whiteboard note", /\t\w+: \+ note/],
  ["bug update 43 44 --whiteboard note", /\t\w+: \+ note/],
])("a response with nulls is a response: %s", async (line, printed) => {
  const nulling: Fate = async ({ apply, socket }) => {
    const { body } = await apply();
    socket.write(answer(body.replaceAll('"removed":""', '"removed":null').replaceAll('"added":""', '"added":null')));
  };
  const run = await ran(`${line} --format tsv --fields result,changes`, { write: nulling });
  expect({ code: run.code, sent: run.tracker.writes().length, waits: run.waits }).toEqual({
    ...{ code: 0, sent: 1, waits: [] },
  });
  expect(run.out).toMatch(printed);
});

test("a group whose changed field the tracker does not show is not called unchanged", async () => {
  const line = "group update staff --icon-url https://example.org/i.png";
  const run = await ran(line, { write: once(FATES.resetBefore) });
  expect([run.code, run.tracker.writes().length]).toEqual([9, 1]);
  expect(run.err).toContain("unknown outcome of the update of group");
});

test.each([
  ["attachment update 3 --summary New", "3\tapplied\tsummary: "],
  ["group update staff --description New", "description: "],
])("an update that a look found is shown with its changes: %s", async (line, shown) => {
  const run = await ran(`${line} --fields id,result,changes --format tsv`, { write: once(FATES.resetAfter) });
  expect(run.code).toBe(0);
  expect(run.out).toContain(shown);
  expect(run.out).toContain("-> New");
});

test("an update that a look found has only its own changes, also beside others of its second", async () => {
  const run = await ran("bug update 43 --whiteboard mine", { write: nth(2, FATES.resetAfter) });
  const found = await run.again("bug update 43 --priority Highest --json");
  expect(JSON.parse(found.out)).toMatchObject([{ result: "applied", changes: { priority: { added: "Highest" } } }]);
  expect(found).toMatchObject({ code: 0, out: expect.not.stringContaining("mine") });
  expect(found.err).toMatch(/^note: verified .*: the update of bug 43\n$/);
});

test.each<[what: string, fate: Fate, waits: readonly number[]]>([
  ["no response", FATES.resetBefore, [1000, 2000, 4000, 8000, 15_000]],
  ["an internal error", ({ socket }) => void socket.write(answer('{"error":true,"code":100500}')), [1000, 2000]],
])("after %s the write is looked for at these pauses, and not sent again", async (_, fate, waits) => {
  const run = await ran("comment add 43 -m One", { write: fate });
  expect({ code: run.code, sent: run.tracker.writes().length, waits: run.waits }).toEqual({ code: 9, sent: 1, waits });
});

const TWICE: Fate = async (incident) => {
  await incident.apply();
  await FATES.resetAfter(incident);
};

test.each<[what: string, fates: readonly Fate[], stored: number]>([
  ["two equal ones were made meanwhile", [TWICE], 2],
  ["the one that is there is of an earlier command", [({ pass }) => pass(), FATES.resetBefore], 1],
  ["the one that is there may be of an earlier command", [FATES.resetBefore, FATES.resetAfter], 1],
])("a lost comment is not taken for found: %s", async (_, fates, stored) => {
  const line = "comment add 43 -m +1";
  const first = await ran(line, { write: (incident) => fates[incident.count - 1]?.(incident) });
  const { code, err } = fates.length > 1 ? await first.again(line) : first;
  const { count, writes } = first.tracker;
  expect([code, count("SELECT count(*) FROM comments WHERE text = '+1'"), writes().length]).toEqual([
    9,
    stored,
    fates.length,
  ]);
  expect(err.match(/comment \d+ of 20/g)).toHaveLength(stored);
  const env = { ...first.tracker.env, HOME: first.home };
  const asked = await btConnected(`job send ${jobIn(err)}`, { env, terminal: true, answers: ["n"], waits: [] });
  expect([asked.code, asked.err]).toEqual([9, expect.stringMatching(/unknown outcome \(comment \d+ of 20/)]);
});

test.each([
  ["a 429", BUSY, 8],
  ["a refused login", REFUSED_LOGIN, 4],
])("after %s the job is left, and is sent once the tracker accepts it", async (_, fate, code) => {
  const run = await ran("comment add 43 -m One", { write: once(fate) });
  const [job = ""] = jobsOf(run.home, "open");
  expect([run.code, job.length]).toEqual([code, 32]);
  const sent = await run.again(`job send ${job.slice(0, 26)} --yes`);
  expect([sent.code, run.tracker.writes().length, jobsOf(run.home, "open")]).toEqual([0, 2, []]);
});

const COUNT = "SELECT count(*) FROM attachments WHERE summary = 'New'";

/** An attachment whose first request is lost before it arrives. */
async function lost(text = "first\n") {
  const file = join(freshFolder(), "a.txt");
  writeFileSync(file, text);
  const run = await ran(`attachment add 12 ${file} --summary New`, {
    write: once(FATES.resetBefore),
  });
  return { ...run, file };
}

test("a file that was modified meanwhile is not sent by the job, which says what to do", async () => {
  const run = await lost();
  writeFileSync(run.file, "second\n");
  const again = await run.again(`job send ${jobIn(run.err)} --yes`);
  expect(again).toMatchObject({ code: 2, out: "" });
  expect(again.err).toContain("a.txt was modified, so it was not sent");
  expect(again.err).toContain("hint: restore the file, or run the original command again");
  expect(run.tracker.count(COUNT)).toBe(0);
});

test("the journal holds the file's name, size and hash, and none of its data", async () => {
  const run = await lost(`${"secret words ".repeat(20_000)}\n`);
  const folder = join(run.home, ".local/state/bt/jobs");
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".jsonl"));
  const journal = readFileSync(join(folder, name), "utf8");
  expect(journal.length).toBeLessThan(5000);
  expect(JSON.parse(journal.split("\n")[1] ?? "").request.file).toMatchObject({ path: run.file, size: 260_001 });
});
