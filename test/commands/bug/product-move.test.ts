import { describe, expect, test } from "vitest";
import type { ProductSetup } from "../../../src/tracker/setup/products.ts";
import type { asked } from "../../bt.ts";
import { demo } from "../demo.ts";

const MOVE = "bug update 44 -p Harbor -c API --bug-version 1.5 --milestone ---";

const DRIVERS = { group: "release-drivers", members: "shown", others: "shown" } as const;

/** A demo in which bug 44 of Lantern is in a group that Lantern and other products have. */
async function office(...others: readonly ProductSetup[]) {
  const run = demo({
    groups: [{ name: "release-drivers", user_regexp: ".*" }],
    products: [{ name: "Lantern", groups: [DRIVERS] }, ...others],
  });
  expect((await run("bug update 44 --add-groups release-drivers")).code).toBe(0);
  const groups = async () => JSON.parse((await run("bug get 44 --fields groups --json")).out)[0].groups;
  expect(await groups()).toEqual(["release-drivers"]);
  return { run, groups };
}

function isSent(ran: { requests: Parameters<typeof asked>[0]["requests"] }): boolean {
  return ran.requests.some(({ method }) => method === "PUT");
}

describe("moving to a product that does not allow the last group of a bug", () => {
  test("is shown by --dry-run", async () => {
    const { run } = await office();
    const ran = await run(`${MOVE} --dry-run`);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("44\tgroups\trelease-drivers\t\n");
    expect(ran.err).toContain(
      "bug 44 may lose its last group in Harbor (release-drivers); this requires --allow-no-groups",
    );
  });

  test("needs --allow-no-groups without a terminal", async () => {
    const { run, groups } = await office();
    const refused = await run(`${MOVE} --yes`);
    expect([refused.code, isSent(refused)]).toEqual([13, false]);
    expect(refused.err).toContain("hint: --add-groups GROUP keeps them private; --allow-no-groups accepts it");
    expect(await groups()).toEqual(["release-drivers"]);
    const moved = await run(`${MOVE} --allow-no-groups`);
    expect([moved.code, moved.out, moved.err, await groups()]).toEqual([
      0,
      expect.stringContaining("44\tgroups\trelease-drivers\t\n"),
      "bt: bug 44 is now public\n",
      [],
    ]);
    expect(await groups()).toEqual([]);
  });

  test.each([
    ["y", 0],
    ["n", 13],
    ["", 13],
  ])("prompts at a terminal: %s", async (answer, code) => {
    const { run } = await office();
    const ran = await run(MOVE, { terminal: true, answers: [answer] });
    expect([ran.code, isSent(ran)]).toEqual([code, code === 0]);
    expect(ran.err).toContain("bug 44 may lose its last group in Harbor");
  });
});

test("a group added by the product is in the preview, and bug create --no-groups names it", async () => {
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
  const create = "bug create --no-groups -p Annex -c Main --bug-version 1 -t x -d y --op-sys Linux --platform PC";
  const filed = await run(create);
  expect(filed.code).toBe(0);
  expect(filed.err).toContain("Annex restricted it to the group release-drivers");
  expect(await run(`${create} --strict`)).toMatchObject({ code: 10 });
  const plan = await run("bug update 44 -p Annex -c Main --bug-version 1 --milestone --- --dry-run");
  expect(plan.out).toContain("44\tgroups\t\trelease-drivers\n");
});

test("a bug whose group the product allows, judging by its bugs, moves without a prompt", async () => {
  const { run, groups } = await office({ name: "Harbor", groups: [DRIVERS] });
  await run("bug update 45 --add-groups release-drivers");
  expect(await run(MOVE)).toMatchObject({ code: 0, err: "" });
  expect(await groups()).toEqual(["release-drivers"]);
});

test("a public bug moves without a prompt, and --allow-no-groups has no effect", async () => {
  const run = demo();
  expect((await run(MOVE)).code).toBe(0);
  expect((await run("bug update 44 --allow-no-groups --priority High")).err).toContain(
    "--allow-no-groups requires --product",
  );
});

test("the prompt of a bulk update counts the bugs that would become public, even with --yes", async () => {
  const { run } = await office();
  const ids = [...Array(50).keys()].map((at) => at + 1).filter((id) => id !== 17 && id !== 28); // closed to him
  const line = "bug update - -p Harbor -c API --bug-version 1.5 --milestone --- --yes";
  const refused = await run(line, { stdin: ids.join("\n") });
  expect([refused.code, isSent(refused)]).toEqual([13, false]);
  expect(refused.err).toContain("bug 44 may lose its last group in Harbor (release-drivers), and become public");
  expect((await run(`${line} --allow-no-groups`, { stdin: ids.join("\n") })).code).toBe(0);
});
