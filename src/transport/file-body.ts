import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { BtError, fileReason } from "../errors.ts";
import type { FilePart, JsonObject, Request } from "../wire/exchange.ts";

/** A JSON body in pieces, with its length in bytes. */
export type StreamedBody = { readonly length: number; readonly pieces: AsyncIterable<string> };

/** The body with the file's content as its last member `data`, read and encoded while it is sent. */
export function fileBody(body: JsonObject, file: FilePart): StreamedBody {
  const fields = JSON.stringify(body).slice(0, -1);
  const head = `${fields}${fields === "{" ? "" : ","}"data":"`;
  return {
    length: Buffer.byteLength(head) + Math.ceil(file.size / 3) * 4 + TAIL.length,
    pieces: piecesOf(head, file),
  };
}

const TAIL = '"}';

async function* piecesOf(head: string, file: FilePart): AsyncGenerator<string> {
  yield head;
  let left = file.size;
  for await (const bytes of filePieces(file.path)) {
    yield bytes.toString("base64", 0, Math.min(left, bytes.length));
    left -= bytes.length;
  }
  yield TAIL;
}

/** A file in full pieces of one buffer, each valid until the next: new buffers would be freed too late. */
async function* filePieces(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  const buffer = Buffer.alloc(PIECE);
  try {
    for (let filled = 0; ; ) {
      const { bytesRead } = await file.read(buffer, filled, PIECE - filled);
      filled += bytesRead;
      if (filled === PIECE || bytesRead === 0) yield buffer.subarray(0, filled);
      if (bytesRead === 0) return;
      filled %= PIECE;
    }
  } finally {
    await file.close();
  }
}

const PIECE = 24 * 1024; // a multiple of 3, so that base64 has no padding within

/**
 * Checks that a file is as it was when the request was made.
 * @throws BtError of kind usage if it has changed, of kind local if it cannot be read
 */
export async function checkFile({ path, size, sha256 }: FilePart): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const piece of filePieces(path)) {
      hash.update(piece);
      bytes += piece.length;
    }
  } catch (cause) {
    throw unsendable("local", `cannot read ${path}: ${fileReason(cause)}`);
  }
  if (bytes !== size || hash.digest("hex") !== sha256)
    throw unsendable("usage", `${path} was modified, so it was not sent`);
}

function unsendable(kind: "usage" | "local", message: string): BtError {
  return new BtError(kind, message, {
    hint: "restore the file, or run the original command again",
    changed: "nothing",
  });
}

/** The request with the file's content in its body, for an Exchange that does not stream. */
export async function withFileInBody({ file, ...request }: Request): Promise<Request> {
  if (file === undefined || typeof request.body === "string") return request;
  await checkFile(file);
  return { ...request, body: { ...request.body, data: await readFile(file.path, "base64") } };
}
