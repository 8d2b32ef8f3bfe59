import { describe, expect, test } from "vitest";
import { WAYS } from "./scene.ts";

describe.each(WAYS)("the work of a day %s", (way, open) => {
  test("requests, assigned bugs and changes are listed until they are done or read", async () => {
    const scene = await open();
    await scene.say("tomas", "bug update 46 -a sam@example.org -m 'Please have a look.'");
    await scene.say("tomas", "bug needinfo 44 --from sam@example.org -m 'Which version?'");
    const sections = async () => {
      const { code, out } = await scene.say("sam", "todo --json --jq 'map_values(map(.id))' ");
      expect(code).toBe(0);
      return JSON.parse(out);
    };
    expect(await sections()).toMatchObject({ assigned: [46], changed: expect.arrayContaining([44, 46]) });
    expect((await scene.say("tomas", "todo")).out).toContain("asked_by_me\t44\tneedinfo?\t\tsam@example.org\t");
    await scene.say("sam", "bug answer 44 -m '3.2'");
    expect((await scene.say("tomas", "todo")).out).not.toContain("asked_by_me\t44");
    expect((await sections()).asked_of_me).not.toContain(44);
    if (way === "in this process") return; // nothing is remembered between two lines

    await scene.say("sam", "bug get 46");
    await scene.say("sam", "bug get 32 --fields id,summary");
    expect((await sections()).changed).toEqual(expect.arrayContaining([32, 46]));
    await scene.say("sam", "bug get 32 46", true);
    expect((await sections()).changed.filter((id: number) => [32, 46].includes(id))).toEqual([]);
    await scene.say("sam", "bug update 46 -m 'Mine.'");
    await scene.say("tomas", "bug update 32 --whiteboard news");
    expect((await sections()).changed.filter((id: number) => [32, 46].includes(id))).toEqual([32]);
  });

  test("nobody has work without a login", async () => {
    const scene = await open();
    expect(await scene.say("nobody", "todo")).toMatchObject({ code: 4, err: expect.stringContaining("bt auth login") });
  });
});
