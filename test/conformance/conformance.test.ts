import { expect, test } from "vitest";
import { AREAS } from "./conversation.ts";
import { type Outcome, replay } from "./replay.ts";
import { details, unexplained } from "./report.ts";

// `AREA=bug-get,auth SHOW=5 GREP=alias npx vitest run test/conformance` prints what differs without a reason.
const { AREA, SHOW = "0", GREP = "" } = process.env;
const areas = AREAS.filter((area) => AREA?.split(",").includes(area) ?? true);
const all: Outcome[] = [];

test.each(areas)(
  "the conversation %s gets the responses of the recorded server, or differs with a reason",
  async (area) => {
    const outcomes = await replay(area);
    all.push(...outcomes);
    for (const text of details(outcomes, GREP, Number(SHOW))) process.stdout.write(`${text}\n`);
    expect(unexplained(outcomes)).toEqual([]);
  },
);

test("every accepted difference occurs", () => {
  const idle = all.filter(({ accepted, differences }) => accepted && differences.length === 0);
  expect(idle.map(({ area, name }) => `${area}/${name}`)).toEqual([]);
});

test("every recorded case is compared, and nearly all are equal", () => {
  const equal = all.filter(({ differences }) => differences.length === 0);
  expect([all.length, equal.length]).toEqual(
    AREA === undefined ? [1568, 1464] : [expect.any(Number), expect.any(Number)],
  );
});
