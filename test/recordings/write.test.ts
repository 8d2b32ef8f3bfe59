import { describe, expect, test } from "vitest";
import type { Exchange, Json, JsonObject } from "../../src/wire/exchange.ts";
import fields from "../api/fields.json" with { type: "json" };
import { bt } from "../bt.ts";
import { jsonResponse } from "../servers/responses.ts";
import { bodyOf, listOf, loosely, RECORDED, type Recorded, responseOf } from "./recorded.ts";

type Writing = { readonly line: string; readonly printed: Json };

const CREATE =
  "bug create -p Firefox -c General --bug-version 121 -t Summary -d Text --op-sys Linux --platform PC --priority High";

/** A command that gets such a reply to its write, and what it then has to print as JSON. */
const WRITERS: Readonly<Record<string, (recorded: Recorded) => Writing | undefined>> = {
  "bug create": (one) => {
    const { id } = bodyOf(one);
    return wrote(one, "POST", /^\/rest\/bug$/) && id
      ? { line: CREATE, printed: { id, result: "created", not_applied: [] } }
      : undefined;
  },
  "bug update": (one) => {
    const bugs = listOf(bodyOf(one)["bugs"]);
    const ids = new Set(bugs.map(({ id }) => id));
    if (!wrote(one, "PUT", /^\/rest\/bug\/[^/]+$/) || bugs.length === 0 || ids.size < bugs.length) return undefined;
    return { line: `bug update ${[...ids].join(" ")} --whiteboard text`, printed: bugs.map(withResult) };
  },
  "comment add": (one) => {
    const { id } = bodyOf(one);
    return wrote(one, "POST", /\/comment$/) && id
      ? { line: "comment add 1 -m Text", printed: { id, result: "created" } }
      : undefined;
  },
  "tag update": (one) => {
    const tags = one.response.body;
    if (!wrote(one, "PUT", /\/tags$/) || !Array.isArray(tags)) return undefined;
    return { line: `tag update 60004 ${tags.length > 0 ? `--add ${tags[0]}` : "--remove text"}`, printed: tags };
  },
  "group create": (one) => {
    const { id } = bodyOf(one);
    if (!wrote(one, "POST", /^\/rest\/group$/) || !id) return undefined;
    return { line: "group create --name name --description Text", printed: { id, result: "created" } };
  },
  "group update": (one) => {
    const groups = listOf(bodyOf(one)["groups"]);
    if (!wrote(one, "PUT", /^\/rest\/group\//) || groups.length === 0) return undefined;
    return {
      line: `group update ${groups.map(({ id }) => id).join(" ")} --description Text`,
      printed: groups.map(withResult),
    };
  },
};

/** A changed object as it is printed. */
function withResult(changed: JsonObject): JsonObject {
  const isDone = Object.keys(changed["changes"] as JsonObject).length > 0;
  return { ...changed, result: isDone ? "applied" : "unchanged" };
}

/** Number of recorded replies that each command reads, so that none is left out without notice. */
const COUNTS: Readonly<Record<string, number>> = {
  "bug create": 109,
  "bug update": 171,
  "comment add": 23,
  "tag update": 26,
  "group create": 5,
  "group update": 13,
};

describe.each(Object.entries(WRITERS))("bt %s", (command, writer) => {
  const written = RECORDED.flatMap((recorded) => {
    const writing = writer(recorded);
    return writing ? [{ recorded, ...writing }] : [];
  });

  test("reads every recorded response to its write without loss", async () => {
    for (const { recorded, line, printed } of written) {
      const { code, out, err } = await bt(`${line} --json`, { exchange: canned(recorded) });
      const where = `${recorded.area}/${recorded.name}`;
      const others = err.split("\n").filter((said) => said !== "" && !said.startsWith(OVERWROTE));
      expect({ where, code, others }).toEqual({ where, code: 0, others: [] });
      expect({ where, out: loosely(JSON.parse(out)) }).toEqual({ where, out: loosely(printed) });
    }
    expect(written.length).toBe(COUNTS[command]);
  });
});

/** Words about a bug whose recorded change began at other values than the tracker here shows. */
const OVERWROTE = "note: overwrote a newer change: ";

/** A tracker that has every bug and group that it is asked for, as last written, and answers a write with the recorded reply. */
function canned(recorded: Recorded): Exchange {
  let written: JsonObject = {};
  return async ({ method, path, query, body }) => {
    if (method !== "GET") {
      written = body as JsonObject;
      return responseOf(recorded);
    }
    if (path === "/rest/field/bug") return jsonResponse({ fields });
    const named = [
      /^\/rest\/bug\/(\d+)/.exec(path)?.[1],
      ...query.map(([name, value]) => (name === "ids" ? value : undefined)),
    ];
    const ids = named.flatMap((text) => (text ? [Number(text)] : []));
    if (path === "/rest/group")
      return jsonResponse({ groups: ids.map((id) => ({ id, name: `group-${id}`, description: "" })) });
    const bug = { ...written, status: "CONFIRMED", product: "Firefox", component: "General" };
    return jsonResponse({ bugs: ids.map((id) => ({ ...bug, id })) });
  };
}

function wrote({ request, response }: Recorded, method: string, path: RegExp): boolean {
  return request.method === method && response.status < 300 && path.test(request.path);
}
