import { describe, expect, test } from "vitest";
import { asked } from "../../bt.ts";
import { demo } from "../demo.ts";

function change(lines: readonly string[]) {
  return lines.find((line) => line.startsWith("PUT"))?.replace(/^.*?\{/, "{");
}

describe("the short forms of moves send one update", () => {
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

describe("a move that the workflow lacks is refused before anything is sent", () => {
  test.each([
    ["close 44 --as fixd", "did you mean FIXED?"],
    ["reopen 44 --status VERIFIED", "it can become"],
    ["dup 44 99999", "does not exist"],
    ["close 44 --as DUPLICATE", "bt bug dup 44"],
    ["update 44 --dupe-of 43 -r FIXED", "cannot be a duplicate and become FIXED"],
    ["update 44 --make-private 0 --make-public 0", "private and public at once"],
  ])("bug %s", async (line, message) => {
    const ran = await demo()(`bug ${line}`);
    expect(ran.code).not.toBe(0);
    expect(change(asked(ran))).toBeUndefined();
    expect(ran.err).toContain(message);
  });
});

test("closing what is closed changes nothing and is no error", async () => {
  const bt = demo();
  const ran = await bt("bug close 12", { terminal: true });
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("unchanged");
});

test.each([
  ["bug update 12 -m hello", "(comment recorded)"],
  ["bug update 12 --make-private 1", "(privacy of a comment recorded)"],
  ["bug update 12 -m hello --dry-run", "(would only record comment)"],
])("what is not among the tracker's changes is told all the same: %s", async (line, words) => {
  const ran = await demo()(line, { terminal: true });
  expect(ran.out.replace(/\s+/g, " ")).toContain(words);
});

test("of several bugs none is changed when one is not there, and that is said", async () => {
  const ran = await demo()("bug update 12 99999 --priority High");
  expect(change(asked(ran))).toBeUndefined();
  expect([ran.code, ran.out]).toEqual([5, ""]);
  expect(ran.err).toContain("nothing was changed, since 1 of 2 bugs could not be read");
});
