import { expect, test } from "vitest";
import { FATES, type Fate } from "./faulty-tracker.ts";
import { jobIn, ran } from "./ran.ts";

const HIDDEN = [17, 28];
const IDS = [...Array(40).keys()].map((index) => index + 1).filter((id) => !HIDDEN.includes(id));
const LINE = `bug update ${IDS.join(" ")} --whiteboard '[x]' --if-unchanged --yes`;

test("a request that was not found is not resent to a bug that was modified meanwhile", async () => {
  const way = { isDown: true };
  const write: Fate = (incident) => (way.isDown && incident.count > 1 ? FATES.resetBefore(incident) : incident.pass());
  const { err, tracker, again } = await ran(LINE, { write });
  way.isDown = false;
  await tracker.as("mei@example.org", { method: "PUT", path: "/rest/bug/33", body: { ids: [33], op_sys: "Windows" } });
  const resumed = await again(`job send ${jobIn(err)} --yes`);
  expect(resumed).toMatchObject({ code: 11, err: expect.stringContaining("bug 33: modified since") });
  expect(tracker.count("SELECT count(*) FROM bugs WHERE id <= 40 AND whiteboard = '[x]'")).toBe(37);
  expect(tracker.text("SELECT whiteboard FROM bugs WHERE id = 33")).not.toBe("[x]");
  expect(tracker.writes().at(-1)?.body).not.toMatch(/\b33\b/);
});
