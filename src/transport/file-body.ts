import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
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
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file.path, { highWaterMark: PIECE, end: Math.max(0, file.size - 1) })) {
    const bytes = Buffer.concat([left, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % 3);
    left = bytes.subarray(whole);
    yield bytes.toString("base64", 0, whole);
  }
  yield left.toString("base64") + TAIL;
}

const PIECE = 96 * 1024;

/**
 * Checks that a file is as it was when the request was made.
 * @throws BtError of kind usage if it has changed, of kind local if it cannot be read
 */
export async function checkFile({ path, size, sha256 }: FilePart): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
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
