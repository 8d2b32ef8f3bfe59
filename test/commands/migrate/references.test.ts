import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { runningClock } from "../../clock.ts";
import { type Fate, faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { answer } from "../../servers/fault-server.ts";

const REFUSED = answer('{"error":true,"code":115,"message":"not now"}', { status: "401 Unauthorized" });

test("a move that continues amid the comments of a bug gives them the numbers of one that was not interrupted", async () => {
  let isOpen = false;
  const write: Fate = ({ request, pass, socket }) =>
    !isOpen && String(request.body).includes("ahead") ? void socket.write(REFUSED) : pass();
  const tracker = await faultyTracker({ clock: runningClock(), write });
  const home = freshFolder();
  const bt = (line: string, stdin = "") => btConnected(line, { env: { ...tracker.env, HOME: home }, stdin });
  const source = async (line: string, stdin = "") => {
    const done = await bt(
      line.startsWith("admin") ? `${line} --data ${home}/a.db` : `${line} --base-url local:${home}/a.db`,
      stdin,
    );
    expect(done, done.err).toMatchObject({ code: 0 });
  };
  await source(
    "admin apply -",
    `
    products:
      - name: Lantern
        versions: ["3.2"]
        components: [{ name: Editor, default_assignee: owner@localhost }]`,
  );
  await source("bug create -p Lantern -c Editor --version 3.2 --severity normal --priority Normal -t Title -d Text");
  for (const text of ["first", "second", "ahead is comment 4, not comment 1", "last"])
    await source(`comment add 1 -m '${text}'`);
  const move = `migrate run --from local:${home}/a.db --to ${tracker.url} --results ${join(home, "moved.jsonl")} -y`;
  expect((await bt(move)).code).not.toBe(0);
  isOpen = true;
  expect(await bt(move)).toMatchObject({ code: 0 });
  const texts = tracker.store.all("SELECT text FROM comments WHERE bug_id = 51 ORDER BY id");
  expect(texts.map(({ text }) => String(text).split("\n").at(-1))).toEqual([
    ...["Text", "first", "second", "ahead is comment 4, not comment 1", "last"],
  ]);
});
