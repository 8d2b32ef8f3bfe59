import { describe, expect, test } from "vitest";
import { BUG_HISTORY, GET_BUG, SEARCH_BUGS } from "../../src/api/operations/bugs.ts";
import {
  CREATE_COMMENT,
  GET_COMMENTS,
  SEARCH_COMMENT_TAGS,
  UPDATE_COMMENT_TAGS,
} from "../../src/api/operations/comments.ts";
import type { Operation, ParameterKind } from "../../src/api/operations/operation.ts";
import { CREATE_GROUP, GET_GROUP, UPDATE_GROUP } from "../../src/api/operations/tracker.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../src/api/operations/write-bugs.ts";
import { TREE } from "../../src/commands/tree.ts";
import type { Verb } from "../../src/commands/verb.ts";
import specification from "./specification.json" with { type: "json" };

/** Each operation of the client, and the verb that performs it. */
const PERFORMED: readonly { readonly operation: Operation; readonly by: string }[] = [
  { operation: CREATE_GROUP, by: "group create" },
  { operation: UPDATE_GROUP, by: "group update" },
  { operation: GET_GROUP, by: "group list" },
  { operation: GET_BUG, by: "bug get" },
  { operation: BUG_HISTORY, by: "bug history" },
  { operation: SEARCH_BUGS, by: "bug search" },
  { operation: CREATE_BUG, by: "bug create" },
  { operation: UPDATE_BUG, by: "bug update" },
  { operation: GET_COMMENTS, by: "comment list" },
  { operation: CREATE_COMMENT, by: "comment add" },
  { operation: SEARCH_COMMENT_TAGS, by: "tag search" },
  { operation: UPDATE_COMMENT_TAGS, by: "tag update" },
];

/** Beginnings of the flags of a parameter that edits a list. */
const EDITS: Partial<Record<ParameterKind, readonly string[]>> = {
  edit: ["add-", "remove-", "set-"],
  links: ["add-", "remove-"],
};

/** Operations without parameters of their own, and those that no verb needs because another tells the same. */
const WITHOUT = ["Fields", "Legal Values"];

function tableOf(name: string) {
  return specification.find((one) => one.name === name);
}

describe.each(PERFORMED)("$operation.name", ({ operation, by }) => {
  const table = tableOf(operation.name);

  test("has exactly the parameters of the specification, except where a row says so", () => {
    const own = operation.parameters.filter(({ isExtra }) => !isExtra);
    expect(own.map(({ name }) => name)).toEqual(table?.parameters);
    expect(table?.routes).toContain(`${operation.method} ${operation.path}`);
  });

  test("knows which parameters are required", () => {
    const required = operation.parameters.filter((parameter) => parameter.required);
    expect(required.map(({ name }) => name)).toEqual(table?.required);
  });

  test(`has a flag of bt ${by} for each, named after it`, () => {
    const flags = verbCalled(by).flags.flatMap(({ name, parameter }) => (parameter ? [[parameter, name]] : []));
    for (const { name, kind } of operation.parameters) {
      for (const edit of EDITS[kind] ?? [""])
        expect(flags).toContainEqual([name, `${edit}${name.replaceAll("_", "-")}`]);
    }
  });
});

test("every operation of the specification is used", () => {
  const performed = [...PERFORMED.map(({ operation }) => operation.name), ...WITHOUT];
  expect(specification.map(({ name }) => name).sort()).toEqual([...performed].sort());
});

function verbCalled(words: string): Verb {
  const [noun, name] = words.split(" ");
  const verb = TREE.nouns.find((one) => one.name === noun)?.verbs.find((one) => one.name === name);
  if (!verb) throw new Error(`there is no bt ${words}`);
  return verb;
}
