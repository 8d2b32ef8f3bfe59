import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../process/real.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { GOOD, type RawGiven, rawRun, says } from "./raw.ts";

type Row = RawGiven & { readonly code: number; readonly err: RegExp; readonly line?: string };

function json(body: string, status?: string) {
  return says(answer(body, status ? { status } : {}));
}

function page(body: string, status?: string) {
  return says(answer(body, { headers: { "content-type": "text/html" }, ...(status ? { status } : {}) }));
}

function fault(code: number, message: string) {
  return JSON.stringify({ error: true, code, message });
}

const SHAPE = /^bt: (the tracker's answer has an unexpected shape|the answer of the tracker)/;
const LIMIT = "bug get 7 --max-size 1";
const TOO_BIG = /^bt: the answer of 127.0.0.1:PORT is larger than 1 MiB\n.*hint: .*--max-size/s;

const endless: RawGiven["act"] = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
};
const bomb: RawGiven["act"] = (socket) => {
  const body = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  socket.write(answer("", { headers: { "content-length": String(body.length), "content-encoding": "gzip" } }));
  socket.write(body);
};

/** Answers that are not what they should be. */
const ROWS: Readonly<Record<string, Row>> = {
  "B1 JSON cut inside a text": {
    ...{
      act: json('{"bugs":[{"id":7,"summary":"Cra'),
      code: 7,
      err: /^bt: the answer of the tracker is not valid JSON\n/,
    },
  },
  "B2 noise": {
    act: says(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n"), Buffer.alloc(99, 0xfe)])),
    ...{
      code: 7,
      err: /^bt: the answer held bytes that are not UTF-8.*\nbt: the answer of the tracker is not valid JSON\n/,
    },
  },
  "B3 a login page": {
    act: page("<html><title>Log \u001b[2Jin</title></html>"),
    ...{
      code: 7,
      err: /^bt: the answer of the tracker is a web page with the title "Log .{0,12}in": a login portal, or a wrong address\n/,
    },
  },
  "B4 a captive portal": {
    act: says(answer("", { status: "302 Found", headers: { location: "http://portal.example/login" } })),
    ...{ code: 13, err: /^bt: 127.0.0.1:PORT redirects to http:\/\/portal.example\/login, which was not followed\n/ },
  },
  "B5 an error with the status of success": {
    ...{
      act: json(fault(102, "You are not authorized to access bug #7.")),
      code: 4,
      err: /^bt: You are not authorized/,
    },
  },
  "B6 an error without a message": {
    act: json('{"error":true,"message":null}'),
    ...{ code: 3, err: /^bt: the tracker reports an error without a message\n/ },
  },
  "B7 a key that is not accepted": {
    act: json(fault(306, "The API key you specified is invalid."), "400 Bad Request"),
    ...{ code: 4, err: /^bt: The API key you specified is invalid.*BT_API_KEY/s },
  },
  "B8 no such value": {
    ...{ act: json(fault(51, "There is no status named 'X'."), "404 No"), code: 3, err: /^bt: / },
    line: "api /rest/bug",
  },
  "B8 no such bug": {
    act: json(fault(101, "Bug 7 does not exist."), "404 No"),
    code: 5,
    err: /^bt: Bug 7 does not exist/,
  },
  "B9 401 with a page": {
    act: page("<html><title>Denied</title></html>", "401 No"),
    code: 4,
    err: /^bt: the tracker does not let you in/,
  },
  "B10 an empty body": { act: json(""), code: 7, err: /^bt: the answer of the tracker is empty\n/ },
  "B10 {}": { act: json("{}"), code: 7, err: SHAPE },
  "B10 []": { act: json("[]"), code: 7, err: SHAPE },
  "B10 null": { act: json("null"), code: 7, err: SHAPE },
  "B10 bugs that are no list": { act: json('{"bugs":{}}'), code: 7, err: SHAPE },
  "B11 the bug is not in the answer": {
    ...{ act: json('{"bugs":[],"faults":[]}'), code: 5, err: /^bt: bug 7 was not found, or is not visible to you\n/ },
  },
  "B15 nested 200,000 deep": {
    act: json(`{"bugs":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
    ...{ code: 7, err: /^bt: the answer of the tracker (is nested deeper than 100 levels|is not valid JSON)\n/ },
  },
  "B17 a body over the limit": { act: json(" ".repeat(2_000_000)), code: 7, err: TOO_BIG, line: LIMIT },
  "B18 chunks without end": { act: endless, code: 7, err: TOO_BIG, line: LIMIT },
  "B19 a compressed bomb": { act: bomb, code: 7, err: TOO_BIG, line: LIMIT },
};

test.each(Object.entries(ROWS))("%s", async (_, { line, code, err, ...given }) => {
  const run = await rawRun(given, line);
  const out = line?.startsWith("api") ? run.out : "";
  expect({ code: run.code, out: run.out, err: run.err }).toEqual({ code, out, err: expect.stringMatching(err) });
  expect(run.err).not.toMatch(/\n {4}at |\p{Cc}(?<!\n)/u);
});

function bugs(...list: readonly object[]) {
  return json(JSON.stringify({ bugs: list, faults: [], fields: [] }));
}

test("B12 of three bugs two come: they are shown, the third is named", async () => {
  const run = await rawRun({ act: bugs({ id: 7, summary: "One" }, { id: 9, summary: "Two" }) }, "bug get 7 8 9 --json");
  expect({ code: run.code, ids: JSON.parse(run.out).map(({ id }: { id: number }) => id) }).toEqual({
    code: 10,
    ids: [7, 9],
  });
  expect(JSON.parse(run.err).error.details).toEqual(["8: bug 8 was not found, or is not visible to you"]);
});

test.each(["tsv", "csv", "table", "markdown", "json", "ndjson"])(
  "B13 nothing in place of texts and lists, as %s",
  async (format) => {
    const empty = {
      id: 7,
      summary: null,
      alias: null,
      cc: null,
      keywords: null,
      flags: null,
      assigned_to: null,
      deadline: null,
    };
    const run = await rawRun({ act: bugs(empty) }, `bug get 7 --format ${format}`);
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: "" });
    expect(run.out).not.toMatch(/undefined|NaN|\[object/);
  },
);

test("B14 a number that cannot be kept exact is refused, never changed", async () => {
  const run = await rawRun({ act: json('{"bugs":[{"id":9007199254740993}]}') }, "bug get 9007199254740991 --json");
  expect(run).toMatchObject({ code: 7, out: "", err: expect.stringContaining("holds the number 9007199254740993") });
});

test("B16 names of the language as data", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const body = `{"bugs":[{"id":7,"summary":"Crash","__proto__":{"id":8},"constructor":1,"toString":2,"hasOwnProperty":3}]}`;
  const run = await rawRun({ act: json(body) }, "bug get 7 --json");
  expect(run).toMatchObject({ code: 0, err: "" });
  for (const name of names) expect(run.out).toContain(JSON.stringify(name));
  expect(({} as Record<string, unknown>)["id"]).toBeUndefined();
});

test("B20 bytes that are no UTF-8 are shown as such, and noted", async () => {
  const body = Buffer.from('{"bugs":[{"id":7,"summary":"caf\u00e9"}]}', "latin1");
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const run = await rawRun({ act: says(Buffer.concat([Buffer.from(head), body])) }, "bug get 7 --json");
  expect({ code: run.code, summary: JSON.parse(run.out)[0].summary }).toEqual({ code: 0, summary: "caf\ufffd" });
  expect(run.err).toBe("bt: the answer held bytes that are not UTF-8; they are shown as \ufffd\n");
});

test("B21 a byte order mark before the JSON is no harm", async () => {
  expect(await rawRun({ act: json('\ufeff{"bugs":[{"id":7}]}') })).toMatchObject({ code: 0, err: "" });
});

test("B22 a bug that comes twice is shown once", async () => {
  const run = await rawRun({ act: bugs({ id: 7, summary: "Crash" }, { id: 7, summary: "Crash" }) }, "bug get 7 --json");
  expect(JSON.parse(run.out)).toHaveLength(1);
});

test("B23 pages that are exactly full have successors, until one is not", async () => {
  const tracker = await faultyTracker();
  tracker.store.exec("INSERT OR REPLACE INTO parameters (name, value) VALUES ('max_search_results', '25')");
  const count = tracker.count("SELECT count(*) FROM bugs");
  crowd(tracker, 50 - count + tracker.count("SELECT max(id) FROM bugs"));
  const env = { ...tracker.env, HOME: freshFolder() };
  const run = await btConnected("bug search --all --format ids", { env });
  const ids = run.out.trimEnd().split("\n");
  expect({ code: run.code, err: run.err, ids: new Set(ids).size, lines: ids.length }).toEqual({
    ...{ code: 0, err: "" },
    ...{ ids: tracker.count(VISIBLE), lines: tracker.count(VISIBLE) },
  });
});

const VISIBLE = "SELECT count(*) FROM bugs WHERE id NOT IN (SELECT bug_id FROM bug_groups)";

describe("B24 a tracker that takes no notice of keys in headers", () => {
  test("is told as such where a header was asked for, and logged in to in the way it takes", async () => {
    const tracker = await faultyTracker();
    tracker.store.exec("INSERT OR REPLACE INTO parameters (name, value) VALUES ('header_api_keys', '0')");
    const env = { ...tracker.env, HOME: freshFolder() };
    const header = await btConnected("auth status", { env: { ...env, BT_AUTH_STYLE: "header" } });
    expect(header).toMatchObject({
      code: 4,
      out: expect.stringContaining("takes no notice of the key from BT_API_KEY"),
    });
    const found = await btConnected("auth status --json", { env });
    expect({ code: found.code, ...JSON.parse(found.out)[0] }).toMatchObject({
      code: 0,
      state: "logged in",
      style: "query",
    });
  });
});

test("B25 a tracker that takes no notice of any key makes an anonymous visitor", async () => {
  const run = await rawRun({ act: (socket, { head }) => socket.write(anonymously(head)) }, "auth status");
  expect(run).toMatchObject({ code: 4, out: expect.stringContaining("you are anonymous") });
});

function anonymously(head: string): string {
  if (/ \/rest\/(whoami|valid_login)/.test(head)) {
    return answer('{"error":true,"code":32614,"message":"no such resource"}', { status: "404 Not Found" });
  }
  return /f1=reporter/.test(head)
    ? answer('{"error":true,"code":32000,"message":"log in"}', { status: "400 Bad" })
    : GOOD;
}

test("a good answer is a good end", async () => {
  expect(await rawRun({ act: says(GOOD) }, "bug get 7 --json")).toMatchObject({ code: 0, err: "" });
});
