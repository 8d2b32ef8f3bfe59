import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultyTracker } from "../../faults/faulty-tracker.ts";
import { offlineDesk } from "../../faults/offline-desk.ts";

const CREATE =
  "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Text -t Title --offline";

test("a job on a new bug that is still a draft waits for the draft, which --all does not send", async () => {
  const tracker = await faultyTracker();
  const desk = await offlineDesk(tracker);
  await desk.bt(CREATE);
  await desk.bt("comment add new-1 -m Hello --offline");
  const [draft = { job: "" }, comment = { job: "" }] = await desk.jobs();
  const file = `${desk.home}/state/bt/jobs/${draft.job}.jsonl`;
  const head = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...head, draft: true })}\n`);
  const all = await desk.bt("job send --all");
  expect(all).toMatchObject({ code: 10, out: expect.stringContaining(`\twaiting\t`) });
  expect(all.err).toContain(`waits for job ${draft.job}`);
  const { code, err } = await desk.bt(`job send ${comment.job}`);
  expect({ code, err }).toEqual({
    code: 2,
    err: `bt: job ${comment.job} depends on job ${draft.job}, which is not sent
hint: it is a draft: bt job send ${draft.job}
`,
  });
  expect(tracker.writes()).toEqual([]);
  expect(await desk.bt(`job send ${draft.job}`)).toMatchObject({ code: 0, out: "51\n" });
  expect(await desk.bt("job send --all")).toMatchObject({ code: 0 });
  expect(tracker.text("SELECT group_concat(text) FROM comments WHERE bug_id = 51")).toBe("Text,Hello");
});
