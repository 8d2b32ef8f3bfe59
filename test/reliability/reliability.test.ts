import { afterAll, expect, test } from "vitest";
import { publish, tell } from "./figures.ts";
import { killPoints } from "./kill-points.ts";
import { lostAnswers } from "./lost-answers.ts";
import { mutatedAnswers } from "./mutated-answers.ts";
import { plantedKey } from "./planted-key.ts";
import { serverKills } from "./server-kills.ts";

// `npm run reliability` takes the full numbers and puts them into README.md; `SEED=7` takes other chances.
const { FULL, SEED = "1" } = process.env;
const seed = Number(SEED);

function much(few: number, full: number) {
  return FULL === undefined ? few : full;
}

const LONG = 3_600_000;

afterAll(() => {
  if (FULL !== undefined) publish();
});

test(
  "damaged answers lead to no stack trace, no hang, no fault of bt and no false done",
  async () => {
    const { commands, answers, faults } = await mutatedAnswers(much(300, 10_000), seed);
    tell(`${answers} damaged answers over ${commands} commands`, `${faults.length} faults`);
    expect(faults).toEqual([]);
  },
  LONG,
);

test(
  "H11 of writes whose answers get lost none is done twice, none is lost, and every unknown one is decided",
  async () => {
    const figures = await lostAnswers(much(60, 1000), seed);
    const { writes, lost, unknown, decided, duplicates, missing } = figures;
    tell(
      `${writes} writes, ${lost} answers lost`,
      `${duplicates} duplicates, ${missing} lost, ${decided} of ${unknown} unknown ones decided by resume`,
    );
    expect(figures).toMatchObject({ duplicates: 0, missing: 0, decided: unknown });
  },
  LONG,
);

test(
  "a job killed at any point is finished by resume, every bug changed exactly once",
  async () => {
    const { kills, finished, wrong } = await killPoints(much(8, 100), seed);
    tell(`${kills} kills of a job over 30 bugs`, `${finished} finished by resume, every bug changed once`);
    expect(wrong).toEqual([]);
  },
  LONG,
);

test(
  "of a served tracker that is killed under eight writers every acknowledged write is there once",
  async () => {
    const figures = await serverKills(much(4, 200), seed);
    const { kills, acknowledged, cut, repeated, lost, twice, damage } = figures;
    tell(
      `${kills} kills of bt serve under 8 writers`,
      `${acknowledged} acknowledged writes: ${lost} lost, ${twice} twice (${repeated} of ${cut} cut ones repeated); ` +
        `${damage.length} faults in the data`,
    );
    expect(figures).toMatchObject({ lost: 0, twice: 0, damage: [] });
    expect(acknowledged).toBeGreaterThan(kills);
    expect(repeated).toBeGreaterThan(0);
  },
  LONG,
);

test(
  "D9 a key that every command is given is nowhere but in the requests to its own tracker",
  async () => {
    const { commands, places, shown, programs, hits } = await plantedKey(FULL !== undefined);
    tell(
      `a key planted in ${commands} commands, sent ${shown} times`,
      `found in ${hits.length} of ${places} other places`,
    );
    expect(hits).toEqual([]);
    expect(programs).toEqual(["browser", "editor", "helper", "pager", "secret-tool"]);
    expect(shown).toBeGreaterThan(commands / 2);
  },
  LONG,
);
