import { describe, expect, test } from "vitest";
import {
  GROUP_CONTROL,
  type GroupControl,
  groupsAfterMove,
  isDefaultGroup,
  isMandatoryGroup,
  mayAddGroup,
  mayFileInGroup,
  mayRemoveGroup,
} from "../../../src/tracker/products/products.ts";

const { notApplicable: NA, shown: SHOWN, default: DEFAULT, mandatory: MANDATORY } = GROUP_CONTROL;

function control(member_control: number, other_control: number, changes: Partial<GroupControl> = {}): GroupControl {
  return {
    id: 1,
    name: "core-security",
    is_active: true,
    member_control,
    other_control,
    is_member: true,
    ...changes,
  };
}

function outside(member_control: number, other_control: number, changes: Partial<GroupControl> = {}) {
  return control(member_control, other_control, { is_member: false, ...changes });
}

test.each([
  ["a member of a shown group", control(SHOWN, NA), { mandatory: false, default: false, settable: true }],
  ["a non-member of it", outside(SHOWN, NA), { mandatory: false, default: false, settable: false }],
  ["a member of a default group", control(DEFAULT, NA), { mandatory: false, default: true, settable: true }],
  ["a non-member of it, too", outside(DEFAULT, NA), { mandatory: false, default: false, settable: false }],
  [
    "a non-member where it is the default for others",
    outside(SHOWN, DEFAULT),
    { mandatory: false, default: true, settable: true },
  ],
  [
    "everybody where it is mandatory for members",
    outside(MANDATORY, NA),
    { mandatory: true, default: true, settable: true },
  ],
  [
    "a non-member where it is mandatory for others",
    outside(NA, MANDATORY),
    { mandatory: true, default: true, settable: true },
  ],
  [
    "a member where it is mandatory for others only",
    control(SHOWN, MANDATORY),
    { mandatory: false, default: false, settable: true },
  ],
  [
    "everybody if it is disabled",
    control(MANDATORY, MANDATORY, { is_active: false }),
    { mandatory: false, default: false, settable: false },
  ],
])("%s", (_who, rule, expected) => {
  expect({ mandatory: isMandatoryGroup(rule), default: isDefaultGroup(rule), settable: mayFileInGroup(rule) }).toEqual(
    expected,
  );
});

describe("on an existing bug", () => {
  test.each([
    ["a member may add a shown group", control(SHOWN, NA), false, true],
    ["a non-member may not, even where others may when filing", outside(SHOWN, SHOWN), false, false],
    ["a non-member may while moving the bug there", outside(SHOWN, SHOWN), true, true],
    ["nobody may add a group that is not for the product", control(NA, NA), true, false],
  ])("%s", (...[_fact, rule, isMoving, expected]) => {
    expect(mayAddGroup(rule, isMoving)).toBe(expected);
  });

  test.each([
    ["a member may remove a shown group", control(SHOWN, NA), false, true],
    ["nobody may remove a mandatory group", control(MANDATORY, NA), false, false],
    ["a member may remove it if it is disabled", control(MANDATORY, NA, { is_active: false }), false, true],
    ["a non-member may remove nothing", outside(SHOWN, SHOWN), false, false],
    ["a non-member may remove a group that others may set while moving", outside(SHOWN, SHOWN), true, true],
    ["but not one that is mandatory for others", outside(SHOWN, MANDATORY), true, false],
  ])("%s", (...[_fact, rule, isMoving, expected]) => {
    expect(mayRemoveGroup(rule, isMoving)).toBe(expected);
  });
});

test("a move removes groups that the product does not allow and adds its mandatory ones", () => {
  const groups = [
    { id: 1, name: "core-security" },
    { id: 2, name: "partner" },
  ];
  const controls = [control(SHOWN, NA), control(MANDATORY, NA, { id: 3, name: "vault-team" })];
  expect(groupsAfterMove(groups, controls).map(({ name }) => name)).toEqual(["core-security", "vault-team"]);
});
