import { describe, expect, test } from "vitest";
import type { SetupObject } from "../../../../src/tracker/setup/kinds.ts";
import { updates } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const MOVE = "bug update 44 -p Harbor -c API --bug-version 1.5 --milestone ---";

const DRIVERS = { group: "release-drivers", members: "shown", others: "shown" } as const;

/** A demo in which bug 44 of Lantern is in a group that Lantern and other products have. */
async function office(...others: readonly SetupObject[]) {
  const run = demo({
    groups: [{ name: "release-drivers", user_regexp: ".*" }],
    products: [{ name: "Lantern", groups: [DRIVERS] }, ...others],
  });
  expect((await run("bug update 44 --add-groups release-drivers")).code).toBe(0);
  const groups = async () => JSON.parse((await run("bug get 44 --fields groups --json")).out)[0].groups;
  expect(await groups()).toEqual(["release-drivers"]);
  return { run, groups };
}

describe("moving to a product that does not allow the last group of a bug", () => {
  test("is shown by --dry-run", async () => {
    const { run } = await office();
    const ran = await run(`${MOVE} --dry-run`);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^44\twould change\tproduct: Lantern -> Harbor/);
    expect(ran.err).toContain(
      "bug 44 may lose its last group in Harbor (release-drivers), and become public; this requires --allow-no-groups",
    );
  });

  test("needs --allow-no-groups without a terminal", async () => {
    const { run, groups } = await office();
    const refused = await run(`${MOVE} --yes`);
    expect([refused.code, updates(refused)]).toEqual([13, []]);
    expect(refused.err).toContain("hint: --allow-no-groups accepts it");
    expect(await groups()).toEqual(["release-drivers"]);
    const moved = await run(`${MOVE} --allow-no-groups`);
    expect([moved.code, moved.out, moved.err, await groups()]).toEqual([
      0,
      "44\tapplied\n",
      expect.stringContaining("bug 44 is now public\n"),
      [],
    ]);
  });

  test.each([
    ["y", 0, 1],
    ["n", 13, 0],
    ["", 13, 0],
  ])("prompts at a terminal: %s", async (answer, code, count) => {
    const { run } = await office();
    const ran = await run(MOVE, { terminal: true, answers: [answer] });
    expect([ran.code, updates(ran).length]).toEqual([code, count]);
    expect(ran.err).toContain("bug 44 may lose its last group in Harbor");
  });
});

const FILE_IN_ANNEX = "bug create --no-groups -p Annex -c Main --bug-version 1 -t x -d y --op-sys Linux --platform PC";

/** A demo with a product that adds a group to each of its bugs, of which it has one, and the result of filing that. */
async function annex() {
  const run = demo({
    groups: [{ name: "release-drivers", user_regexp: ".*" }],
    products: [
      {
        name: "Annex",
        components: [{ name: "Main", default_assignee: "ada@example.org" }],
        versions: ["1"],
        groups: [{ group: "release-drivers", members: "mandatory", others: "mandatory" }],
      },
    ],
  });
  return { run, filed: await run(FILE_IN_ANNEX) };
}

test("bug create --no-groups names the group that a product adds", async () => {
  const { filed } = await annex();
  expect(filed.code).toBe(0);
  expect(filed.err).toContain("Annex restricted it to the group release-drivers");
});

test("a public bug moves without a prompt", async () => {
  expect((await demo()(MOVE)).code).toBe(0);
});

test("the prompt of a bulk update counts the bugs that would become public, even with --yes", async () => {
  const { run } = await office();
  const ids = [...Array(50).keys()].map((at) => at + 1).filter((id) => id !== 17 && id !== 28); // closed to him
  const line = "bug update - -p Harbor -c API --bug-version 1.5 --milestone --- --yes";
  const refused = await run(line, { stdin: ids.join("\n") });
  expect([refused.code, updates(refused)]).toEqual([13, []]);
  expect(refused.err).toContain("bug 44 may lose its last group in Harbor (release-drivers), and become public");
  expect((await run(`${line} --allow-no-groups`, { stdin: ids.join("\n") })).code).toBe(0);
});
