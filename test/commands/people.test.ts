import { describe, expect, test } from "vitest";
import { asked, updates } from "../bt.ts";
import { demo } from "./demo.ts";

const MEI = "Mei Tanaka <mei@example.org>";
const LUCIA = "Lucía Romero <lucia@example.org>";

describe("on a terminal, a name in place of a login lists the users who have it", () => {
  test.each(["bug update 44 --assignee mei", "bug update 44 -a 'Mei Tanaka'"])("%s", async (line) => {
    const run = demo();
    const ran = await run(line, { terminal: true, answers: ["1"] });
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining(`  ${MEI}\n`) });
    expect(updates(ran)).toEqual([{ ids: [44], assigned_to: "mei@example.org" }]);
  });

  test("also where stdin names the bugs: the terminal itself answers", async () => {
    const ran = await demo()("bug update - --assignee mei", { terminal: true, stdin: "44\n45\n", answers: ["mei"] });
    expect(updates(ran)).toEqual([{ ids: [44, 45], assigned_to: "mei@example.org" }]);
  });

  test("is not used unless the user chooses it, and nothing is sent but the search for users", async () => {
    const ran = await demo()("bug update 44 -a mei", { terminal: true, answers: [] });
    expect(ran.code).toBe(2);
    expect(asked(ran)).toEqual(["GET /rest/user?match=mei&limit=20&include_fields=id,name,real_name"]);
  });

  test("of several users is a choice, made once for all flags", async () => {
    const ran = await demo()("bug update 44 -a example --add-cc ada@example.org,example,sam@example.org", {
      terminal: true,
      answers: ["lucia"],
    });
    expect(ran.err.match(/user "example", by number or name:\n/g)).toHaveLength(1);
    expect(ran.err).toContain(`  ${LUCIA}\n`);
    const cc = { add: ["ada@example.org", "lucia@example.org", "sam@example.org"] };
    expect(updates(ran)).toEqual([{ ids: [44], assigned_to: "lucia@example.org", cc }]);
    expect(asked(ran).filter((line) => line.includes("match="))).toHaveLength(1);
  });
});

describe("without prompts, a name in place of a login is refused with the users who match", () => {
  test.each([
    ["bug search -a 'Mei Tanaka'", 'bt: unknown user "Mei Tanaka"\nhint: did you mean mei@example.org?\n'],
    ["bug update 44 -a 'Lucía Romero'", 'bt: unknown user "Lucía Romero"\nhint: did you mean lucia@example.org?\n'],
    ["bug needinfo 44 --from mei -m Why", 'bt: unknown user "mei"\nhint: did you mean mei@example.org?\n'],
    ["bug needinfo 44 --from mei --dry-run", 'bt: unknown user "mei"\nhint: did you mean mei@example.org?\n'],
    ["bug update 44 -a 'No One'", `bt: unknown user "No One"\nhint: bt user search '*' lists users\n`],
  ])("%s", async (line, err) => {
    const ran = await demo()(line);
    expect(ran).toMatchObject({ code: 2, out: "", err });
    expect(asked(ran).filter((request) => !/^GET \/rest\/(?:user|field\/bug)/.test(request))).toEqual([]);
    expect(await demo()(line, { terminal: true, env: { BT_PROMPTS: "off" } })).toMatchObject({ code: 2, err });
  });

  test("in the query language, with the command that lists them", async () => {
    expect(await demo()("bug search 'assignee:\"Mei Tanaka\"'")).toMatchObject({
      code: 2,
      err: 'bt: "Mei Tanaka" is not a login (column 1)\nhint: bt user search "Mei Tanaka" shows the login\n',
    });
  });

  test.each(["bug search -a example", "bug update 44 --assignee example"])("%s, all of several", async (line) => {
    const ran = await demo()(line);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^bt: unknown user "example"\n/);
    for (const login of ["mei@example.org", "lucia@example.org"]) expect(ran.err).toContain(login);
    expect(ran.err).toMatch(/^hint: did you mean .+\?$/m);
    expect(updates(ran)).toEqual([]);
  });
});
