import { describe, expect, test } from "vitest";
import { isAsciiOnly, wantsColor } from "../../src/cli/output.ts";
import type { Around } from "../bt.ts";
import { demo } from "../commands/demo.ts";

describe("colour", () => {
  test.each<[env: Record<string, string>, pipe: boolean, terminal: boolean]>([
    [{}, false, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false, false],
    [{ FORCE_COLOR: "0" }, false, true],
    [{ FORCE_COLOR: "1" }, true, true],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, false, false],
  ])("with %j is %j in a pipe, %j on a terminal", (env, pipe, terminal) => {
    expect([wantsColor("auto", false, env), wantsColor("auto", true, env)]).toEqual([pipe, terminal]);
    expect([wantsColor("always", false, env), wantsColor("never", true, env)]).toEqual([true, false]);
  });
});

test("only a UTF-8 locale of a terminal that can redraw has signs beyond ASCII", () => {
  const envs = [
    { LANG: "de_DE.UTF-8" },
    { LANG: "C", LC_ALL: "en_US.utf8" },
    { LC_CTYPE: "UTF-8" },
    { LANG: "C.UTF-8", TERM: "dumb" },
    { LANG: "en_US.UTF-8", LC_ALL: "C" },
    { LANG: "de_DE.ISO-8859-1" },
    {},
  ];
  expect(envs.map((env) => isAsciiOnly({ env }))).toEqual([false, false, false, true, true, true, true]);
});

const run = (line: string, around: Partial<Around> = {}) => demo()(line, around);

const MANY = `bug update ${Array.from({ length: 30 }, (_, at) => at + 1).join(" ")} --priority High --yes`;

describe("the settings of a terminal", () => {
  const terminal = true;
  const created = async (around: Partial<Around>) =>
    /^Created .*$/m.exec((await run("bug get 12", { terminal, ...around })).out)?.[0];

  test("timezone is the zone of printed times, unless TZ is set", async () => {
    const settings = { timezone: "Asia/Tokyo" };
    expect(await created({ settings })).toContain(":00 GMT+9");
    expect(await created({ settings, env: { TZ: "UTC" } })).toContain(":00 UTC");
  });

  test("a dumb terminal gets ASCII and neither colour nor redrawing", async () => {
    const env = { TERM: "dumb" };
    const many = await run(MANY, { terminal, color: true, env });
    const few = await run("bug update 1 2 --priority Low", { terminal, env });
    expect(few.out).toContain("->");
    expect(many.err + many.out + few.out).not.toMatch(/(?!\n)\p{Cc}|[·→…─›]/u);
  });
});
