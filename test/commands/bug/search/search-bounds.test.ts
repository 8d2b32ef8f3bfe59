import { describe, expect, test } from "vitest";
import { bt } from "../../../bt.ts";
import { manyBugs } from "../../../tracker/many-bugs.ts";
import { demo } from "../../demo.ts";

const at = { terminal: true };
const NONE = "'keywords = crash priority = Lowest'";

describe("bt bug search --max", () => {
  test("without matches print nothing in a pipe, and end with 0", async () => {
    expect(await demo()(`bug search ${NONE} --max 0`)).toMatchObject({ code: 0, out: "" });
  });

  test("with more matches than --max list them, and end with 1", async () => {
    const ran = await demo()("bug search is:open --max 3 --format ids");
    expect(ran.code).toBe(1);
    const count = ran.out.trimEnd().split("\n").length;
    expect(count).toBeGreaterThan(3);
    expect(ran.err).toContain(`bt: ${count} bugs match, at most 3 allowed\n`);
    expect((await demo()(`bug search is:open --max ${count} --format ids`)).code).toBe(0);
  });

  test("list all bugs on a terminal, too", async () => {
    const { out } = await demo()("bug search is:open --max 0", { ...at, rows: 10 });
    expect(out.trimEnd().split("\n").length).toBeGreaterThan(20);
  });

  test("go with counts", async () => {
    const { code, out, err } = await demo()("bug search is:open --count --max 3");
    expect([code, err]).toEqual([1, `bt: ${out.trim()} bugs match, at most 3 allowed\n`]);
  });

  test.each(["--max 0", "is:open --max few", "--product Lantrn --max 0", "is:open --max 3 --limit 5"])(
    "need criteria that exist, a number and no limit: %s",
    async (words) => {
      expect(await demo()(`bug search ${words}`, at)).toMatchObject({ code: 2, out: "" });
    },
  );
});

test.each(["--all", "--all --sort id", "--all --sort priority"])(
  "a tracker in this process with a small maximum of results loses none: %s",
  async (flags) => {
    const [small, large] = [manyBugs(130, 50), manyBugs(130, 10_000)];
    expect((await bt(`bug search ${flags} --format ids`, small)).out).toBe(
      (await bt(`bug search ${flags} --format ids`, large)).out,
    );
  },
);

test("--limit holds beside --all, which is every bug", async () => {
  expect(await demo()("bug search --all --limit 2 --format ids")).toMatchObject({ code: 0, out: "50\n49\n" });
});
