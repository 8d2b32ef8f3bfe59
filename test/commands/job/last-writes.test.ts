import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { FATES, faultyTracker, nth } from "../../faults/faulty-tracker.ts";
import { ran } from "../../faults/ran.ts";
import { freshFolder } from "../../fresh-folder.ts";

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

test("50 at most", async () => {
  const run = await ran("comment add 43 -m One", {});
  for (let at = 0; at < 50; at += 1) await run.again("tag update 5 --add tag");
  expect(JSON.parse((await run.again("job list --last --json")).out)).toHaveLength(50);
});

test("bt job list --last --format ids prints the names of the jobs", async () => {
  const run = await ran("bug update 44 --severity minor", {});
  const [row] = JSON.parse((await run.again("job list --last --json")).out);
  expect((await run.again("job list --last --format ids")).out).toBe(`${row.job}\n`);
});

test("a terminal of 80 columns tells the jobs of several trackers apart, and an undo from an update", async () => {
  const home = freshFolder();
  const trackers = [await faultyTracker(), await faultyTracker()];
  const hosts = trackers.map(({ env }) => new URL(env["BT_BASE_URL"] ?? "").host);
  const around = (at: number) => ({ env: { ...trackers[at]?.env, HOME: home }, terminal: true, columns: 80 });
  await btConnected("bug update 44 --priority Low", around(0));
  expect((await btConnected("job list --last", around(0))).out).not.toContain(hosts[0]);
  await btConnected("bug undo 44 --yes", around(0));
  await btConnected("bug update 44 --priority Low", around(1));
  const rows = (await btConnected("job list --last", around(0))).out.trimEnd().split("\n").slice(1);
  const shown = rows.map((row) => row.replace(/^\S+ +(bug \w+) .* (\S+)$/, "$1 $2"));
  expect(shown.sort()).toEqual([`bug undo ${hosts[0]}`, ...hosts.map((host) => `bug update ${host}`).sort()]);
});

test("job list -P lists the jobs of the tracker of a profile", async () => {
  const { home } = await ran("bug update 44 --severity minor", {});
  const env = { HOME: home };
  await btConnected("config set base_url https://bugs.work.example --profile work", { env });
  expect(await btConnected("-P work job list --last --format ids", { env })).toMatchObject({ code: 0, out: "" });
  expect(await btConnected("-P nosuch job list", { env })).toMatchObject({ code: 2 });
  expect((await btConnected("job list --last --format ids", { env })).out).not.toBe("");
});
