import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AREAS } from "./conversation.ts";
import { type Outcome, replay } from "./replay.ts";
import { details, equal, reasons, sources, summary, unexplained } from "./report.ts";

// `AREA=bug-get,auth SHOW=5 GREP=alias npx vitest run test/conformance` prints what differs; `RAISE=1` raises the floors to what is
// answered equally now. A floor never goes down.
const { AREA, SHOW = "0", GREP = "", RAISE } = process.env;
const floorsFile = new URL("floors.json", import.meta.url);
const floors = JSON.parse(readFileSync(floorsFile, "utf8")) as Record<string, number>;
const areas = AREAS.filter((area) => AREA?.split(",").includes(area) ?? true);
const all: Outcome[] = [];

test.each(areas)("the conversation %s gets the responses of the recorded server", async (area) => {
  const outcomes = await replay(area);
  all.push(...outcomes);
  process.stdout.write(`${[...details(outcomes, GREP, Number(SHOW)), summary(area, outcomes)].join("\n")}\n`);
  expect(equal(outcomes), "AREA and SHOW print what differs").toBeGreaterThanOrEqual(floors[area] ?? 0);
  floors[area] = equal(outcomes);
});

test("every difference has a reason", () => {
  expect(unexplained(all)).toEqual([]);
});

test("every accepted difference occurs", () => {
  const idle = all.filter(({ accepted, differences }) => accepted && differences.length === 0);
  expect(idle.map(({ area, name }) => `${area}/${name}`)).toEqual([]);
});

test("omitted imitations are outside bug data, except for the content type", () => {
  const others = all.filter(({ accepted }) => accepted?.source === "imitation");
  const ofBugs = others.filter(({ area }) => area === "auth" || area.startsWith("bug-"));
  expect(others.length).toBeLessThanOrEqual(25);
  expect(ofBugs.flatMap(({ differences }) => differences).filter((line) => !line.startsWith("content type:"))).toEqual(
    [],
  );
});

test("every recorded case is compared and counted", () => {
  process.stdout.write(`${[...reasons(all), summary("all", all), sources(all)].join("\n")}\n`);
  expect(all.length).toBeGreaterThan(AREA === undefined ? 1400 : 0);
  if (RAISE !== undefined) writeFileSync(floorsFile, `${JSON.stringify(floors, null, 2)}\n`);
});
