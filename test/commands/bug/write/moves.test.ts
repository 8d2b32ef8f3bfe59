import { describe, expect, test } from "vitest";
import { asked, updates } from "../../../bt.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

function change(lines: readonly string[]) {
  return lines.find((line) => line.startsWith("PUT"))?.replace(/^.*?\{/, "{");
}

describe("each short command sends one update", () => {
  test.each([
    ["close 44", { status: "RESOLVED", resolution: "FIXED" }],
    [
      "close 44 --as wontfix -m 'Not now.'",
      { status: "RESOLVED", resolution: "WONTFIX", comment: { body: "Not now." } },
    ],
    ["reopen 12", { status: "CONFIRMED" }],
    ["reopen 12 --status unconfirmed", { status: "UNCONFIRMED" }],
    ["confirm 46", { status: "CONFIRMED" }],
    ["dup 44 43", { dupe_of: 43 }],
    ["take 44", { assigned_to: "tomas@example.org" }],
    ["update 49 --qa-contact ''", { qa_contact: "" }],
    ["take 44 --start", { assigned_to: "tomas@example.org", status: "IN_PROGRESS" }],
  ])("bug %s", async (line, body) => {
    const ran = await demo()(`bug ${line}`);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(JSON.parse(change(asked(ran)) ?? "")).toMatchObject(body);
  });
});

describe("a status change missing from the workflow is rejected before any request", () => {
  test.each([
    ["close 44 --as fixd", "did you mean FIXED?"],
    ["close 44 --as VERIFIED", "hint: VERIFIED is a status\n"],
    [
      "reopen 12 --status VERIFIED",
      "VERIFIED is a status of closed bugs\nhint: valid values: UNCONFIRMED, CONFIRMED, IN_PROGRESS\n",
    ],
    ["reopen 12 --status closed", "closed statuses: RESOLVED, VERIFIED; bt bug close closes bugs"],
    ["dup 44 99999", "does not exist"],
    ["close 44 --as DUPLICATE", "bt bug dup BUG ORIGINAL"],
    ["reopen 48", "bug 48 is IN_PROGRESS, not closed\nhint: bt bug update 48 --status CONFIRMED sets it anyway"],
    ["reopen 46", "bug 46 is UNCONFIRMED, not closed"],
    ["confirm 48", "bug 48 is IN_PROGRESS, not unconfirmed"],
    ["confirm 12", "bug 12 is RESOLVED, not unconfirmed"],
    ["confirm 46 48", "not updated: bug 48 is IN_PROGRESS, not unconfirmed\n"],
    ["update 44 --dupe-of 43 -r FIXED", "cannot be a duplicate with resolution FIXED"],
    [
      "dup 14 44",
      "bug 14 cannot change from VERIFIED to RESOLVED\nhint: bt bug update 14 --dupe-of 44 --resolution DUPLICATE keeps",
    ],
    ["dup 14 44 --dry-run", "bug 14 cannot change from VERIFIED to RESOLVED"],
    ["close 14 --dupe-of 44 --dry-run", "bug 14 cannot change from VERIFIED to RESOLVED"],
    ["update 44 --dupe-of 44", "bug 44 cannot be a duplicate of itself"],
    ["dup 44 44", "bug 44 cannot be a duplicate of itself"],
    ["dup slow-open 5", "bug 5 cannot be a duplicate of itself"],
    ["update 5 --dupe-of slow-open", "bug 5 cannot be a duplicate of itself"],
    ["update 44 --add-cc mei@example.org --remove-cc mei@example.org", "cannot be both added and removed"],
    ["update 44 --priority High --private", "--private requires a comment"],
    ["update 44 --status fixed", 'unknown status "fixed"\nhint: FIXED is a resolution\n'],
    ["update 44 --severity High", "hint: High is a priority\n"],
    ["update bug44 --priority High", "hint: did you mean 44?\n"],
    ["update bug:44 --priority High", "hint: did you mean 44?\n"],
    ["needinfo 44 mei@example.org", "missing required flag: --from"],
    ["update 44 --priority Hihg", 'unknown priority "Hihg"'],
    ["update 44 --component API", 'unknown component "API" in Lantern'],
    ["update 44 --add-keywords crash --remove-keyword Crash", "crash cannot be both added and removed"],
    ["update 44 --set-keywords crash --add-keywords perf", "hint: to replace the list, use --set-keywords crash,perf"],
    ["update 44 --add-depends-on 44", "bug 44 cannot depend on itself"],
    ["update 44 --set-depends-on 43,44", "bug 44 cannot depend on itself"],
    ["update 5 --add-blocks SLOW-open", "bug 5 cannot block itself"],
    ["update 44 --add-depends-on 43 --add-blocks 43", "bug 44 cannot both depend on and block bug 43"],
    ["update 44 --add-see-also 44", "bug 44 cannot list itself in see also"],
    ["update 44 --add-see-also https://bugs.example.org/show_bug.cgi?id=44", "bug 44 cannot list itself in see also"],
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
  ["close 12", "bug 12: already RESOLVED"],
  ["close 4 12", "bugs 4, 12: already RESOLVED"],
  ["reopen 44 43", "bugs 44, 43: already CONFIRMED"],
  ["confirm 44", "bug 44: already CONFIRMED"],
])("bug %s is no error if it already applies, which is said", async (line, noted) => {
  const ran = await demo()(`bug ${line}`, { terminal: true });
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("unchanged");
  expect(ran.err).not.toContain("already");
  const piped = await demo()(`bug ${line} --fields result`);
  expect(piped).toMatchObject({ code: 0, out: expect.stringMatching(/^(unchanged\n)+$/), err: `${noted}\n` });
});

test.each(["reopen 44", "confirm 44"])("bug %s -m of a bug that stays as it is adds no comment", async (line) => {
  const bt = demo();
  const message = "bug 44: unchanged, comment not added";
  expect(await bt(`bug ${line} -m hello`)).toMatchObject({
    code: 10,
    err: `bt: ${message}\nhint: bt comment add 44\n`,
  });
  const ran = await bt(`bug ${line} 46 43 -m hello`.replace(" 46", line.startsWith("reopen") ? " 12" : " 46"));
  expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^44\tunchanged, comment not added\t/m) });
  expect((await bt("comment list 44 --print '%{text}'")).out).not.toContain("hello");
  expect((await bt(`comment list ${line.startsWith("reopen") ? 12 : 46} --print '%{text}'`)).out).toContain("hello");
});

test.each([
  ["bug update 12 -m hello", "(comment added)"],
  ["bug update 12 --comment-is-private 12#1=yes", "(privacy of a comment changed)"],
  ["bug update 12 -m hello --dry-run", "with comment"],
])("values missing from the changes returned by the tracker are reported: %s", async (line, words) => {
  const ran = await demo()(line, { terminal: true });
  expect(ran.out.replace(/\s+/g, " ")).toContain(words);
});

test("a dry run refuses what needs no request before it asks for people and groups", async () => {
  const ran = await demo()("bug update 44 --status VERIFIED --add-cc nobody@example.net --add-groups nobody --dry-run");
  expect(ran.err).toContain("bug 44 cannot change from CONFIRMED to VERIFIED");
  expect(asked(ran).filter((line) => /user|group/.test(line))).toEqual([]);
});

describe("if some of the bugs cannot be updated, be they few or many", () => {
  const FEW = ["11", "12", "4", "99999"]; // 12 has the priority, 4 is closed
  const MANY = [...FEW, ...Array.from({ length: 21 }, (_, at) => String(at + 5))].filter((id) => id !== "17");
  const line = (ids: string[]) => `bug update ${[...new Set(ids)].join(" ")} --add-depends-on 12 --priority High`;
  const reasons = ["bug 99999: does not exist.", "bug 12 cannot depend on itself"];

  test.each([
    ["few", FEW, 2],
    ["many", MANY, 20],
  ])("%s: none is without --yes, the others are with it, and a dry run says so", async (_, ids, others) => {
    const refused = await demo()(line(ids));
    expect([refused.code, refused.out, updates(refused)]).toEqual([13, "", []]);
    const preview = await demo()(`${line(ids)} --dry-run --json=id`);
    expect([preview.code, updates(preview)]).toEqual([10, []]);
    const ran = await demo()(`${line(ids)} --yes`, { env: { HOME: freshFolder() } });
    expect(ran.code).toBe(10);
    const sent = updates(ran).flatMap(({ ids: some }) => some as number[]);
    expect(sent).toHaveLength(others);
    for (const reason of reasons) {
      expect(refused.err).toContain(`not updated: ${reason}\n`);
      expect(preview.err).toContain(reason);
      expect(ran.err).toContain(`    ${reason}`);
    }
    const all = new Set(ids).size;
    expect(refused.err).toContain(`this would update ${others} of ${all} bugs\n`);
    expect(preview.err).toContain(`${others} of ${all} bugs would be updated: 2 would fail`);
    expect(ran.err).toContain(`${others} of ${all} bugs done: 2 failed`);
  });

  test("if all are refused, the error is that of each", async () => {
    const ran = await demo()("bug update 12 99999 --add-depends-on 12 --yes");
    expect([ran.code, updates(ran)]).toEqual([10, []]);
    expect(ran.err).toContain("0 of 2 bugs done: 2 failed");
  });
});

test("in a bulk update a bug that would depend on itself is named, the others are changed", async () => {
  const ids = [...Array(32).keys()].map((at) => at + 1).filter((id) => id !== 17 && id !== 28); // closed to him
  const ran = await demo()(`bug update ${ids.join(" ")} --add-depends-on 12 --yes`);
  expect(ran.code).toBe(10);
  expect(ran.err).toContain("29 of 30 bugs done: 1 failed");
  expect(ran.err).toContain("bug 12 cannot depend on itself");
  const named = ran.requests.flatMap(({ method, body }) => (method === "PUT" ? Object(body).ids : []));
  expect(named).toEqual(ids.filter((id) => id !== 12));
});

test("a bug that cannot be resolved again keeps its status as a duplicate, as the hint of its refusal has it", async () => {
  const run = demo();
  expect(await run("bug update 14 --dupe-of 44 --resolution DUPLICATE")).toMatchObject({ code: 0 });
  const { out } = await run("bug get 14 --json=status,resolution,dupe_of");
  expect(JSON.parse(out)).toEqual([{ status: "VERIFIED", resolution: "DUPLICATE", dupe_of: 44 }]);
});

test("a duplicate cannot get a status that the workflow does not allow", async () => {
  const ran = await demo()("bug update 44 --dupe-of 43 --status VERIFIED");
  expect(change(asked(ran))).toBeUndefined();
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringContaining("bug 44 cannot change from CONFIRMED to VERIFIED"),
  });
});

test.each([
  ["--assigned-to mei@example.org --reset-assigned-to", "--assigned-to and --reset-assigned-to"],
  ["--reset-qa-contact --qa-contact @me", "--qa-contact and --reset-qa-contact"],
])("a person and the default one cannot both be set: %s", async (flags, named) => {
  const ran = await demo()(`bug update 44 ${flags}`);
  expect([ran.code, ran.err]).toEqual([2, `bt: ${named} cannot be used together\n`]);
  expect(ran.requests.filter(({ method }) => method === "PUT")).toEqual([]);
});
