import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { BtError, fileError, fileReason, usage } from "../../errors.ts";
import type { FilePart } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";
import { contentType, HEAD_BYTES } from "./content-type.ts";

/** A file to attach, with its proposed name and type. */
export type AttachedFile = {
  readonly part: FilePart;
  readonly name: string;
  readonly type: string;
  readonly isPatch: boolean;
};

/**
 * A file on the command line, or stdin for `-`, which is kept in a file of its own, so that it can be sent again. It is
 * read once, in pieces.
 * @throws BtError if it cannot be read, or is empty
 */
export async function attachedFile(source: string, context: Context): Promise<AttachedFile> {
  const { path, isKept } = source === "-" ? await keptInput(context.io.inputStream()) : await regularFile(source);
  const { head, isText, ...facts } = await readFacts(path, source);
  if (facts.size === 0) {
    if (isKept) await removeKept(path);
    throw usage(`${source === "-" ? "stdin" : source} is empty`, "trackers refuse empty attachments");
  }
  if (isKept) context.drafts.push({ file: path });
  const told = source === "-" ? "" : basename(resolve(source));
  const { type, isPatch } = await contentType({ name: told, head, isText });
  return { part: { path, ...facts }, name: told || defaultName(isText, isPatch), type, isPatch };
}

function defaultName(isText: boolean, isPatch: boolean): string {
  if (isPatch) return "patch.diff";
  return isText ? "stdin.txt" : "stdin.bin";
}

/** Absolute path of the bytes to send, and whether they are in a file made for them. */
type Source = { path: string; isKept: boolean };

/** A file itself; a pipe is kept like stdin. */
async function regularFile(source: string): Promise<Source> {
  const found = await stat(source).catch((error) => {
    throw fileError("read", source, error);
  });
  if (found.isDirectory()) throw new BtError("local", `cannot read ${source}: is a directory`, { changed: "nothing" });
  return found.isFile() ? { path: resolve(source), isKept: false } : keptInput(createReadStream(source));
}

async function keptInput(input: AsyncIterable<Uint8Array>): Promise<Source> {
  const path = join(await mkdtemp(join(tmpdir(), "bt-")), "attachment");
  await pipeline(input, createWriteStream(path, { mode: 0o600 })).catch(async (error) => {
    await removeKept(path);
    throw new BtError("local", `cannot keep the input in ${path}: ${fileReason(error)}`, { changed: "nothing" });
  });
  return { path, isKept: true };
}

function removeKept(path: string): Promise<void> {
  return rm(dirname(path), { recursive: true, force: true });
}

async function readFacts(path: string, source: string) {
  const hash = createHash("sha256");
  const isText = textTest();
  let [size, head, isAllText] = [0, Buffer.alloc(0), true];
  try {
    for await (const bytes of piecesOf(path)) {
      hash.update(bytes);
      size += bytes.length;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES)]);
      isAllText &&= isText(bytes);
    }
  } catch (error) {
    throw fileError("read", source, error);
  }
  return { size, sha256: hash.digest("hex"), head, isText: isAllText && isText() };
}

/** A file in pieces of one buffer, each valid until the next: new buffers would be freed too late. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  const buffer = Buffer.alloc(PIECE_BYTES);
  try {
    for (let read = await file.read(buffer); read.bytesRead > 0; read = await file.read(buffer)) {
      yield buffer.subarray(0, read.bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Many rounds of a loop would wake V8's optimizing compiler, which takes more memory than a large buffer. */
const PIECE_BYTES = 1024 * 1024;

/** Tells of pieces of a file whether all so far is UTF-8 without NUL; without a piece, that the file ends. */
function textTest(): (piece?: Buffer) => boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (piece) => {
    if (piece?.includes(0)) return false;
    try {
      decoder.decode(piece, { stream: piece !== undefined });
      return true;
    } catch {
      return false;
    }
  };
}
