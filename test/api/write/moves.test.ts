import { describe, expect, test } from "vitest";
import { buildCatalog, standardFields } from "../../../src/api/catalog/catalog.ts";
import { moveRefusal } from "../../../src/api/write/checks.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import type { Field } from "../../../src/wire/resources.ts";
import fields from "../fields.json" with { type: "json" };

/** The recorded catalog, in which a move to VERIFIED requires a comment. */
const catalog = buildCatalog(
  (fields as unknown as Field[]).map((field) => (field.name === "bug_status" ? commentedField(field) : field)),
);

function commentedField(field: Field): Field {
  return {
    ...field,
    values: (field.values ?? []).map((value) => ({
      ...value,
      can_change_to: (value.can_change_to ?? []).map((move) => ({
        ...move,
        comment_required: move.name === "VERIFIED",
      })),
    })),
  };
}

const OPEN: Bug = { id: 7, status: "CONFIRMED", resolution: "" };
const FIXED: Bug = { id: 7, status: "RESOLVED", resolution: "FIXED" };
const DUPLICATE: Bug = { id: 7, status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 3 };

describe("a move of a bug's status", () => {
  test.each<[what: string, bug: Bug, body: JsonObject]>([
    ["another field", OPEN, { priority: "High" }],
    ["the status that it has", OPEN, { status: "CONFIRMED" }],
    ["a status of the workflow", OPEN, { status: "IN_PROGRESS" }],
    ["a closed status with a resolution", OPEN, { status: "RESOLVED", resolution: "FIXED" }],
    ["a comment where the move requires one", FIXED, { status: "VERIFIED", comment: { body: "Seen." } }],
    ["another resolution of a closed bug", FIXED, { resolution: "INVALID" }],
    ["an original", OPEN, { dupe_of: 3 }],
    ["an original with its resolution", OPEN, { dupe_of: 3, resolution: "DUPLICATE" }],
    ["an original for a closed bug that keeps its status", FIXED, { dupe_of: 3, status: "RESOLVED" }],
    ["the resolution that a duplicate has", DUPLICATE, { resolution: "DUPLICATE" }],
    ["a status that no metadata know, from one", { id: 7, status: "ON_HOLD" }, { status: "PARKED" }],
  ])("may be %s", (_, bug, body) => {
    expect(moveRefusal(bug, body, catalog)).toBeUndefined();
  });

  const NO_RESOLUTION = ["cannot become RESOLVED without a resolution", /^add --resolution, one of FIXED, /] as const;
  const OPEN_WITH_RESOLUTION = ["cannot have a resolution while open", /^add --status RESOLVED$/] as const;
  const NO_WAY = /^valid values: UNCONFIRMED, CONFIRMED/;

  test.each<[what: string, bug: Bug, body: JsonObject, why: string, hint: RegExp]>([
    ["out of reach", FIXED, { status: "IN_PROGRESS" }, "cannot change from RESOLVED to IN_PROGRESS", NO_WAY],
    ["without its comment", FIXED, { status: "VERIFIED" }, "cannot become VERIFIED without a comment", /--comment/],
    ["without a resolution", OPEN, { status: "RESOLVED" }, ...NO_RESOLUTION],
    ["with an empty resolution", OPEN, { status: "RESOLVED", resolution: "" }, ...NO_RESOLUTION],
    ["open with a resolution", OPEN, { resolution: "FIXED" }, ...OPEN_WITH_RESOLUTION],
    ["opened with one", FIXED, { status: "CONFIRMED", resolution: "FIXED" }, ...OPEN_WITH_RESOLUTION],
    [
      ...(["a duplicate of nothing", OPEN, { status: "RESOLVED", resolution: "DUPLICATE" }] as const),
      ...(["cannot be DUPLICATE without the original bug", /--dupe-of/] as const),
    ],
    [
      ...(["a duplicate with another resolution", OPEN, { dupe_of: 3, resolution: "FIXED" }] as const),
      ...(["cannot be a duplicate with resolution FIXED", /^omit/] as const),
    ],
    [
      ...(["a verified bug as a duplicate", { ...FIXED, status: "VERIFIED" }, { dupe_of: 3 }] as const),
      ...(["cannot change from VERIFIED to RESOLVED", NO_WAY] as const),
    ],
  ])("may not be %s", (_, bug, body, why, hint) => {
    expect(moveRefusal(bug, body, catalog)).toEqual({ why, hint: expect.stringMatching(hint) });
  });

  test("is left to a tracker that reports no workflow", () => {
    expect(moveRefusal(FIXED, { status: "IN_PROGRESS" }, standardFields())).toBeUndefined();
  });
});
