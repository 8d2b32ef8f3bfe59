import { describe, expect, test } from "vitest";
import type { SetFlag } from "../../../src/tracker/bug.ts";
import { flagText } from "../../../src/tracker/bugs/diff.ts";
import {
  applyFlagEdit,
  type FlagEdit,
  type FlagTypeWithRights,
  flagsAfterMove,
} from "../../../src/tracker/flags/rules.ts";
import { ADA, BEN, CORA } from "../bugs/a-bug.ts";
import { outcome } from "../refusal.ts";

function type(id: number, name: string, changes: Partial<FlagTypeWithRights> = {}): FlagTypeWithRights {
  return {
    id,
    name,
    is_active: true,
    is_requestable: true,
    is_requesteeble: true,
    is_multiplicable: true,
    grant_group_id: null,
    mayRequest: true,
    mayGrant: true,
    ...changes,
  };
}

const TYPES = [
  type(1, "review"),
  type(3, "approval", { is_requesteeble: false, is_multiplicable: false }),
  type(4, "landing"),
  type(5, "landing"),
  type(6, "sec-approval", { mayRequest: true, mayGrant: false }),
  type(7, "old-flag", { is_active: false }),
  type(8, "never-asked", { is_requestable: false }),
];

function set(id: number, type_id: number, changes: Partial<SetFlag> = {}): SetFlag {
  return {
    id,
    type_id,
    name: TYPES.find((known) => known.id === type_id)?.name ?? "",
    status: "?",
    setter: ADA,
    requestee: null,
    ...changes,
  };
}

function wish(changes: Partial<FlagEdit>): FlagEdit {
  return { status: "?", requestee: null, isNew: false, ...changes };
}

function after(flags: readonly SetFlag[], ...wishes: readonly Partial<FlagEdit>[]) {
  const scene = {
    types: TYPES,
    setter: BEN,
    checkRequestee: () => {
      // everybody may be asked
    },
  };
  return wishes.reduce((list, next) => applyFlagEdit(list, wish(next), scene), flags);
}

function shown(flags: readonly SetFlag[]) {
  return flags.map((flag) => `${flag.id} ${flagText(flag)} by ${flag.setter.login}`);
}

describe("which flag is selected", () => {
  const one = [set(9, 1, { requestee: CORA })];
  const two = [set(9, 1), set(10, 1)];

  test.each<[string, readonly SetFlag[], Partial<FlagEdit>, readonly string[]]>([
    ["the name of a missing flag creates one", [], { name: "review" }, ["0 review? by ben@example.org"]],
    ["the name of a set flag changes it", one, { name: "review", status: "+" }, ["9 review+ by ben@example.org"]],
    ["so does a type", one, { type_id: "1", status: "-" }, ["9 review- by ben@example.org"]],
    [
      "new adds another one",
      one,
      { name: "review", isNew: true },
      ["9 review?(cora@example.org) by ada@example.org", "0 review? by ben@example.org"],
    ],
    [
      "an id selects one of several",
      two,
      { id: "10", status: "+" },
      ["9 review? by ada@example.org", "10 review+ by ben@example.org"],
    ],
    ["X clears", two, { id: "9", status: "X" }, ["10 review? by ada@example.org"]],
    ["X of a missing flag does nothing", [], { name: "review", status: "X" }, []],
    [
      "the same status is no change",
      one,
      { id: "9", requestee: CORA },
      ["9 review?(cora@example.org) by ada@example.org"],
    ],
    [
      "another requestee keeps the setter",
      one,
      { id: "9", requestee: BEN },
      ["9 review?(ben@example.org) by ada@example.org"],
    ],
    [
      "an answer clears the requestee",
      one,
      { id: "9", status: "+", requestee: CORA },
      ["9 review+ by ben@example.org"],
    ],
    ["a type is selected where names are shared", [], { type_id: "5" }, ["0 landing? by ben@example.org"]],
  ])("%s", (...[_fact, flags, next, expected]) => {
    expect(shown(after(flags, next))).toEqual(expected);
  });
});

describe("rejected flags", () => {
  test.each<[readonly SetFlag[], Partial<FlagEdit>, string]>([
    [[], { name: "nope" }, "404/51: There is no flagtype named 'nope'."],
    [[], { type_id: "99" }, "404/51: There is no flagtype with the id '99'."],
    [[], { id: "99", status: "+" }, "404/51: There is no flag with the id '99'."],
    [
      [],
      {},
      "400/50: The function Bugzilla::Flag->set_flag requires a id/type_id argument, and that argument was not set.",
    ],
    [[], { name: "review", status: "maybe" }, "400/129: The flag status maybe is invalid."],
    [[], { name: "review", status: "" }, "400/129: The flag status is invalid."],
    [[], { name: "never-asked" }, "400/129: The flag status ? is invalid."],
    [[], { name: "approval", requestee: CORA }, "400/131: You can't ask a specific person for approval."],
    [
      [set(9, 1), set(10, 1)],
      { name: "review", status: "+" },
      "400/132: The flag 'review' has been set multiple times. You must specify the id value to update the flag.",
    ],
    [
      [],
      { name: "landing" },
      "400/133: The flag type 'landing' matches several flag types. You must specify the type id value to update or add a flag.",
    ],
    [[], { name: "old-flag" }, "400/134: The flag type old-flag is inactive and cannot be used to create new flags."],
    [
      [],
      { name: "sec-approval", status: "+" },
      "400/130: You tried to grant sec-approval. Only a user with the required permissions may make this change.",
    ],
    [[set(9, 3)], { name: "approval", isNew: true }, "400/32000: You cannot have several approval flags for this bug."],
  ])("%#", (...[flags, next, expected]) => {
    expect(outcome(() => after(flags, next))).toBe(expected);
  });
});

test("after a move flags keep their type, get the type of the same name, or are deleted", () => {
  const flags = [set(1, 1), set(2, 4), set(3, 3)];
  const there = [type(1, "review"), type(12, "landing")];
  expect(flagsAfterMove(flags, there).map(({ id, type_id }) => [id, type_id])).toEqual([
    [1, 1],
    [2, 12],
  ]);
});
