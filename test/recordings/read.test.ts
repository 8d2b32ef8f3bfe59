import { describe, expect, test } from "vitest";
import type { Exchange, Json, JsonObject } from "../../src/wire/exchange.ts";
import fields from "../api/fields.json" with { type: "json" };
import { bt } from "../bt.ts";
import { NOON } from "../clock.ts";
import { jsonResponse } from "../servers/responses.ts";
import { bodyOf, listOf, loosely, RECORDED, type Recorded, responseOf } from "./recorded.ts";

/** A command that reads such a reply, and what it then has to print as JSON. */
type Reading = { readonly line: string; readonly printed: Json };

/** Reader of a kind of reply: for a record of another kind, or one that lacks the ids that `bt` always asks for, not at all. */
type Reader = (recorded: Recorded) => Reading | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  "bug get": (one) => {
    const bugs = listOf(bodyOf(one)["bugs"]);
    if (!isGet(one, /^\/rest\/+bug\/[^/]*$/) || bugs.length === 0 || !haveIds(bugs)) return undefined;
    const once = [...new Map(bugs.map((bug) => [bug["id"], bug])).values()];
    return { line: `bug get ${ids(once)}`, printed: once };
  },
  "bug search": (one) => {
    const bugs = bodyOf(one)["bugs"];
    if (!isGet(one, /^\/rest\/bug$/) || !bugs || !haveIds(listOf(bugs))) return undefined;
    const keys = [...new Set(["id", ...listOf(bugs).flatMap((bug) => Object.keys(bug))])];
    const sort = isNewestFirst(listOf(bugs)) ? "" : "--sort priority ";
    return { line: `bug search --all ${sort}--fields ${keys.join(",")}`, printed: bugs };
  },
  "bug history": (one) => {
    const bugs = bodyOf(one)["bugs"];
    if (!isGet(one, /\/history$/) || !bugs) return undefined;
    return { line: `bug history ${ids(listOf(bugs))}`, printed: bugs };
  },
  "comment list": (one) => {
    const bugs = bodyOf(one)["bugs"] as Readonly<Record<string, JsonObject>> | undefined;
    if (!isGet(one, /^\/rest\/bug\/\w+\/comment$/) || !bugs || Object.keys(bugs).length === 0) return undefined;
    const comments = Object.values(bugs).flatMap((bug) => listOf(bug["comments"]));
    if (!haveIds(comments)) return undefined;
    return { line: `comment list ${Object.keys(bugs).join(" ")}`, printed: comments };
  },
  "comment get": (one) => {
    const comments = Object.values((bodyOf(one)["comments"] ?? {}) as JsonObject) as readonly JsonObject[];
    if (!isGet(one, /^\/rest\/bug\/comment\/\d+$/) || comments.length !== 1 || !haveIds(comments)) return undefined;
    // the number comes from the bug's own list, which was not recorded
    const printed = comments.map(({ count: _, ...comment }) => comment);
    const named = comments.map(({ id }) => `c:${id}`);
    return { line: `comment get ${named.join(" ")}`, printed };
  },
  "field list": (one) => {
    const found = bodyOf(one)["fields"];
    return isGet(one, /^\/rest\/field\/bug$/) && found ? { line: "field list", printed: found } : undefined;
  },
  "field get": (one) => {
    const found = listOf(bodyOf(one)["fields"]);
    if (!isGet(one, /^\/rest\/field\/bug\/[^/]+$/) || !found[0]?.["name"]) return undefined;
    return { line: `field get ${found[0]["name"]}`, printed: found };
  },
  "group get": (one) => {
    const groups = listOf(bodyOf(one)["groups"]);
    if (!isGet(one, /^\/rest\/group/) || groups.length === 0 || !haveIds(groups)) return undefined;
    return { line: `group get ${ids(groups)}`, printed: groups };
  },
  "tag search": (one) => {
    const tags = one.response.body;
    return isGet(one, /\/comment\/tags\/./) && Array.isArray(tags)
      ? { line: "tag search any", printed: tags }
      : undefined;
  },
};

/** Number of recorded replies that each command reads, so that none is left out without notice. */
const COUNTS: Readonly<Record<keyof typeof READERS, number>> = {
  "bug get": 126,
  "bug search": 335,
  "bug history": 21,
  "comment list": 23,
  "comment get": 5,
  "field list": 5,
  "field get": 35,
  "group get": 23,
  "tag search": 13,
};

const NETWORK = { isInProcess: false, address: "https://bugs.test" } as const;

/** What is known of a Bugzilla with long pages, so that a recorded one is the last. */
function facts(): Map<string, JsonObject> {
  const at = Date.parse(NOON);
  return new Map([["dialect", { name: "bugzilla", at, longest: 10_000, ahead: 0 }]]);
}

/** What is sorted by `bt` itself may lack the field that the server sorted by. */
function inAnyOrder(value: Json): Json {
  const shown = loosely(value);
  return Array.isArray(shown)
    ? [...(shown as Json[])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : shown;
}

describe.each(Object.entries(READERS))("bt %s", (command, reader) => {
  const read = RECORDED.flatMap((recorded) => {
    const reading = reader(recorded);
    return reading ? [{ recorded, ...reading }] : [];
  });

  test("reads every recorded response of its kind without loss", async () => {
    for (const { recorded, line, printed } of read) {
      const { code, out, err } = await bt(`${line} --json`, { exchange: canned(recorded), ...NETWORK, facts: facts() });
      const where = `${recorded.area}/${recorded.name}`;
      expect({ where, code, err }).toEqual({
        where,
        code: 0,
        err: expect.stringMatching(/^(note: no bugs match.*\n)?$/),
      });
      expect({ where, out: inAnyOrder(JSON.parse(out)) }).toEqual({ where, out: inAnyOrder(printed) });
    }
    expect(read.length).toBe(COUNTS[command]);
  });
});

/** True if bugs are in the order in which a search gives them when no other is asked for. */
function isNewestFirst(bugs: readonly JsonObject[]): boolean {
  return bugs.every(({ id }, at) => at === 0 || Number(bugs[at - 1]?.["id"]) > Number(id));
}

/** A tracker that answers its fields, then the recorded reply, and nothing more after that. */
function canned(recorded: Recorded): Exchange {
  let asked = 0;
  return async ({ path }) => {
    if (path === "/rest/field/bug" && recorded.request.path !== path) return jsonResponse({ fields });
    asked += 1;
    const [, bug] = /\/bug\/(\d+)\/comment$/.exec(path) ?? [];
    if (asked > 1 && bug !== undefined) return jsonResponse({ bugs: { [bug]: { comments: [] } } });
    return asked === 1 ? responseOf(recorded) : jsonResponse({ bugs: [], faults: [] });
  };
}

function isGet({ request, response }: Recorded, path: RegExp): boolean {
  return request.method === "GET" && response.status === 200 && path.test(request.path);
}

function haveIds(things: readonly JsonObject[]): boolean {
  return things.every(({ id }) => Number.isInteger(id));
}

function ids(things: readonly JsonObject[]): string {
  return things.map(({ id }) => id).join(" ");
}
