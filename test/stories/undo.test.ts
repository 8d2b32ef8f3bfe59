import { describe, expect, test } from "vitest";
import { WAYS } from "./scene.ts";

describe.each(WAYS)("a change is undone %s", (_way, open) => {
  test("the own one, field by field, while another user's later change stays; the undo is undone, too", async () => {
    const scene = await open();
    await scene.say(
      "tomas",
      "bug update 44 --priority Highest --whiteboard '[beta]' --add-cc mei@example.org,sam@example.org",
    );
    await scene.say("mei", "bug update 44 --priority Low --remove-cc sam@example.org");
    const undone = await scene.say("tomas", "bug undo 44");
    expect(undone).toMatchObject({
      code: 10,
      out: "44\twhiteboard\t[beta]\t\n44\tcc\tmei@example.org\t\n",
    });
    expect(undone.err).toContain(
      'bug 44: priority not undone: mei@example.org changed it 2026-11-20T12:02:00Z; it is now "Low", not "Highest"\n',
    );
    const redone = await scene.say("tomas", "bug undo 44", true);
    expect(redone.code).toBe(0);
    expect(redone.out).toMatchInlineSnapshot(`
      "#44  Import: "Ask me each time" asks once for all files
        CC          + mei@example.org
        Whiteboard  + [beta]
      "
    `);
    expect(await scene.say("mei", "bug undo 44")).toMatchObject({
      code: 0,
      out: "44\tpriority\tLow\tHighest\n44\tcc\t\tsam@example.org\n",
    });
  });

  test("another user's change only on request", async () => {
    const scene = await open();
    await scene.say("mei", "bug close 44 -m 'Done.'");
    const own = await scene.say("ada", "bug undo 44");
    expect(own).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("no such change by you (ada@example.org)"),
    });
    const timed = await scene.say("ada", "bug undo 44 --change 2026-11-20T12:01:00Z");
    expect(timed).toMatchObject({
      code: 1,
      err: expect.stringContaining("hint: --author mei@example.org undoes it\n"),
    });
    const { code, out } = await scene.say("ada", "bug undo 44 --author mei@example.org --json");
    expect([code, JSON.parse(out)]).toMatchObject([
      10,
      [
        {
          id: 44,
          changes: { status: { removed: "RESOLVED", added: "CONFIRMED" } },
          undone: { when: "2026-11-20T12:01:00Z", who: "mei@example.org" },
          not_undone: [{ field: "comment", reason: expect.stringMatching(/^comment \d+ stays$/) }],
        },
      ],
    ]);
  });

  test("a login is required, and a bug that others see", async () => {
    const scene = await open();
    expect(await scene.say("nobody", "bug undo 44")).toMatchObject({ code: 4 });
    expect(await scene.say("sam", "bug undo 4711")).toMatchObject({ code: 5, out: "" });
  });
});
