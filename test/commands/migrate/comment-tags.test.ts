import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { runningClock } from "../../clock.ts";
import { type Fate, type FaultyTracker, faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";

const TAGGED = "SELECT bug_id FROM comments JOIN comment_tags ON comments.id = comment_id WHERE tag = 'a11y'";

/** Moves a bug of the demo of which a comment has a tag; before a write, something else may happen. */
async function moved(before: (tracker: FaultyTracker, bug: string, path: string) => void) {
  const write: Fate = ({ request, pass }) => {
    const [, bug] = /^\/rest\/bug\/(\d+)\/comment$/.exec(request.path) ?? [];
    if (bug !== undefined) before(tracker, bug, request.path);
    return pass();
  };
  const tracker: FaultyTracker = await faultyTracker({ clock: runningClock(), write });
  const old = tracker.text(TAGGED);
  const home = freshFolder();
  const line = `migrate run --from demo: --to ${tracker.url} --results ${join(home, "moved.jsonl")} id:${old} -y`;
  const run = await btConnected(line, { env: { ...tracker.env, HOME: home } });
  return { tracker, run };
}

test("a tag gets to its comment, also if another user comments on the new bug meanwhile", async () => {
  const { tracker, run } = await moved((target, bug, path) => {
    if (target.count(`SELECT count(*) FROM comments WHERE bug_id = ${bug}`) === 1)
      void target.as("mei@example.org", { method: "POST", path, body: { comment: "First!" } });
  });
  expect(run, run.err).toMatchObject({ code: 0, out: expect.stringMatching(/\tmoved\t\n$/) });
  expect(tracker.count("SELECT count(*) FROM comments WHERE bug_id > 50 AND text = 'First!'")).toBe(1);
  const text = `SELECT text FROM comments JOIN comment_tags ON comments.id = comment_id WHERE tag = 'a11y' AND bug_id > 50`;
  expect(tracker.text(text)).toContain("With a screen reader the frame is not announced at all.");
});
