import { describe, expect, test } from "vitest";
import { WAYS } from "./scene.ts";

describe.each(WAYS)("a request for information goes round %s", (_way, open) => {
  test("it is requested from two users, passed on by one, and cleared by the others", async () => {
    const scene = await open();
    await scene.say("tomas", "bug needinfo 44 --from mei@example.org,sam@example.org -m 'Which version?'");
    const passed = await scene.say(
      "mei",
      "bug update 44 --flag 'needinfoX(mei@example.org)' --flag '+needinfo?(ada@example.org)' -m 'Ada has it.'",
      true,
    );
    expect(passed).toMatchObject({ code: 0, err: "" });
    expect(passed.out).toMatchInlineSnapshot(`
      "#44  Import: "Ask me each time" asks once for all files (comment added)
        CC     + ada@example.org
        Flags  - needinfo?(mei@example.org)  + needinfo?(ada@example.org)
      "
    `);
    expect(await scene.say("ada", "bug answer 44 -m '3.2'")).toMatchObject({
      code: 0,
      out: "44\tapplied\n",
      err: "",
    });
    const { out } = await scene.say("sam", "bug answer 44 12 -m 'I do not know.' --json");
    const [first, second] = JSON.parse(out);
    expect(first).toMatchObject({ id: 44, changes: { "flagtypes.name": { removed: "needinfo?(sam@example.org)" } } });
    expect(second).toMatchObject({ id: 12, changes: {}, not_applied: ["comment"] });
    expect((await scene.say("tomas", "bug get 44 --fields flags")).out).toBe("\n");
    const { out: said } = await scene.say("tomas", "comment list 44 --json=creator,text");
    expect(JSON.parse(said).slice(-4)).toEqual([
      { creator: "tomas@example.org", text: "Which version?" },
      { creator: "mei@example.org", text: "Ada has it." },
      { creator: "ada@example.org", text: "3.2" },
      { creator: "sam@example.org", text: "I do not know." },
    ]);
  });

  test("bug needinfo and bug answer require a login", async () => {
    const scene = await open();
    const { code, err } = await scene.say("nobody", "bug answer 44");
    expect([code, err]).toEqual([4, expect.stringContaining("bt auth login")]);
    expect(await scene.say("nobody", "bug needinfo 44 --from mei@example.org")).toMatchObject({ code: 4 });
  });
});
