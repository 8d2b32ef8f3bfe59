import { describe, expect, test } from "vitest";
import { demo } from "../../demo.ts";

const SUMMARY = "'Photos copied twice on import from a card'";

describe("bt bug similar", () => {
  test.each([30, 120])("fits %i columns", async (columns) => {
    const { out } = await demo()(`bug similar --summary ${SUMMARY}`, { terminal: true, columns });
    expect(out.split("\n").every((line) => line.length <= columns)).toBe(true);
    expect(out).toMatch(/#3$|#3 /m);
  });

  test("a bug is compared with those of its product, or of others", async () => {
    const products = async (flags: string) => {
      const { out } = await demo()(`bug similar 12 ${flags} --fields product --format tsv`);
      return [...new Set(out.trimEnd().split("\n"))].sort();
    };
    expect(await products("")).toEqual(["Harbor"]);
    expect(await products("-p lantern")).toEqual(["Lantern"]);
  });

  test.each([
    ["bug similar", 2, "expected a bug, or --summary"],
    ["bug similar 12 --summary x", 2, "expected a bug, or --summary"],
    ["bug similar --summary ' '", 2, "--summary with a text"],
    ["bug similar 12,13", 2, "expected one bug, got 2: 12, 13"],
    ["bug similar 999", 5, "Bug #999"],
    ["bug similar 12 --limit 0", 2, "--limit"],
    ["bug similar 12 -p Lanten", 2, 'unknown product "Lanten"'],
  ])("%s fails with %i", async (line, code, message) => {
    expect(await demo()(line)).toMatchObject({ code, err: expect.stringContaining(message), out: "" });
  });
});

const CREATE = `bug create -p Lantern -c 'Import & Export' --version 3.2 --op-sys All --platform All -t ${SUMMARY}`;
const terminal = { terminal: true, columns: 80, login: "mei@example.org" };

describe("bt bug create shows probable duplicates before it files", () => {
  test("on a terminal, and files only if that is wanted", async () => {
    const no = await demo()(`${CREATE} -d x`, { ...terminal, answers: ["n"] });
    expect(no).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Similar bugs\n(.*\n)*#3 (.*\n)*.*file it anyway\?/),
    });
    const yes = await demo()(`${CREATE} -d x`, { ...terminal, answers: ["y"] });
    expect(yes.code).toBe(0);
    const posts = [no, yes].map(({ requests }) => requests.filter(({ method }) => method === "POST").length);
    expect(posts).toEqual([0, 1]);
  });
});
