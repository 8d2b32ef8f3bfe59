import { beforeAll, describe, expect, test } from "vitest";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { asked, bt } from "../bt.ts";
import { clockOf } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import specification from "./specification.json" with { type: "json" };

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

const DOCUMENTED = specification.flatMap(({ routes }) => routes);

let demo: OpenedTracker;
beforeAll(() => {
  demo = freshDemo({ now: clockOf(), random: (bytes) => new Uint8Array(bytes) });
  return () => demo.close();
});

test("every route of the specification is used, or a better one instead", () => {
  expect([...Object.keys(USED), ...Object.keys(INSTEAD)].sort()).toEqual([...DOCUMENTED].sort());
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
