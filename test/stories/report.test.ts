import { expect, test } from "vitest";
import { READING_WAYS } from "./scene.ts";

test.each(READING_WAYS)("hours, flow and durations are those that a person may see %s", async (_, open) => {
  const { say } = await open();
  const week = async () => JSON.parse((await say("sam", "report flow --weeks 1 --json")).out).weeks[0];
  const hours = async () => {
    const { out } = await say("mei", "report time --json --jq '.[] | select(.person == \"mei@example.org\").hours'");
    return Number(out);
  };
  const [before, worked] = [await week(), await hours()];
  await say("mei", "comment add 46 -m Looked --work-time 1.5");
  await say("mei", "bug close 46 --as WONTFIX");
  await say("mei", "bug reopen 46 -m Again");
  expect(await hours()).toBe(worked + 1.5);
  expect(await week()).toEqual({ ...before, closed: before.closed + 1, reopened: before.reopened + 1 });
  const durations = await say("sam", "bug history 46 --durations --fields status,times_entered --format csv");
  expect(durations.out.split(/\r?\n/).sort()).toEqual(expect.arrayContaining(["RESOLVED,1", "status,times_entered"]));
  for (const person of ["sam", "nobody"] as const) {
    expect(await say(person, "report time")).toMatchObject({ code: 4, out: "" });
  }
});
