import { expect, test } from "vitest";
import { AREAS } from "./conversation.ts";
import { type Outcome, replay } from "./replay.ts";
import { details, equal, summary } from "./report.ts";

/** As many recorded exchanges as are answered equally today, by area. A number here only ever goes up. */
const FLOOR: Readonly<Record<(typeof AREAS)[number], number>> = {
  auth: 0,
  "bug-create": 0,
  "bug-get": 0,
  "bug-history": 0,
  "bug-search": 0,
  "bug-update": 0,
  "comment-tags": 0,
  comments: 0,
  errors: 0,
  extras: 0,
  fields: 0,
  groups: 0,
};

// `AREA=bug-get,auth SHOW=5 GREP=alias npm run conformance` prints what differs.
const { AREA, SHOW = "0", GREP = "" } = process.env;
const areas = AREAS.filter((area) => AREA?.split(",").includes(area) ?? true);
const all: Outcome[] = [];

test.each(areas)("the conversation %s is answered as the recorded server answered it", async (area) => {
  const outcomes = await replay(area);
  all.push(...outcomes);
  process.stdout.write(`${[...details(outcomes, GREP, Number(SHOW)), summary(area, outcomes)].join("\n")}\n`);
  expect(equal(outcomes), "npm run conformance shows what differs").toBeGreaterThanOrEqual(FLOOR[area]);
});

test("the whole is counted", () => {
  process.stdout.write(`${summary("all", all)}\n`);
  expect(all.length).toBeGreaterThan(AREA === undefined ? 1400 : 0);
});
