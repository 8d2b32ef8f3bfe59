import { expect, test } from "vitest";
import { noJournal } from "../../src/session/journal.ts";
import { PUT } from "../api/delivery/demo-scene.ts";

test("without a journal there is nothing to resume", async () => {
  const journal = noJournal(() => "JOB");
  const used = journal.begin({ request: PUT("/rest/bug/1", {}) }, async ({ job, isJournaled }) => [job, isJournaled]);
  expect(await used).toEqual(["JOB", false]);
  await expect(journal.resume("JOB", async () => undefined)).rejects.toMatchObject({ kind: "usage" });
});
