import { describe, expect, test } from "vitest";
import { demo } from "../demo.ts";

const at = { terminal: true };

describe("bt bug check", () => {
  test("without matches prints nothing in a pipe, and ends with 0", async () => {
    expect(await demo()("bug check 'keywords = crash priority = Lowest'")).toMatchObject({ code: 0, out: "" });
  });

  test("with more matches than --max lists them, and ends with 1", async () => {
    const ran = await demo()("bug check is:open --max 3 -o ids");
    expect(ran.code).toBe(1);
    const count = ran.out.trimEnd().split("\n").length;
    expect(count).toBeGreaterThan(3);
    expect(ran.err).toContain(`bt: ${count} bugs match, at most 3 allowed\n`);
  });

  test("lists all of them on a terminal, too", async () => {
    const { out } = await demo()("bug check is:open", { ...at, rows: 10 });
    expect(out.trimEnd().split("\n").length).toBeGreaterThan(20);
  });

  test("--min requires bugs, without a maximum", async () => {
    expect((await demo()("bug check is:open --min 2 -o ids")).code).toBe(0);
    expect(await demo()("bug check 'keywords = crash priority = Lowest' --min 1")).toMatchObject({
      code: 1,
      err: "bt: 0 bugs match, at least 1 required\n",
    });
  });

  test("needs criteria that exist, and numbers", async () => {
    for (const line of ["bug check", "bug check --product Lantrn", "bug check is:open --max few"])
      expect(await demo()(line, at)).toMatchObject({ code: 2, out: "" });
  });
});
