import { describe, expect, test } from "vitest";
import { asked } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const run = demo();

describe("commas separate", () => {
  test.each([
    ["bug get 12,13 14 --format ids", "12\n13\n14\n"],
    ["bug get 12, --format ids", "12\n"],
    ["bug get 14,12,14 --format ids", "14\n12\n"],
    ["attachment list 16,21 --fields bug_id", "16\n21\n"],
    ["comment get 12.0,13.0 --fields bug_id,count", "12\t0\n13\t0\n"],
  ])("bt %s", async (line, out) => {
    expect(await run(line)).toMatchObject({ code: 0, out, err: "" });
  });
});

test.each(["bug get 44-46", "bug get 44..46", "bug update 44-46 --priority High", "bug close 44..46"])(
  "a range is no bug: bt %s",
  async (line) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(asked(ran).filter((request) => !request.startsWith("GET"))).toEqual([]);
  },
);

describe("--from-text reads the bugs", () => {
  const LOG = "Fix the toolbar (bug 13)\n\nSee bug 12 and #14; debug 15; bug 13.\n";
  test.each([
    ["bug get --from-text - --format ids", "13\n12\n"],
    ["bug get --from-text 'Bug 14, as in bug 3' --format ids", "14\n3\n"],
    ["comment list --from-text 'bug 12' --fields bug_id", "12\n"],
  ])("bt %s", async (line, out) => {
    const ran = await run(line, { stdin: LOG });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out.startsWith(out)).toBe(true);
  });

  test("or exits with 1 if the text mentions no bug, without a request", async () => {
    const none = await run("bug get --from-text -", { stdin: "nothing about #12" });
    expect(none).toMatchObject({ code: 1, out: "", err: expect.stringContaining("mentions no bugs"), requests: [] });
  });
});
