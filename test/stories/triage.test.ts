import { describe, expect, test } from "vitest";
import { WAYS } from "./scene.ts";

describe.each(WAYS)("bugs are triaged %s", (way, open) => {
  test("each with one change, and the same criteria continue a walk that was left", async () => {
    const scene = await open();
    const first = ["p", "High", "m", "Please try 3.3.", "n", "mei@example.org", "", "", "s", "q"];
    const ran = await scene.say("tomas", "bug triage --id 40,41,44,46 --sort id", { answers: first });
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("1 applied, 1 skipped, 2 left")]);
    const { out } = await scene.say("tomas", "bug history 40 --new-since 2026-11-20T12:00Z --json");
    expect(JSON.parse(out)[0].history).toHaveLength(1);
    if (way === "in this process") return; // nothing is remembered between two lines

    const second = await scene.say("tomas", "bug triage --id 40,41,44,46 --sort id", { answers: ["s", "s"] });
    expect(second.err).toMatch(/^note: skipping 2 bugs that you handled before; --restart shows all\n/);
    expect(second.err).toMatch(/#44 [\s\S]*#46 [\s\S]*0 applied, 2 skipped\n$/);
    const again = await scene.say("tomas", "bug triage --id 40,41,44,46 --sort id --restart", { answers: ["q"] });
    expect(again.err).toMatch(/^\n#40 /);
  });

  test("a bug that the user may not change stays on the screen with the error", async () => {
    const scene = await open();
    const { code, err } = await scene.say("sam", "bug triage --id 44", { answers: ["p", "High", "", "q", "y"] });
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(/--priority High\n[\s\S]*no changes made[\s\S]*--priority High\n/),
    ]);
  });
});
