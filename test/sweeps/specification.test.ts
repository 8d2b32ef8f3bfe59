import { beforeAll, describe, expect, test } from "vitest";
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
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { asked, bt } from "../bt.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import { SPECIFICATION } from "./specification.ts";

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

describe.each(PERFORMED)("$operation.name", ({ operation, by }) => {
  const table = SPECIFICATION.find(({ name }) => name === operation.name);

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
    const flags = verbCalled(by)
      .flags()
      .flatMap(({ name, parameter }) => (parameter ? [[parameter, name]] : []));
    for (const { name, kind } of operation.parameters) {
      for (const edit of EDITS[kind] ?? [""])
        expect(flags).toContainEqual([name, `${edit}${name.replaceAll("_", "-")}`]);
    }
  });
});

test("every operation of the specification is used", () => {
  const performed = [...PERFORMED.map(({ operation }) => operation.name), ...WITHOUT];
  expect(SPECIFICATION.map(({ name }) => name).sort()).toEqual([...performed].sort());
});

function verbCalled(words: string): Verb {
  const [noun, name] = words.split(" ");
  const verb = TREE.nouns.find((one) => one.name === noun)?.verbs.find((one) => one.name === name);
  if (!verb) throw new Error(`there is no bt ${words}`);
  return verb;
}

/** A command line for each route of the specification that makes `bt` ask it. */
const USED: Readonly<Record<string, string>> = {
  "POST /rest/group": "group create --name triage --description Triage",
  "PUT /rest/group/{id_or_name}": "group update security --description Security",
  "GET /rest/group": "group get security release-drivers --membership",
  "GET /rest/field/bug": "field list",
  "GET /rest/field/bug/{id_or_name}": "field get priority",
  "GET /rest/bug/{id_or_alias}": "bug get 1",
  "GET /rest/bug/{id}/history": "bug history 1",
  "GET /rest/bug": "bug search --status CONFIRMED",
  "POST /rest/bug":
    "bug create -p Lantern -c Library --bug-version 3.2 -t 'It stops' --op-sys Linux --platform PC --priority High -d Text",
  "PUT /rest/bug/{id_or_alias}": "bug update 1 --priority Low",
  "GET /rest/bug/{id_or_alias}/comment": "comment list 1",
  "GET /rest/bug/comment/{comment_id}": "comment get 5",
  "POST /rest/bug/{id}/comment": "comment add 1 -m Text",
  "GET /rest/bug/comment/tags/{query}": "tag search form",
  "PUT /rest/bug/comment/{comment_id}/tags": "tag update 5 --add obsolete",
};

/** Routes that no verb asks, and what it asks instead; `bt api` reaches them. */
const INSTEAD: Readonly<Record<string, string>> = {
  "GET /rest/group/{id_or_name}": "several groups in one request, by ids and names",
  "GET /rest/field/bug/{field}/values": "deprecated; the field itself holds its values",
  "GET /rest/field/bug/{field}/{product_id}/values": "the same",
};

let demo: OpenedTracker;
beforeAll(() => {
  demo = freshDemo({ now: clockOf(), random: (bytes) => new Uint8Array(bytes) });
  return () => demo.close();
});

test("every route of the specification is used, or a better one instead", () => {
  expect([...Object.keys(USED), ...Object.keys(INSTEAD)].sort()).toEqual(
    SPECIFICATION.flatMap(({ routes }) => routes).sort(),
  );
});

describe("a route of the specification is requested and answered", () => {
  test.each(Object.entries(USED))("%s by bt %s", async (route, line) => {
    const ran = await bt(line, { exchange: demo.exchange, login: demo.login });
    expect(ran).toMatchObject({ code: 0 });
    expect(asked(ran).filter((one) => patternOf(route).test(one))).not.toEqual([]);
  });
});

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/?]+")}( |\\?|$)`);
}
