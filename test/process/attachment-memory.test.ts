import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { freshFolder } from "../fresh-folder.ts";
import { surroundings } from "./real.ts";

const MIB = 1024 * 1024;
const SIZE = 200 * MIB;
const REPORT = fileURLToPath(new URL("report-memory.cjs", import.meta.url));

/** A block of bytes of which a large file is made. */
const BLOCK = Buffer.from(Array.from({ length: 3 * 64 * 1024 }, (_, at) => (at * 31 + (at >> 8)) % 256));

/** A tracker that takes one attachment of any size, and gives it back. */
async function hugeTracker() {
  const received = { body: createHash("sha256"), length: 0, contentLength: 0 };
  const server = createServer((request, response) => void answer(request, response, received));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

type Received = Awaited<ReturnType<typeof hugeTracker>>["received"];

async function answer(request: IncomingMessage, response: ServerResponse, received: Received): Promise<void> {
  response.setHeader("content-type", "application/json");
  const url = request.url ?? "";
  if (request.method === "POST") return take(request, response, received);
  if (url.includes("include_fields")) return give(response);
  const [, text] = TEXTS.find(([path]) => url.startsWith(path)) ?? [];
  response.end(text ?? '{"fields":[]}');
}

const TEXTS = [
  ["/rest/bug/1/attachment", '{"bugs":{"1":[]},"attachments":{}}'],
  [
    "/rest/bug/attachment/7",
    JSON.stringify({ bugs: {}, attachments: { 7: { id: 7, bug_id: 1, file_name: "x", size: SIZE } } }),
  ],
] as const;

async function take(request: IncomingMessage, response: ServerResponse, received: Received): Promise<void> {
  received.contentLength = Number(request.headers["content-length"]);
  for await (const chunk of request) {
    received.body.update(chunk as Buffer);
    received.length += (chunk as Buffer).length;
  }
  response.statusCode = 201;
  response.end('{"ids":[7]}');
}

async function give(response: ServerResponse): Promise<void> {
  response.write('{"bugs":{},"attachments":{"7":{"id":7,"data":"');
  for (const piece of pieces()) {
    if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end('"}}}');
}

/** The file in base64. */
function* pieces(): Generator<string> {
  const text = BLOCK.toString("base64");
  for (let at = 0; at < SIZE; at += BLOCK.length) {
    yield at + BLOCK.length <= SIZE ? text : BLOCK.subarray(0, SIZE - at).toString("base64");
  }
}

/** Runs Node as a process, and measures its peak memory in MiB. */
async function measured(argv: readonly string[], url = "") {
  const run = await execa(process.execPath, ["--require", REPORT, ...argv], {
    env: { ...surroundings(), BT_BASE_URL: url },
    extendEnv: false,
    reject: false,
  });
  return { code: run.exitCode, out: run.stdout, memory: Number(run.stderr.split("\n").at(-1)), err: run.stderr };
}

test(`a file of ${SIZE / MIB} MiB is sent and received in less memory than half of it`, async () => {
  const { url, received } = await hugeTracker();
  const file = join(freshFolder(), "huge");
  const idle = await measured(["-e", "0"]);
  const maxMemory = idle.memory + SIZE / MIB / 2;
  const fetched = await measured([LAUNCHER, "attachment", "download", "7", "-o", file], url);
  expect(fetched).toMatchObject({ code: 0 });
  expect(statSync(file).size).toBe(SIZE);
  expect(fetched.memory).toBeLessThan(maxMemory);
  const sent = await measured([LAUNCHER, "attachment", "add", "1", file], url);
  expect(sent).toMatchObject({ code: 0, out: "7" });
  expect(sent.memory).toBeLessThan(maxMemory);
  expect(received.length).toBe(received.contentLength);
  const head = '{"file_name":"huge","summary":"huge","content_type":"application/octet-stream","data":"';
  const whole = createHash("sha256").update(head);
  for (const piece of pieces()) whole.update(piece);
  expect(received.body.digest("hex")).toBe(whole.update('"}').digest("hex"));
}, 60_000);
