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
      out: "44\tapplied\n",
    });
    expect(undone.err).toContain('bug 44: priority not undone: it was changed since; it is now "Low", not "Highest"');
    const again = await scene.say("tomas", "bug undo 44");
    const [, job] = /the last change is an undo; bt bug undo --job (\w+) redoes it/.exec(again.err) ?? [];
    const redone = await scene.say("tomas", `bug undo --job ${job}`, { answers: [] });
    expect(redone.code).toBe(0);
    expect(redone.out).toMatchInlineSnapshot(`
      "#44  Import: "Ask me each time" asks once for all files
        CC          + mei@example.org
        Whiteboard  + [beta]
      "
    `);
    expect(await scene.say("mei", "bug undo 44")).toMatchObject({ code: 0 });
    const { out } = await scene.say("mei", "bug get 44 --fields priority,cc,whiteboard");
    expect(out).toBe("Highest\tmei@example.org,sam@example.org\t[beta]\n");
  });

  test("not another user's change", async () => {
    const scene = await open();
    await scene.say("mei", "bug close 44 -m 'Done.'");
    expect(await scene.say("ada", "bug undo 44")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("bug 44: this machine's journal has no change by you (ada@example.org)"),
    });
    const { code, out } = await scene.say("mei", "bug undo 44 --json");
    expect([code, JSON.parse(out)]).toMatchObject([
      10, // the comment stays
      [
        {
          id: 44,
          changes: { status: { removed: "RESOLVED", added: "CONFIRMED" } },
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
