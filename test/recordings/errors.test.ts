import { describe, expect, test } from "vitest";
import type { Exchange } from "../../src/wire/exchange.ts";
import fields from "../api/fields.json" with { type: "json" };
import { bt } from "../bt.ts";
import { jsonResponse } from "../servers/responses.ts";
import { bodyOf, RECORDED, type Recorded, responseOf } from "./recorded.ts";

/** The exit code for each code of the interface; what is not listed is a plain refusal. */
const EXITS: Readonly<Record<number, readonly number[]>> = {
  4: [102, 106, 109, 110, 113, 115, 300, 301, 304, 306, 410, 505, 805],
  5: [100, 101, 111, 32_614],
};
const REFUSED = 3;
const UNKNOWN_LOGIN = 2;
const INTERNAL = 100_500;

/** A read that meets such an error. */
const READS: readonly (readonly [path: RegExp, line: string])[] = [
  [/^\/rest\/bug$/, "bug search --all"],
  [/^\/rest\/+bug\/[^/]*$/, "bug get 1"],
  [/\/history$/, "bug history 1"],
  [/^\/rest\/bug\/[^/]+\/comment$/, "comment list 1"],
  [/^\/rest\/bug\/comment\/[^/]+$/, "comment get 1"],
  [/\/comment\/tags\//, "tag search text"],
  [/^\/rest\/field\/bug\/[^/]+$/, "field get priority"],
  [/^\/rest\/field\/bug$/, "field list"],
  [/^\/rest\/group/, "group list"],
];

/** A write that meets such an error. */
const WRITES: readonly (readonly [method: string, path: RegExp, line: string])[] = [
  [
    "POST",
    /^\/rest\/bug$/,
    "bug create -p Firefox -c General --bug-version 121 -t Summary -d Text --op-sys Linux --platform PC --priority High",
  ],
  ["PUT", /^\/rest\/bug\/[^/]+$/, "bug update 1 --whiteboard text"],
  ["POST", /\/comment$/, "comment add 1 -m Text"],
  ["PUT", /\/tags$/, "tag update 5 --add text"],
  ["POST", /^\/rest\/group$/, "group create --name name --description Text"],
  ["PUT", /^\/rest\/group\//, "group update 1 --description Text"],
];

const failed = RECORDED.filter((one) => bodyOf(one)["error"] === true);

function codeOf(one: Recorded) {
  return Number(bodyOf(one)["code"]);
}

function messageOf(one: Recorded) {
  if (String(bodyOf(one)["message"]).includes("without being logged in")) return "not logged in";
  return String(bodyOf(one)["message"]).split("\n")[0]?.replace(/\s+/g, " ").trim() ?? "";
}

/** The exit code that an error has to end with: 51 is a thing that is not there, or a value that does not exist. */
function exitOf(one: Recorded): number {
  const code = codeOf(one);
  if (code === INTERNAL) return 8;
  if (one.request.method !== "GET" && /^There is no user named|not a valid username/.test(messageOf(one)))
    return UNKNOWN_LOGIN;
  const listed = Object.entries(EXITS).find(([, codes]) => codes.includes(code));
  return listed ? Number(listed[0]) : REFUSED;
}

describe("a recorded error of a read", () => {
  const reads = failed.flatMap((one) => {
    const [, line] = READS.find(([path]) => path.test(one.request.path)) ?? [];
    return one.request.method === "GET" && line ? [{ one, line }] : [];
  });

  test("becomes the error of its kind, with the message of the tracker and an empty stdout", async () => {
    for (const { one, line } of reads) {
      const { code, out, err } = await bt(`${line} --json`, { exchange: canned(one) });
      const where = `${one.area}/${one.name}`;
      expect({ where, code, out }).toEqual({ where, code: exits(one), out: "" });
      const { error } = JSON.parse(err);
      expect({ where, said: error.message }).toEqual({
        where,
        said: expect.stringContaining(messageOf(one).slice(0, 60)),
      });
      expect(error.bugzilla_code).toBe(codeOf(one));
    }
    expect(reads.length).toBe(133);
  });
});

describe("a recorded error of a write", () => {
  const writes = failed.flatMap((one) => {
    const { method, path } = one.request;
    const [, , line] = WRITES.find(([verb, pattern]) => verb === method && pattern.test(path)) ?? [];
    return line && codeOf(one) !== INTERNAL ? [{ one, line }] : [];
  });

  test("becomes the error of its kind, with the message of the tracker and an empty stdout", async () => {
    for (const { one, line } of writes) {
      const { code, out, err } = await bt(`${line} --json`, { exchange: canned(one) });
      const where = `${one.area}/${one.name}`;
      expect({ where, code, out }).toEqual({ where, code: exits(one), out: "" });
      expect({ where, err }).toEqual({ where, err: expect.stringContaining(`"bugzilla_code":${codeOf(one)}`) });
      expect({ where, changed: JSON.parse(err).error.changed }).toEqual({ where, changed: "nothing" });
    }
    expect(writes.length).toBe(273);
  });
});

describe("a recorded response that is not JSON", () => {
  const pages = RECORDED.filter(({ response }) => typeof response.body === "string" && response.status !== 304);

  test("is never accepted as data", async () => {
    const codes: string[] = [];
    for (const one of pages.filter(({ request }) => request.method === "GET")) {
      const { code, out, err } = await bt("bug get 1", { exchange: canned(one) });
      expect([one.name, out, err.split("\n")[0]]).toEqual([one.name, "", expect.stringMatching(/^bt: /)]);
      codes.push(`${one.response.status} ${one.response.content_type?.replace(/;.*/, "") ?? "nothing"} => ${code}`);
    }
    expect([...new Set(codes)].sort()).toMatchInlineSnapshot(`
      [
        "200 text/html => 7",
        "200 text/javascript => 7",
        "400 text/html => 3",
        "403 text/html => 4",
        "404 text/html => 7",
        "404 text/javascript => 5",
        "414 text/html => 3",
        "503 text/html => 8",
      ]
    `);
  });
});

/** Exit codes of a recorded error: what does not exist (51) is missing when it was named, else a refused value; what has no code of its own (32000) may be about the login. */
function exits(one: Recorded): unknown {
  const code = codeOf(one);
  if (code === 51 && exitOf(one) !== UNKNOWN_LOGIN) return expect.toBeOneOf([3, 5]);
  if (code === 32_000) return expect.toBeOneOf([3, 4]);
  return exitOf(one);
}

/** A tracker that knows its fields and answers everything else with the recorded reply. */
function canned(recorded: Recorded): Exchange {
  const isWrite = recorded.request.method !== "GET";
  return async ({ method, path }) => {
    if (path === "/rest/field/bug" && recorded.request.path !== path) return jsonResponse({ fields });
    if (isWrite && method === "GET") {
      const found = { id: 1, name: "group", status: "CONFIRMED", product: "Firefox", component: "General" };
      return jsonResponse({ bugs: [found], groups: [found] });
    }
    return responseOf(recorded);
  };
}
