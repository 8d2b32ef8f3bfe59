import { expect, test } from "vitest";
import { WAYS } from "./scene.ts";

const [, HTTP] = WAYS;

test("a change is noticed by a watch, a check and a wait, has its user in the history, and is undone with its job over HTTP", async () => {
  const { say } = await (HTTP as (typeof WAYS)[number])[1]();
  const watched = "bug watch is:open component:Editor --once --json";
  expect((await say("mei", watched)).code).toBe(0);
  expect((await say("mei", "bug search is:open component:Editor --max 1")).code).toBe(1);
  await say("tomas", "bug update 46 39 --severity critical");

  const events = (await say("mei", watched)).out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(events.map(({ id, field, new: now, who }) => [id, field, now, who])).toEqual([
    [39, "severity", "critical", "tomas@example.org"],
    [46, "severity", "critical", "tomas@example.org"],
  ]);
  expect((await say("mei", "bug history 46 --field severity --json")).out).toContain("tomas@example.org");

  const [job] = JSON.parse((await say("tomas", "job list --last --json")).out);
  expect(await say("mei", `bug undo --job ${job.job}`)).toMatchObject({ code: 2 });
  expect((await say("tomas", `bug undo --job ${job.job}`)).code).toBe(0);
  expect((await say("mei", "bug get 46 39 --fields severity --format tsv")).out).not.toContain("critical");

  await say("tomas", "bug close 39 --as WORKSFORME");
  expect((await say("mei", "bug wait 39 is:closed --within 1m")).code).toBe(0);
  const tree = await say("mei", "bug tree 46 --json");
  expect([tree.code, JSON.parse(tree.out)]).toMatchObject([0, [{ id: 46 }]]);
});
