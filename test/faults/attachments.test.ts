import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { FATES, once } from "./faulty-tracker.ts";
import { jobIn, ran } from "./ran.ts";

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
