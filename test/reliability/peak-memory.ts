import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { execa } from "execa";
import { MAX_BYTES } from "../../src/transport/http.ts";
import { words } from "../bt.ts";
import { LAUNCHER } from "../built.ts";
import { surroundings } from "../process/real.ts";

/** The most memory that any of many reads took, and how the reads ended. */
export type PeakMemory = {
  readonly reads: number;
  readonly most: number; // MiB
  readonly by: string; // the read that took it
  readonly crashed: readonly string[]; // reads that ended in a fault of bt, in an error of usage, or not at all
};

/** Reads all kinds of large and hostile answers, each in a process of its own; a few of them unless `isFull`. */
export async function peakMemory(isFull: boolean): Promise<PeakMemory> {
  const reads = READS.filter((_, at) => isFull || at % 29 === 0);
  const server = await answering();
  const ends = [];
  for (const { name, line } of reads)
    ends.push({ name: `${name}: bt ${line}`, ...(await measured(name, line, server.url)) });
  server.close();
  const [most] = ends.toSorted((one, other) => other.memory - one.memory);
  const crashed = ends.filter(({ code = 70, memory }) => [2, 70].includes(code) || Number.isNaN(memory));
  return {
    reads: reads.length,
    most: most?.memory ?? 0,
    by: most?.name ?? "",
    crashed: crashed.map(({ name }) => name),
  };
}

const LISTS = ["--json", "--format ndjson", "--format table", "--format csv"];
const COLUMNS = LISTS.map((format) => `--fields id,status,summary ${format}`);
const SEARCHES = [...COLUMNS, "--count", "--by status"].map((flags) => `bug search --all ${flags}`);
const ONE = ["bug get 7 --json", "bug get 7 --format table", "bug get 7", "api /rest/bug/7"];
const TALK = ["comment list 7", "comment list 7 --json", "comment list 7 --format table"];

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

const MB = 1_000_000;
const MOST_WEIGHT = MAX_BYTES / 4; // of brackets, commas and quotes, as it is weighed

/** Answers, by the name of the read. A text of the longest length that is still accepted stands for most others. */
const ANSWERS: Readonly<Record<string, { readonly lines: readonly string[]; readonly answer: Answer }>> = {
  "50,000 bugs": { lines: SEARCHES, answer: pages(50_000, "") },
  "10,000 bugs of 4 kB": {
    lines: ["bug search --all --fields _all --format ndjson"],
    answer: pages(10_000, "x".repeat(4000)),
  },
  "5,000 bugs of 4 kB": {
    lines: ["bug search --all --fields _all --json", "bug search --all --fields _all --sort summary --json"],
    answer: pages(5000, "x".repeat(4000)),
  },
  endless: { lines: ONE, answer: (response) => Readable.from(endless()).pipe(response) },
  "1 GB as gzip": { lines: ONE, answer: bomb },
  "100 MB": { lines: ONE, answer: text(() => bugs(100 * MB)) },
  "a header of 1 MB": {
    lines: ONE,
    answer: ({ socket }) => socket?.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(MB)}\r\n\r\n`),
  },
  "the longest bug": {
    lines: ONE,
    answer: filled((said) => `{"bugs":[{"id":7,"summary":"${said}"}],"faults":[]}`, "x"),
  },
  "the longest comment": { lines: TALK, answer: filled(talk, "x") },
  "a comment of line breaks": { lines: TALK, answer: filled(talk, "\\n") },
  "a comment beyond Latin-1": { lines: TALK, answer: filled(talk, "図") },
  "a comment of control characters": {
    lines: TALK,
    answer: filled((said) => talk(said.slice(0, said.length / 2)), "\\u001b\u202e"),
  },
  "50,000 comments": { lines: TALK, answer: text(() => comments(50_000)) },
  "deep nesting": { lines: ONE, answer: text(() => `{"bugs":${"[".repeat(3 * MB)}${"]".repeat(3 * MB)}}`) },
  "empty objects": { lines: ONE, answer: text(() => `{"bugs":[${"{},".repeat(MOST_WEIGHT / 9)}{}]}`) },
  "too many names": { lines: ONE, answer: text(() => `{"bugs":[{"id":7,${names(200_000)}}]}`) },
  "short texts": { lines: ONE, answer: text(() => `{"bugs":[${names(MOST_WEIGHT / 2.5).replaceAll(":1", "")}]}`) },
};

type Read = { readonly name: string; readonly line: string };

const READS: readonly Read[] = Object.entries(ANSWERS).flatMap(([name, { lines }]) =>
  lines.map((line) => ({ name, line })),
);

function text(make: () => string): Answer {
  return (response) => response.end(make());
}

/** As long as an answer may be. */
function filled(make: (said: string) => string, part: string): Answer {
  return text(() => make(part.repeat((MAX_BYTES - 1000) / Buffer.byteLength(part))));
}

function* endless(): Iterable<string> {
  for (;;) yield "x".repeat(65_536);
}

/** A gigabyte of nothing, compressed. */
function bomb(response: ServerResponse): void {
  const zeros = Buffer.alloc(MB);
  response.setHeader("content-encoding", "gzip");
  Readable.from(Array.from({ length: 1000 }, () => zeros))
    .pipe(createGzip({ level: 1 }))
    .pipe(response);
}

function bugs(bytes: number): string {
  const one = bug(1, "");
  return `{"bugs":[${Array.from({ length: bytes / one.length }, (_, at) => bug(at + 1, "")).join(",")}]}`;
}

function bug(id: number, more: string): string {
  return `{"id":${id},"summary":"Photo ${id} is shown upside down","status":"CONFIRMED","priority":"High","whiteboard":"${more}"}`;
}

/** Bugs 1 to `count`, newest first, as searches by stretches of numbers ask for them, in Bugzilla's dialect. */
function pages(count: number, more: string): Answer {
  return (response, { url = "" }) => {
    const query = new URL(url, "http://tracker").searchParams;
    if (query.get("f1") === "bt_no_such_field") return response.end('{"error":true,"code":108,"message":"No field."}');
    const rows = ["1", "2", "3"].map((row) => [query.get(`o${row}`), Number(query.get(`v${row}`))] as const);
    const below = rows.find(([operator]) => operator === "lessthan")?.[1] ?? count + 1;
    const from = rows.find(([operator]) => operator === "greaterthaneq")?.[1] ?? 1;
    const length = Math.max(0, Math.min(Number(query.get("limit")), below - from));
    return response.end(`{"bugs":[${Array.from({ length }, (_, at) => bug(below - 1 - at, more)).join(",")}]}`);
  };
}

function comment(id: number, said: string): string {
  return `{"id":${id},"bug_id":7,"count":${id},"text":"${said}","creator":"a@example.org","is_private":false,"tags":[]}`;
}

function talk(said: string): string {
  return `{"bugs":{"7":{"comments":[${comment(1, said)}]}},"comments":{}}`;
}

function comments(count: number): string {
  return `{"bugs":{"7":{"comments":[${Array.from({ length: count }, (_, at) => comment(at + 1, "Hello")).join(",")}]}}}`;
}

function names(count: number): string {
  return Array.from({ length: count }, (_, at) => `"${at.toString(36)}":1`).join(",");
}

/** Answers under the name that stands first in the path. */
async function answering(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const [, name = ""] = (request.url ?? "").split("/").map(decodeURIComponent);
    response.on("error", () => undefined);
    response.setHeader("content-type", "application/json");
    if (/\/rest\/(field|version)/.test(request.url ?? "")) response.end('{"fields":[]}');
    else ANSWERS[name]?.answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const REPORT = path.join(import.meta.dirname, "../process/report-memory.cjs");

async function measured(name: string, line: string, url: string) {
  const argv = ["--require", REPORT, LAUNCHER, "--base-url", `${url}/${encodeURIComponent(name)}`, ...words(line)];
  const run = await execa(process.execPath, argv, {
    ...{ reject: false, extendEnv: false, env: surroundings(), timeout: 120_000 },
    ...{ stdin: "ignore", stdout: "ignore", maxBuffer: 64 * MB },
  });
  return { code: run.exitCode, memory: Number(/(\d+)\n?$/.exec(run.stderr)?.[1]) };
}
