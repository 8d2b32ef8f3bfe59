import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { runningClock } from "../../clock.ts";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

test("the plan estimates the mails of a move, at most half as many again as are sent", async () => {
  const tracker = await faultyTracker({ clock: runningClock() });
  const home = freshFolder();
  const bt = (line: string) => btConnected(line, { env: { ...tracker.env, HOME: home } });
  const trackers = `--from demo: --to ${tracker.url}`;
  const { out } = await bt(`migrate plan ${trackers} --json`);
  const [{ count, note }] = JSON.parse(out).filter(({ action }: { action: string }) => action === "mail");
  const sum = (sql: string) => tracker.count(`SELECT count(*) FROM outbox JOIN users ON users.id = user_id ${sql}`);
  const ran = await bt(`migrate run ${trackers} -y --results ${join(home, "moved.jsonl")}`);
  expect(ran, ran.err).toMatchObject({ code: 0 });
  expect(ran.out.split("\n").length).toBeGreaterThan(45);
  const sent = [sum(`WHERE login <> '${tracker.login}'`), sum(`WHERE login = '${tracker.login}'`)] as const;
  const estimated = [count, Number(/(\d+) more to you /.exec(note)?.[1])] as const;
  for (const [at, number] of sent.entries()) {
    expect(estimated[at]).toBeGreaterThanOrEqual(number);
    expect(estimated[at]).toBeLessThanOrEqual(number * 1.5);
  }
});
