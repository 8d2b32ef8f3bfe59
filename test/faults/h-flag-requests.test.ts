import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, faultyTracker, nth } from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";
import { infoRequest } from "./writes.ts";

const IDS = [...Array(30).keys()].map((at) => 101 + at);
const FLAGS = "SELECT count(*) FROM flags WHERE bug_id BETWEEN 101 AND 130";

/** A tracker with 30 bugs that ends at the 11th write, and `bt` with a home. */
async function dying() {
  const state = { isDead: false };
  const tracker = await faultyTracker({
    write: nth(11, (incident) => {
      state.isDead = true;
      return FATES.unavailable(incident);
    }),
    read: (incident) => (state.isDead ? FATES.unavailable(incident) : incident.pass()),
  });
  crowd(tracker, 130);
  const home = freshFolder();
  const bt = (line: string) =>
    btConnected(line, { env: { ...tracker.env, HOME: home }, stdin: IDS.join(" "), waits: [] });
  return { state, tracker, home, bt };
}

test("H3 bug answer on many bugs is resumed; only requests to the user are cleared, and bugs without one get no comment", async () => {
  const { state, tracker, home, bt } = await dying();
  for (const id of IDS) {
    tracker.store.exec(infoRequest(id, "tomas@example.org"));
    tracker.store.exec(infoRequest(id, "mei@example.org"));
  }
  const run = await bt("bug answer - -m Yes --yes");
  expect({ code: run.code, err: run.err }).toEqual({ code: 8, err: expect.stringContaining("not tried") });
  state.isDead = false;
  const isTomas = "requestee_id = (SELECT id FROM users WHERE login = 'tomas@example.org')";
  tracker.store.exec(`DELETE FROM flags WHERE bug_id > 125 AND ${isTomas}`);
  const again = await bt(`job send ${jobIn(run.err)} --resend`);
  expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: expect.stringContaining("resending it") });
  expect(tracker.count(`${FLAGS} AND ${isTomas}`)).toBe(0);
  expect(tracker.count(FLAGS)).toBe(30);
  expect(tracker.count("SELECT count(*) FROM comments WHERE text = 'Yes'")).toBe(25);
  expect(jobsOf(home, "open")).toEqual([]);
});

test("H3 bug needinfo on many bugs is resumed; a request that another user has set meanwhile is not set twice", async () => {
  const { state, tracker, home, bt } = await dying();
  const run = await bt("bug needinfo - --from mei@example.org -m Which? --yes");
  expect({ code: run.code, err: run.err }).toEqual({ code: 8, err: expect.stringContaining("not tried") });
  state.isDead = false;
  for (const id of IDS.slice(-5)) tracker.store.exec(infoRequest(id, "mei@example.org"));
  const again = await bt(`job send ${jobIn(run.err)} --resend`);
  expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: expect.stringContaining("resending it") });
  expect(tracker.count(FLAGS)).toBe(30);
  expect(tracker.count("SELECT count(*) FROM comments WHERE text = 'Which?'")).toBe(25);
  expect(jobsOf(home, "open")).toEqual([]);
});
