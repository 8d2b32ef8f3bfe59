import { expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { bt, updates } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const MEI = { login: "mei@example.org" };
const SURROUNDINGS = {
  now: () => new Date("2026-11-20T12:00:00Z"),
  random: (count: number) => new Uint8Array(count),
};

/** Bug 32, asked of seun, mei twice and, for another flag, mei. */
async function asked() {
  const run = demo();
  await run("bug update 32 --flag 'needinfo?(seun@example.org)'");
  for (const flag of ["needinfo", "needinfo"]) await run(`bug update 32 --flag '+${flag}?(mei@example.org)'`);
  return run;
}

test("a request is added beside those to others, with the comment in one change", async () => {
  const run = await asked();
  const ran = await run("bug needinfo 32 --from ada@example.org -m 'Which version?'");
  expect(ran).toMatchObject({
    code: 0,
    out: "32\tapplied\n",
    err: "",
  });
  expect(updates(ran)).toEqual([
    {
      ids: [32],
      flags: [{ name: "needinfo", status: "?", requestee: "ada@example.org", new: true }],
      comment: { body: "Which version?" },
    },
  ]);
  expect((await run("bug get 32 --fields flags")).out.match(/needinfo/g)).toHaveLength(4);
});

test("a request that is set already is not set twice, on one bug and on several", async () => {
  const run = await asked();
  expect(await run("bug needinfo 32 --from seun@example.org,MEI@example.org")).toMatchObject({
    code: 0,
    out: "32\tunchanged\n",
  });
  expect(await run("bug needinfo 32 --from seun@example.org -m Hello")).toMatchObject({
    code: 10,
    err: expect.stringContaining("needinfo is already requested from seun@example.org, comment not added\n"),
  });
  const { code, out } = await run("bug needinfo 32 44 --from seun@example.org -m Hello --json");
  expect([code, JSON.parse(out)]).toMatchObject([
    10,
    [
      { id: 32, changes: {}, not_applied: ["comment"] },
      { id: 44, changes: { "flagtypes.name": {} } },
    ],
  ]);
});

test("bug answer clears all requests to the user, no other, with the comment in one change", async () => {
  const run = await asked();
  await run("bug update 32 --flag 'review?(mei@example.org)'");
  const ran = await run("bug answer 32 -m '3.2'", MEI);
  expect(ran.code).toBe(0);
  expect(updates(ran)).toEqual([
    {
      ids: [32],
      flags: [
        { id: expect.any(Number), status: "X" },
        { id: expect.any(Number), status: "X" },
      ],
      comment: { body: "3.2" },
    },
  ]);
  const { out } = await run("bug get 32 --fields flags");
  expect(out).toContain("needinfo?(seun@example.org)");
  expect(out).not.toContain("needinfo?(mei@example.org)");
});

test("a bug that asks nothing of the user is unchanged, and gets no comment", async () => {
  const run = await asked();
  await run("bug update 2 --flag 'review?(ada@example.org)'");
  expect(await run("bug answer 44 -m Yes")).toMatchObject({
    code: 10,
    err: `bt: bug 44: unchanged, needinfo is not requested from tomas@example.org, comment not added
hint: bt comment add 44
`,
  });
  const several = await run("bug answer 44 32 -m Yes --format tsv", MEI);
  expect([several.code, several.out]).toEqual([10, "44\tunchanged\n32\tapplied\n"]);
  expect((await run("comment list 44 --json")).out).not.toContain('"Yes"');
});

test("a flag that the bugs cannot have is not requested", async () => {
  const { code, err } = await demo()("bug needinfo 44 --from mei@example.org", { settings: { needinfo_flag: "info" } });
  expect([code, err]).toEqual([2, expect.stringMatching(/^bt: unknown flag "info"\nhint: did you mean needinfo\?/)]);
});

test("a flag that a bug can have only once is not taken from another user", async () => {
  const run = demo({ flag_types: [{ name: "info", is_multiplicable: false }] });
  const settings = { needinfo_flag: "info" };
  expect(await run("bug needinfo 44 --from mei@example.org", { settings })).toMatchObject({ code: 0 });
  expect(await run("bug needinfo 44 --from ada@example.org", { settings })).toMatchObject({ code: 3 });
  expect((await run("bug get 44 --fields flags")).out).toContain("info?(mei@example.org)");
  expect(await run("bug answer 44 -m Hm", { settings, ...MEI })).toMatchObject({ code: 0 });
});

test("bug answer without a comment is an error", async () => {
  const ran = await (await asked())("bug answer 32", MEI);
  expect([ran.code, updates(ran)]).toEqual([2, []]);
});

test("bug answer clears a request to nobody in particular, too", async () => {
  const run = demo();
  await run("bug update 32 --flag needinfo?");
  expect(await run("bug answer 32 -m Yes", MEI)).toMatchObject({ code: 0, out: "32\tapplied\n" });
  expect((await run("bug get 32 --fields flags")).out).not.toContain("needinfo?");
});

test("bug needinfo requires a user", async () => {
  expect(await demo()("bug needinfo 44")).toMatchObject({ code: 2, requests: [] });
});

test.each([
  [2, "needinfoX(mei@example.org)", 3], // refused: the flag is gone
  [2, "needinfo?(ada@example.org)", 0],
])("before request %i of bug answer about the bug, another user sets %s", async (number, flag, code) => {
  const { exchange } = freshDemo(SURROUNDINGS);
  await bt("bug update 32 --flag 'needinfo?(mei@example.org)'", { exchange });
  let requests = 0;
  const racing: Exchange = async (request) => {
    if (request.path.startsWith("/rest/bug") && ++requests === number)
      await bt(`bug update 32 --flag '${flag.startsWith("needinfo?") ? "+" : ""}${flag}'`, { exchange });
    return exchange(request);
  };
  const ran = await bt("bug answer 32 -m Yes", { exchange: racing, ...MEI });
  expect([requests >= number, ran.code]).toEqual([true, code]);
  expect((await bt("comment list 32 --json", { exchange })).out.includes('"Yes"')).toBe(code === 0);
});
