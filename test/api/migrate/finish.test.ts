import { describe, expect, test } from "vitest";
import { type Catalog, catalogOf } from "../../../src/api/catalog.ts";
import {
  defaultPeopleBody,
  differingFields,
  type FinishContext,
  finishBodies,
} from "../../../src/api/migrate/finish.ts";
import { movedBugBody } from "../../../src/api/migrate/moved-body.ts";
import { statusPath } from "../../../src/api/migrate/status-path.ts";
import type { Target } from "../../../src/api/migrate/target.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Field } from "../../../src/wire/resources.ts";

/** Status changes by status; `new` are those of new bugs, a * requires a comment. */
function workflow(moves: Readonly<Record<string, string>>, closed = ["RESOLVED", "VERIFIED"]): Catalog {
  const values = Object.entries(moves).map(([from, to]) => ({
    name: from === "new" ? null : from,
    is_open: !closed.includes(from),
    can_change_to: to.split(" ").map((word) => ({
      name: word.replace("*", ""),
      comment_required: word.endsWith("*"),
    })),
  }));
  const field = { id: 1, name: "bug_status", type: 2, is_custom: false, is_mandatory: false, is_on_bug_entry: false };
  return catalogOf([{ ...field, visibility_field: null, visibility_values: [], values } as Field]);
}

const USUAL = workflow({
  new: "UNCONFIRMED CONFIRMED",
  UNCONFIRMED: "CONFIRMED RESOLVED",
  CONFIRMED: "RESOLVED",
  RESOLVED: "VERIFIED*",
  VERIFIED: "CONFIRMED",
});

const TARGET: Target = {
  catalog: USUAL,
  me: "me@example.org",
  users: new Set(["ada@example.org"]),
  groups: new Set(),
  rights: undefined,
  isInsider: true,
  off: new Set(),
  aliases: new Set(["taken"]),
  zones: ["UTC"],
  flagTypes: new Map([
    ["flag P/C", [{ id: 1, name: "review", values: ["?", "+"], isRequesteeble: true, isMultiplicable: false }]],
  ]),
};

const CONTEXT: FinishContext = {
  target: TARGET,
  bug: (old) => ({ 1: 101, 2: 102 })[old],
  unmovedResolution: "INVALID",
  place: "demo no. 3",
};

const NEW: Bug = { id: 103, status: "CONFIRMED", resolution: "", flags: [], depends_on: [], blocks: [], cc: [] };

describe("the way to a status", () => {
  test.each([
    ["CONFIRMED", "CONFIRMED", []],
    ["RESOLVED", "CONFIRMED", ["RESOLVED"]],
    ["VERIFIED", "CONFIRMED", ["RESOLVED", "VERIFIED"]],
  ] as const)("%s", (status, start, moves) => {
    const path = statusPath(status, USUAL);
    expect([path?.start, path?.moves.map(({ name }) => name)]).toEqual([start, moves]);
  });

  test("is unknown where none leads there", () => {
    expect(statusPath("FROZEN", USUAL)).toBeUndefined();
  });
});

describe("the last updates of a bug", () => {
  test("close it in as many steps as the workflow needs, with the comments that it requires", () => {
    expect(finishBodies({ status: "VERIFIED", resolution: "FIXED" }, NEW, CONTEXT)).toEqual([
      { status: "RESOLVED", resolution: "FIXED" },
      { status: "VERIFIED", comment: { body: "[demo no. 3: VERIFIED]" } },
    ]);
  });

  test("continue from where the bug is", () => {
    const now = { ...NEW, status: "RESOLVED", resolution: "FIXED" };
    expect(finishBodies({ status: "VERIFIED", resolution: "FIXED" }, now, CONTEXT)).toHaveLength(1);
    expect(finishBodies({ status: "RESOLVED", resolution: "FIXED" }, now, CONTEXT)).toEqual([]);
  });

  test("link duplicates, and give those without their original the resolution of the map", () => {
    const duplicate = { status: "RESOLVED", resolution: "DUPLICATE" };
    expect(finishBodies({ ...duplicate, dupe_of: 1 }, NEW, CONTEXT)).toEqual([
      { status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 101 },
    ]);
    expect(finishBodies({ ...duplicate, dupe_of: 9 }, NEW, CONTEXT)).toEqual([
      { status: "RESOLVED", resolution: "INVALID" },
    ]);
  });

  test("set flags and links that the target takes, and those only that are not there", () => {
    const flag = { id: 1, type_id: 7, creation_date: "", modification_date: "", setter: "x@example.org" };
    const source: Bug = {
      ...{ product: "P", component: "C", status: "CONFIRMED", depends_on: [1, 9], blocks: [2] },
      flags: [
        { ...flag, name: "review", status: "?", requestee: "ada@example.org" },
        { ...flag, name: "review", status: "+" }, // a second one, where one is allowed
        { ...flag, name: "landing", status: "+" },
      ],
    };
    expect(finishBodies(source, { ...NEW, blocks: [102] }, CONTEXT)).toEqual([
      {
        flags: [{ name: "review", status: "?", requestee: "ada@example.org", new: true }],
        depends_on: { add: [101] },
      },
    ]);
  });

  test("let people see a restricted bug only after its settings are those of the source", () => {
    const source: Bug = { status: "CONFIRMED", groups: ["g"], cc: ["ada@example.org"], is_cc_accessible: false };
    expect(movedBugBody(source, { text: "x", comment: undefined }, TARGET)).not.toHaveProperty("cc");
    expect(finishBodies(source, { ...NEW, is_cc_accessible: true }, CONTEXT)).toEqual([
      { is_cc_accessible: false, cc: { add: ["ada@example.org"] } },
    ]);
  });

  test("set the hours left to none, unless hours are hidden", () => {
    const source: Bug = { status: "CONFIRMED", estimated_time: 5, remaining_time: 0 };
    expect(finishBodies(source, { ...NEW, remaining_time: 5 }, CONTEXT)).toEqual([{ remaining_time: 0 }]);
    expect(finishBodies(source, { ...NEW, remaining_time: 0 }, CONTEXT)).toEqual([]);
    expect(finishBodies(source, NEW, CONTEXT)).toEqual([]);
  });

  test("remove the users that the target added, but none added later", () => {
    const source: Bug = { cc: ["ADA@example.org"], qa_contact: "" };
    const now = { ...NEW, qa_contact: "qa@example.org", cc: ["ada@example.org", "lea@example.org", "own@example.org"] };
    const body = (...changes: readonly (readonly [field_name: string, added: string])[]) => {
      const list = changes.map(([field_name, added]) => ({ field_name, removed: "", added }));
      return defaultPeopleBody(source, now, { target: TARGET, history: [{ when: "", who: "", changes: list }] });
    };
    expect(body()).toEqual({ qa_contact: "", cc: { remove: ["lea@example.org", "own@example.org"] } });
    expect(body(["cc", "x@example.org, Own@example.org"])).toMatchObject({ cc: { remove: ["lea@example.org"] } });
    expect(body(["qa_contact", "qa@example.org"])).not.toHaveProperty("qa_contact");
    const same = { ...NEW, qa_contact: "ada@example.org", cc: ["ada@example.org"] };
    expect(
      defaultPeopleBody({ ...source, qa_contact: "ada@example.org" }, same, { target: TARGET, history: [] }),
    ).toEqual({});
  });

  test("are compared with the source in the end", () => {
    const source: Bug = {
      summary: "A",
      priority: "High",
      keywords: ["x", "y"],
      estimated_time: 2.5,
      alias: ["taken"],
      assigned_to: "zoe@example.org",
    };
    expect(differingFields(source, { ...NEW, summary: "a", priority: "Low", keywords: ["x"] }, CONTEXT)).toEqual([
      "priority",
      "keywords",
      "estimated_time",
    ]);
    expect(differingFields({ groups: ["a"] }, { ...NEW, groups: ["a", "mandatory"] }, CONTEXT)).toEqual(["groups"]);
    const hidden = { ...NEW, ...source, estimated_time: null };
    expect(differingFields({ ...source, estimated_time: 0 }, hidden, CONTEXT)).toEqual([]);
  });
});
