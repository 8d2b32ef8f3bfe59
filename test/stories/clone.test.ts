import { describe, expect, test } from "vitest";
import { WAYS } from "./scene.ts";

describe.each(WAYS)("a bug of the security group is cloned %s", (_, open) => {
  test("by a member, who may restrict the clone; others see neither", async () => {
    const { say } = await open();
    await say("ada", "bug update 44 --add-groups security --is-cc-accessible no --is-creator-accessible no");
    const ran = await say("mei", "bug clone 44 -t 'For 3.1' --version 3.1");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const number = ran.out.trim();
    const clone = JSON.parse((await say("mei", `bug get ${number} --json`)).out)[0];
    expect(clone).toMatchObject({ summary: "For 3.1", version: "3.1", groups: ["security"], depends_on: [44], cc: [] });
    expect((await say("tomas", `bug get ${number}`)).code).toBe(4);
    expect((await say("sam", `bug clone ${number}`)).code).toBe(4);
  });
});
