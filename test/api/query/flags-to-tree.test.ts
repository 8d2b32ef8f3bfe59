import { expect, test } from "vitest";
import { type SearchTexts, sentByFlags as sent } from "../sent.ts";

test.each<[SearchTexts, string]>([
  [{ status: ["CONFIRMED"] }, "status=CONFIRMED"],
  [{ status: ["confirmed,resolved"] }, "status=CONFIRMED&status=RESOLVED"],
  [{ status: ["@open"] }, "status=UNCONFIRMED&status=CONFIRMED&status=IN_PROGRESS"],
  [{ status: ["@all"], id: ["7"] }, "id=7"],
  [{ status: ["all", "!RESOLVED"] }, "f1=bug_status&o1=equals&n1=1&v1=RESOLVED"],
  [
    { status: ["!RESOLVED", "!VERIFIED"] },
    "f1=bug_status&o1=equals&n1=1&v1=RESOLVED&f2=bug_status&o2=equals&n2=1&v2=VERIFIED",
  ],
  [
    { assigned_to: ["bob@example.org", "@me"] },
    "f1=OP&j1=OR&f2=assigned_to&o2=equals&v2=bob@example.org&f3=assigned_to&o3=equals&v3=%user%&f4=CP",
  ],
  [
    { summary: ["hang problem", "crash, now"] },
    "f1=OP&j1=OR&f2=short_desc&o2=substring&v2=hang problem&f3=short_desc&o3=substring&v3=crash, now&f4=CP",
  ],
  [{ whiteboard: "[zoo]" }, "whiteboard=[zoo]"],
  [{ url: ["http://a.example/?x=1,2"] }, "f1=bug_file_loc&o1=equals&v1=http://a.example/?x=1,2"],
  [{ resolution: "" }, "resolution=&resolution=---"],
  [{ resolution: ["FIXED,---"] }, "resolution=FIXED&resolution=&resolution=---"],
  [{ component: ["New Tab, Start/Home & More"] }, "component=New Tab, Start/Home & More"],
  [{ component: ['theme,"New Tab, Start/Home & More"'] }, "component=Theme&component=New Tab, Start/Home & More"],
  [{ product: "toolkit" }, "product=Toolkit"],
  [{ creation_time: "2026-10", product: "Firefox" }, "creation_time=2026-10-01T00:00:00Z&product=Firefox"],
  [{ last_change_time: "-2w" }, "last_change_time=2026-11-06T04:34:52Z"],
  [
    { creation_time: "2026-10..2026-11-05" },
    "creation_time=2026-10-01T00:00:00Z&f1=creation_ts&o1=lessthan&v1=-339h then creation_time < 2026-11-06T00:00:00Z by creation_time",
  ],
  [{ priority: ">=High" }, "priority=Highest&priority=High"],
  [
    { id: ["1,2", "10..12"] },
    "f1=OP&j1=OR&f2=bug_id&o2=anyexact&v2=1,2&f3=OP&j3=AND&f4=bug_id&o4=greaterthaneq&v4=10&f5=bug_id&o5=lessthaneq&v5=12&f6=CP&f7=CP",
  ],
  [{ alias: ["zeb", "zebra-two"] }, "alias=zeb&alias=zebra-two"],
  [{ tags: "mine,later" }, "tags=mine&tags=later"],
  [{ deadline: "<2027" }, "f1=deadline&o1=greaterthaneq&v1=1971-01-01&f2=deadline&o2=lessthan&v2=2027-01-01"],
  [{ cf_platforms: ["tv", "mobile"] }, "f1=cf_platforms&o1=anyexact&v1=tv&v1=mobile"],
])("%j is sent as %s", (flags, query) => {
  expect(sent(flags)).toBe(query);
});

test.each<[SearchTexts, string]>([
  [{ status: [""] }, "an empty value for status would match every bug"],
  [{ status: ["CONFIRMED,"] }, "an empty value for status would match every bug"],
  [{ status: ["NOSUCH"] }, 'unknown status "NOSUCH"'],
  [{ summary: [" "] }, "an empty value for summary would match every bug"],
  [{ id: ["12abc"] }, '"12abc" is not a bug number'],
  [{ id: ["0"] }, '"0" is not a bug number'],
  [{ creation_time: "soon" }, 'invalid date "soon"'],
  [{ assigned_to: ["lias:x"] }, '"lias:x" is not a login'],
  [{ priority: [">=Urgent"] }, 'unknown priority "Urgent"'],
  [{ nosuch: ["x"] }, 'unknown field "nosuch"'],
])("%j is rejected: %s", (flags, message) => {
  expect(() => sent(flags)).toThrow(message);
});

test.each<[SearchTexts, string | undefined]>([
  [{ id: [""] }, undefined],
  [{ summary: [""] }, "to find bugs where it is not set, use no:summary"],
])("%j has the hint %s", (flags, hint) => {
  expect(() => sent(flags)).toThrow(expect.objectContaining({ facts: expect.objectContaining({ hint }) }));
});
