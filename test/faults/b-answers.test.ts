import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip, type Gzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Json, Request } from "../../src/wire/exchange.ts";
import { btConnected, isBuilt } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { type Act, answer } from "../servers/fault-server.ts";
import { faultyTracker, type Incident } from "./faulty-tracker.ts";
import { talk } from "./pty.ts";
import { CANARY, GOOD, type RawGiven, rawProcess, rawRun, says } from "./raw.ts";

function json(body: string, status?: string) {
  return says(answer(body, status ? { status } : {}));
}

function page(body: string, status?: string) {
  return says(answer(body, { headers: { "content-type": "text/html" }, ...(status ? { status } : {}) }));
}

function fault(code: number, message: string) {
  return JSON.stringify({ error: true, code, message });
}

const SIZED = 100 * 1024 * 1024;
const TOO_BIG = /"kind":"reply".*the response from 127.0.0.1:PORT is too large \(limit 10 MiB\).*BT_MAX_SIZE/;

const sized: Act = (socket) => {
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${SIZED}\r\n\r\n`);
  pump(socket, Buffer.alloc(0x10000, " "), SIZED);
};
const endless: Act = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
  pump(socket, Buffer.from(`10000\r\n${" ".repeat(0x10000)}\r\n`));
};
function bomb(body: Buffer): Act {
  const headers = { "content-length": String(body.length), "content-encoding": "gzip" };
  return says(Buffer.concat([Buffer.from(answer("", { headers })), body]));
}

/** Writes the same bytes again and again, as fast as they are taken. */
function pump(socket: Socket, bytes: Buffer, total = Number.POSITIVE_INFINITY): void {
  const state = { left: total };
  const more = () => {
    while (!socket.destroyed && state.left > 0) {
      state.left -= bytes.length;
      if (!socket.write(bytes)) return;
    }
  };
  socket.on("drain", more);
  more();
}

/** So many zeros, compressed without ever being there as a whole. */
async function zeros(bytes: number, stream: Gzip): Promise<Buffer> {
  const piece = Buffer.alloc(1 << 20);
  const source = Readable.from(Array.from({ length: bytes / piece.length }, () => piece));
  return buffer(source.pipe(stream));
}

const NOISE = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n"), Buffer.alloc(99, 0xfe)]);
const PORTAL = answer("", { status: "302 Found", headers: { location: "http://portal.example/login" } });
const NESTED = `{"bugs":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;

test.each<[what: string, act: Act, code: number, err: RegExp]>([
  ["B1 JSON cut inside a text", json('{"bugs":[{"id":7,"summary":"Cra'), 7, /^bt: the .* is not valid JSON\n/],
  ["B2 noise", says(NOISE), 7, /^note: invalid UTF-8 in the response.*\nbt: the .* is not valid JSON\n/],
  ["B3 a login page", page("<title>Log in</title>"), 7, /^bt: the .* title "Log in": a login portal/],
  ["B4 a captive portal", says(PORTAL), 13, /^bt: 127.0.0.1:PORT redirects to http:\/\/portal.example\/login; /],
  ["B5 an error with the status of success", json(fault(102, "You may not.")), 4, /^bt: You may not/],
  ["B6 an error without a message", json('{"error":true,"message":null}'), 3, /^bt: .* error without a message/],
  ["B7 a key that is not accepted", json(fault(306, "It is invalid."), "400 No"), 4, /is invalid.*BT_API_KEY/s],
  ["B8 no such bug", json(fault(101, "Bug 7 does not exist."), "404 No"), 5, /^bt: Bug 7 does not exist/],
  ["B9 401 with a page", page("<title>Denied</title>", "401 No"), 4, /^bt: the tracker denied access/],
  ["B10 an empty body", json(""), 7, /^bt: the tracker's response is empty\n/],
  ["B11 the bug is not in the answer", json('{"bugs":[],"faults":[]}'), 5, /^bt: bug 7 was not found, or/],
  ["B15 nested 200,000 deep", json(NESTED), 7, /^bt: .* is nested deeper than 100 levels\n/],
])("%s", async (_, act, code, err) => {
  expect(await rawRun({ act })).toMatchObject({ code, out: "", err: expect.stringMatching(err) });
});

test("B8 no such value", async () => {
  const run = await rawRun({ act: json(fault(51, "There is no Status 'X'."), "404 No") }, "api /rest/bug -f status=X");
  const [out, err] = [/^\{"error":true,"code":51,/, /^bt: There is no Status 'X'\.\n/].map((one) =>
    expect.stringMatching(one),
  );
  expect(run).toMatchObject({ code: 3, out, err });
});

const BODY = '{"bugs":[{"id":7,"summary":"Crash"}],"faults":[]}';

test("a truncated body of gzip is retried, wherever it was cut", async () => {
  const whole = gzipSync(BODY);
  for (const length of [1, 2, 5, 12, whole.length >> 1, whole.length - 1]) {
    const run = await rawRun({ act: bomb(whole.subarray(0, length)) });
    expect([run.code, run.out, run.server.heard.length]).toEqual([6, "", 4]);
    expect(run.err).toContain("truncated response from 127.0.0.1:PORT");
  }
  expect((await rawRun({ act: bomb(whole) })).code).toBe(0);
});

describe("headers with ambiguous lengths are an invalid response, without a retry:", () => {
  const chunks = "2\r\n{}\r\n0\r\n\r\n";
  test.each([
    ["two lengths", "Content-Length: 2\r\nContent-Length: 5", "{}   "],
    ["one length twice", "Content-Length: 2\r\nContent-Length: 2", "{}"],
    ["a list of lengths", "Content-Length: 2, 2", "{}"],
    ["a negative length", "Content-Length: -2", "{}"],
    ["a length with a sign", "Content-Length: +2", "{}"],
    ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked", chunks],
    ["chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 2", chunks],
    ["a length and no encoding", "Content-Length: 2\r\nTransfer-Encoding: identity", "{}"],
  ])("%s", async (_, lines, body) => {
    const act = says(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines}\r\n\r\n${body}`);
    const run = await rawRun({ act });
    expect([run.code, run.out, run.server.heard.length]).toEqual([7, "", 1]);
    expect(run.err).toContain("bt: invalid HTTP response from 127.0.0.1:PORT");
  });
});

/** Answers that are too large, as large as they are told to be. */
const HUGE: Readonly<Record<string, () => Promise<Act>>> = {
  "B17 100 MiB that are announced": async () => sized,
  "B18 chunks without end": async () => endless,
  "B19 1 GiB, as 1 MiB of gzip": async () => {
    const part = await zeros(1 << 26, createGzip());
    return bomb(Buffer.concat(Array.from({ length: 16 }, () => part))); // which may have several parts
  },
};

test.skipIf(isBuilt).each(Object.entries(HUGE))(
  "%s, aborted at 10 MiB by a process of bounded memory",
  async (_, act) => {
    const run = await rawProcess({ act: await act() }, "bug get 7 --json");
    expect([run.code, run.out, run.err]).toEqual([7, "", expect.stringMatching(TOO_BIG)]);
  },
);

test("B17 max_size sets the limit", async () => {
  const given = { act: says(answer(`{"bugs":[{"id":7,"summary":"${"x".repeat(1 << 20)}"}]}`)) };
  const [small, large] = [
    await rawRun({ ...given, env: { BT_MAX_SIZE: "1" } }),
    await rawRun({ ...given, env: { BT_MAX_SIZE: "2" } }),
  ];
  expect([small.code, large.code]).toEqual([7, 0]);
  expect(small.err).toMatch(
    /^bt: the response from 127.0.0.1:PORT is too large \(limit 1 MiB\)\n.*hint: .*BT_MAX_SIZE/s,
  );
});

test("B17 more small values than fit the memory limit are rejected", async () => {
  const run = await rawRun({ act: json(`{"bugs":[${"[],".repeat(3_000_001)}[]]}`) });
  expect([run.code, run.out]).toEqual([7, ""]);
  expect(run.err).toContain("is too large (limit 10 MiB)");
});

/** A read of every kind, and an answer to it that is about something else. */
const READS = {
  "bug get 7": '{"bugs":[{"id":8}],"faults":[]}',
  "bug get 7 --json": '{"bugs":[{"id":8}],"faults":[]}',
  "bug search --all": '{"bugs":[{"id":"x"}]}',
  "bug search --all --count": '{"bug_count":"many"}',
  "bug history 7": '{"bugs":[{"id":8,"alias":[],"history":[]}]}',
  "comment list 7": '{"bugs":{"8":{"comments":[]}},"comments":{}}',
  "comment get 5": '{"bugs":{},"comments":{"5":{"id":6,"bug_id":1,"text":"x","creator":"a"}}}',
  "field list": '{"fields":[{"name":7}]}',
  "field get product": '{"fields":[{"id":1,"name":"other","type":1,"display_name":"Other"}]}',
  "field values severity": '{"values":[1]}',
  "group list": '{"groups":[{"id":1}]}',
  "group get staff": '{"groups":[{"id":1,"name":"other","description":"Others"}]}',
  "tag search spam": '[{"tag":"spam"}]',
};

test.each(Object.entries(READS))(
  "B10 a response to %s of another shape, or about another object",
  async (line, foreign) => {
    for (const body of ["", "{}", "[]", "null", '{"bugs":{}}', '{"bugs":[null]}', '{"bugs":[[]]}', foreign]) {
      if (line.startsWith("tag") && body === "[]") continue; // no tags
      const { code, out, err } = await rawRun({ act: json(body) }, line);
      expect([[5, 7].includes(code), out], `${body}: exit ${code}, ${err}`).toEqual([true, ""]);
    }
  },
);

function bugs(...list: readonly object[]) {
  return json(JSON.stringify({ bugs: list, faults: [], fields: [] }));
}

test("B12 two of three bugs are returned: they are printed, the third is named", async () => {
  const noField = json('{"error":true,"code":108,"message":"no such field"}', "400 Bad Request");
  const two = bugs({ id: 7, summary: "One" }, { id: 9, summary: "Two" });
  const act: Act = (socket, heard, count) => (heard.head.includes("f1=") ? noField : two)(socket, heard, count);
  const run = await rawRun({ act }, "bug get 7 8 9 --json");
  expect({ code: run.code, ids: JSON.parse(run.out).map(({ id }: { id: number }) => id) }).toEqual({
    code: 10,
    ids: [7, 9],
  });
  expect(JSON.parse(run.err).error.details).toEqual(["8: not found, or not visible to you"]);
});

test.each(["tsv", "csv", "table", "json", "ndjson"])(
  "B13 nulls in place of strings and lists, as %s",
  async (format) => {
    const nothing = { summary: null, alias: null, cc: null, keywords: null, flags: null, assigned_to: null };
    const run = await rawRun(
      { act: bugs({ id: 7, ...nothing, deadline: null, status: null, depends_on: null, see_also: null }) },
      `bug get 7 --format ${format}`,
    );
    const err = format === "table" ? expect.stringContaining("no description") : ""; // the server has no comments
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err });
    expect(run.out).toContain("7");
    expect(run.out).not.toMatch(/undefined|NaN|\[object/);
  },
);

describe("B14 a number that cannot be represented", () => {
  test.each([
    ["bug get 9007199254740991 --json", '{"bugs":[{"id":9007199254740993}]}'],
    ["bug search --all --format ids", '{"bugs":[{"id":9007199254740993}]}'],
    ["bug get 7 --json", '{"bugs":[{"id":7,"depends_on":[9007199254740993]}]}'],
    ["comment get 5", '{"comments":{"5":{"id":5,"bug_id":9007199254740993,"text":"x","creator":"a"}}}'],
  ])("is rejected, never rounded: %s", async (line, body) => {
    const run = await rawRun({ act: json(body) }, line);
    expect([run.code, run.out]).toEqual([7, ""]);
    expect(run.err).toContain("contains a number that is too large");
  });

  test("is printed as received by bt api", async () => {
    const body = '{"bugs":[{"id":9007199254740993}]}';
    expect((await rawRun({ act: json(body) }, "api /rest/bug/7")).out).toBe(`${body}\n`);
  });
});

describe("B16 keys such as __proto__ are data at every level", () => {
  const odd = (inner: string) => `"__proto__":${inner},"constructor":1,"toString":2,"hasOwnProperty":3`;
  const bug = `{"id":7,"summary":"Crash",${odd('{"id":8,"polluted":true}')},"cf_deep":{${odd("{}")}}}`;
  const changes = `{"history":[{"who":"a","when":"2026-01-01T00:00:00Z","changes":[],${odd("{}")}}],"alias":[],"id":7,${odd("{}")}}`;
  test.each([
    ["bug get 7 --json", `{"bugs":[${bug}],${odd('{"bugs":[]}')}}`],
    ["bug history 7 --json", `{"bugs":[${changes}],${odd("[]")}}`],
    ["api /rest/bug/7", `{"bugs":[${bug}],${odd("[]")}}`],
  ])("%s", async (line, body) => {
    const run = await rawRun({ act: json(body) }, line);
    expect(run).toMatchObject({ code: 0, err: "" });
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(run.out).toContain(JSON.stringify(name));
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("polluted");
  });
});

test("B20 invalid UTF-8 is shown as such, with a note", async () => {
  const body = Buffer.from('{"bugs":[{"id":7,"summary":"caf\u00e9"}]}', "latin1");
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const run = await rawRun({ act: says(Buffer.concat([Buffer.from(head), body])) }, "bug get 7 --json");
  expect({ code: run.code, summary: JSON.parse(run.out)[0].summary }).toEqual({ code: 0, summary: "caf\ufffd" });
  expect(run.err).toBe("note: invalid UTF-8 in the response; shown as \ufffd\n");
});

test("B21 a byte order mark before JSON is ignored", async () => {
  expect(await rawRun({ act: json('\ufeff{"bugs":[{"id":7}]}') })).toMatchObject({ code: 0, err: "" });
});

describe("B22 a tracker that returns every bug twice", () => {
  test.each([
    "bug get 43 12 1",
    "bug search --all",
    "bug search --all --order priority",
    "bug search --all --order id",
  ])("shows each of them once: %s", async (line) => {
    const [once, twice] = [await faultyTracker(), await faultyTracker({ read: repeated })];
    const ends = [once, twice].map(({ env }) =>
      btConnected(`${line} --format ids`, { env: { ...env, HOME: freshFolder() } }),
    );
    expect(await ends[1]).toEqual(await ends[0]);
    expect(await ends[1]).toMatchObject({ code: 0, err: "" });
  });
});

async function repeated({ apply, socket }: Incident): Promise<void> {
  const { status, headers, body } = await apply();
  const answered = JSON.parse(body);
  if (Array.isArray(answered.bugs)) answered.bugs = answered.bugs.flatMap((bug: Json) => [bug, bug]);
  socket.write(answer(JSON.stringify(answered), { status: `${status} OK`, headers }));
}

test("B23 pages of exactly the requested size are followed by the next one", async () => {
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

/** The environment of a client that knows the tracker, of which it gets no page below another. */
async function withoutSecondPage() {
  const isBelow = ({ query }: Request) => query.some(([name, value]) => name === "v1" && Number(value) > 1);
  const tracker = await faultyTracker({
    read: ({ request, socket, pass }) => (isBelow(request) ? socket.resetAndDestroy() : pass()),
  });
  tracker.store.exec("INSERT OR REPLACE INTO parameters (name, value) VALUES ('max_search_results', '25')");
  const env = { ...tracker.env, HOME: freshFolder() };
  expect(await btConnected("bug search is:open --limit 1", { env })).toMatchObject({ code: 0 });
  return env;
}

test("B23 without the second page the first one is printed as incomplete", async () => {
  const env = await withoutSecondPage();
  const piped = await btConnected("bug search --all --format ids", { env });
  expect({ code: piped.code, lines: piped.out.trim().split("\n").length }).toEqual({ code: 6, lines: 25 });
  expect(piped.err).toContain("    output is incomplete (stopped after 25)\n");
  const json = await btConnected("bug search --all --json", { env });
  expect(json).toMatchObject({ code: 6, out: expect.stringMatching(/^\[(\{[^{}]*\},){24}\{[^{}]*\}\n$/) });
  const jq = await btConnected("bug search --all --jq length", { env });
  expect(jq).toMatchObject({ code: 6, out: "", err: expect.stringContaining("closed the connection") });
  const lines = await btConnected("bug search --all --format ndjson", { env });
  expect([lines.code, lines.out.trim().split("\n").length]).toEqual([6, 25]);
  const paged = await talk("bt bug search is:open --limit 1 >/dev/null; bt bug search --all; echo exit $?", [], {
    ...env,
    BT_PAGER: "sed s/^/paged:/",
  });
  expect(paged.out).toMatch(/^paged:.*#50.*bt:.* closed the connection .*exit 6\n$/s);
});

test("B23 without the second page an export leaves no file, and fails on stdout", async () => {
  const env = await withoutSecondPage();
  const folder = freshFolder();
  const file = await btConnected(`bug export --all -o ${folder}/all.csv`, { env });
  expect([file.code, file.out, readdirSync(folder)]).toEqual([6, "", []]);
  expect(file.err).not.toContain("output is incomplete");
  const piped = await btConnected("bug export --all --fields id", { env });
  expect([piped.code, piped.out.trim().split("\r\n").length]).toEqual([6, 26]);
  expect(piped.err).toContain("    output is incomplete (stopped after 25)\n");
});

const VISIBLE = "SELECT count(*) FROM bugs WHERE id NOT IN (SELECT bug_id FROM bug_groups)";

test("B25 a tracker that ignores any key means anonymous", async () => {
  const given: RawGiven = { act: (socket, { head }) => socket.write(anonymously(head)), env: { BT_API_KEY: CANARY } };
  expect(await rawRun(given, "auth status")).toMatchObject({
    code: 4,
    out: expect.stringContaining("you are anonymous"),
  });
  expect(await rawRun(given, "bug get 7")).toMatchObject({ code: 13, out: "" });
});

function anonymously(head: string): string {
  if (/ \/rest\/(whoami|valid_login)/.test(head)) {
    return answer('{"error":true,"code":32614,"message":"no such resource"}', { status: "404 Not Found" });
  }
  return /f1=reporter/.test(head)
    ? answer(`{"error":true,"code":32000,"message":"You can't use %user% without being logged in"}`, {
        status: "400 Bad",
      })
    : GOOD;
}
