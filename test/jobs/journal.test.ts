import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWriter, type TrackerJobs } from "../../src/jobs/journal.ts";
import { cannedDelivery, ok } from "../api/delivery/canned-delivery.ts";
import { PUT } from "../api/delivery/demo-scene.ts";
import { ioFor } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

const JOB = "01KB3XQ8Z5T4M7W2N9P6R1S0VA";
const ADDRESS = "https://bugs.example.org";
const HEAD = {
  ...{ v: 1, job: JOB, bt: "0.1.0", at: 0, origin: ADDRESS, credential: "none" },
  request: PUT("/rest/bug/7", { ids: [7], priority: "High" }),
};
const SENT = { st: "SENT", i: 0, at: 0, since: "" };
const UNKNOWN = { st: "UNKNOWN", i: 0, kind: "unknown", message: "lost" };

/** The jobs of a tracker on the network, one of which is open and has these lines. */
function jobsWith(lines: readonly unknown[]) {
  const state = freshFolder();
  const folder = join(state, "bt", "jobs");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${JOB}.jsonl`);
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.map((text) => `${text}\n`).join(""));
  const { delivery, steps } = cannedDelivery(() => ok({ bugs: [{ id: 7, changes: {} }] }));
  const nobody = async () => undefined;
  const { jobs } = openWriter({
    ...delivery,
    ...{ address: ADDRESS, version: "0.0.0", io: ioFor({ env: { XDG_STATE_HOME: state } }) },
    ...{ login: nobody, me: nobody, credential: nobody },
  });
  return { jobs: jobs as TrackerJobs, steps, isOpen: () => existsSync(file) };
}

test("a job is resumed with what is known of it, and put aside when it has ended", async () => {
  const { jobs, steps, isOpen } = jobsWith([HEAD, SENT, UNKNOWN]);
  await jobs.resume(JOB.toLowerCase(), async (job, { attempts: [attempt], head }) => {
    if (attempt) await job.resend(attempt, { request: head.request });
  });
  expect(steps).toEqual(["PUT /rest/bug/7"]);
  expect(isOpen()).toBe(false);
});

test.each([
  ["with an unreadable head", ["noise"], "cannot be read"],
  ["that is damaged, since it may have been sent", [HEAD, SENT, "noise", SENT], "damaged"],
])("a job %s is not resumed, and stays open", async (_, lines, message) => {
  const { jobs, isOpen } = jobsWith(lines);
  const used = jobs.resume(JOB, async () => undefined);
  await expect(used).rejects.toMatchObject({ kind: "local", message: expect.stringContaining(message) });
  expect(isOpen()).toBe(true);
});
