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
      out: "44\tdone\tcc: - mei@example.org; whiteboard: - [beta]\t2026-11-20T12:03:00Z\t\n",
    });
    expect(undone.err).toContain(
      'bug 44: priority not undone: it was changed since; it is now "Low", not "Highest", by mei@example.org at ',
    );
    const asked = { answers: ["yes"] };
    const redone = await scene.say("tomas", "bug undo 44", asked);
    expect([redone.code, redone.err]).toEqual([
      0,
      expect.stringMatching(/^redoing job [\s\S]*\nredo what was undone\?/),
    ]);
    expect(redone.out).toMatchInlineSnapshot(`
      "#44  Import: "Ask me each time" asks once for all files
        CC          + mei@example.org
        Whiteboard  + [beta]
      "
    `);
    expect(await scene.say("mei", "bug undo 44")).toMatchObject({
      code: 0,
      out: expect.stringContaining("44\tdone\tpriority: Low -> Highest; cc: + sam@example.org\t"),
    });
  });

  test("not another user's change", async () => {
    const scene = await open();
    await scene.say("mei", "bug close 44 -m 'Done.'");
    expect(await scene.say("ada", "bug undo 44")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("this machine's journal has no change of bug 44 by you (ada@example.org)"),
    });
    const { code, out } = await scene.say("mei", "bug undo 44 --json");
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      [
        {
          id: 44,
          changes: { status: { removed: "RESOLVED", added: "CONFIRMED" } },
          undone: { when: "2026-11-20T12:01:00Z", who: "mei@example.org" },
          not_undone: [{ field: "comment", reason: "comments are kept" }],
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
