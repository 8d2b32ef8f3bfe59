import { describe, expect, test } from "vitest";
import { asked } from "../../../bt.ts";
import { demo } from "../../demo.ts";

function change(lines: readonly string[]) {
  return lines.find((line) => line.startsWith("PUT"))?.replace(/^.*?\{/, "{");
}

describe("a status change missing from the workflow is rejected before any request", () => {
  test.each([
    ["close 44 --as fixd", "did you mean FIXED?"],
    [
      "reopen 12 --status VERIFIED",
      "VERIFIED is a status of closed bugs\nhint: valid values: UNCONFIRMED, CONFIRMED, IN_PROGRESS\n",
    ],
    ["reopen 12 --status closed", 'unknown status "closed"\nhint: valid values: UNCONFIRMED, '],
    ["dup 44 99999", "does not exist"],
    ["close 44 --as DUPLICATE", "bt bug dup BUG ORIGINAL"],
    ["reopen 48", "bug 48 is IN_PROGRESS, not closed\nhint: bt bug update --status CONFIRMED sets it anyway"],
    ["reopen 46", "bug 46 is UNCONFIRMED, not closed"],
    ["confirm 48", "bug 48 is IN_PROGRESS, not unconfirmed"],
    ["confirm 12", "bug 12 is RESOLVED, not unconfirmed"],
    ["confirm 46 48", "bug 48: IN_PROGRESS, not unconfirmed"],
    ["update 44 --dupe-of 43 -r FIXED", "cannot be a duplicate with resolution FIXED"],
    ["dup 14 44 --dry-run", "bug 14 cannot change from VERIFIED to RESOLVED"],
    ["update 44 --add-cc mei@example.org --remove-cc mei@example.org", "cannot be both added and removed"],
    ["update 44 --priority High --private", "--private requires a comment"],
    ["update 44 --status fixed", 'unknown status "fixed"\nhint: valid values: UNCONFIRMED, '],
    ["update 44 --severity High", "hint: valid values: blocker, "],
    ["needinfo 44 mei@example.org", "missing required flag: --from"],
    ["update 44 --priority Hihg", 'unknown priority "Hihg"'],
    ["update 44 --component API", 'unknown component "API" in Lantern'],
    ["update 44 --add-keywords crash --remove-keyword Crash", "crash cannot be both added and removed"],
    ["update 44 --set-keywords crash --add-keywords perf", "--set-keywords replaces the whole list"],
    ["update 44 --add-see-also foo", '"foo" is not a bug number or URL'],
    ["update 44 --add-see-also 'two words'", '"two words" is not a bug number or URL'],
    ["update 44 --remove-see-also foo", '"foo" is not a bug number or URL'],
  ])("bug %s", async (line, message) => {
    const ran = await demo()(`bug ${line}`, { address: "https://bugs.example.org" });
    expect(ran.code).not.toBe(0);
    expect(change(asked(ran))).toBeUndefined();
    expect(ran.err).toContain(message);
  });
});

test.each([
  ["bug update 12 -m hello", "(comment added)"],
  ["bug update 12 --comment-is-private 12#1=yes", "(privacy of 1 comment changed)"],
  ["bug update 12 -m hello --dry-run", "with comment"],
])("values missing from the changes returned by the tracker are reported: %s", async (line, words) => {
  const ran = await demo()(line, { terminal: true });
  expect(ran.out.replace(/\s+/g, " ")).toContain(words);
});

test("a bug that cannot be resolved again keeps its status as a duplicate", async () => {
  const run = demo();
  expect(await run("bug update 14 --dupe-of 44 --resolution DUPLICATE")).toMatchObject({ code: 0 });
  const { out } = await run("bug get 14 --json=status,resolution,dupe_of");
  expect(JSON.parse(out)).toEqual([{ status: "VERIFIED", resolution: "DUPLICATE", dupe_of: 44 }]);
});

test.each([
  ["--assigned-to mei@example.org --reset-assigned-to", "--assigned-to and --reset-assigned-to"],
  ["--reset-qa-contact --qa-contact @me", "--qa-contact and --reset-qa-contact"],
])("a person and the default one cannot both be set: %s", async (flags, named) => {
  const ran = await demo()(`bug update 44 ${flags}`);
  expect([ran.code, ran.err]).toEqual([2, `bt: ${named} cannot be used together\n`]);
  expect(ran.requests.filter(({ method }) => method === "PUT")).toEqual([]);
});
