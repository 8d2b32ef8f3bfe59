import { promises, readFileSync } from "node:fs";
import { BtError, fileReason } from "../errors.ts";
import type { FilePart, JsonObject, Request } from "../wire/exchange.ts";

/** A JSON body in pieces, with its length in bytes. */
export type StreamedBody = { readonly length: number; readonly pieces: AsyncIterable<Uint8Array> };

/** The body with the file's content as its last member `data`, read and encoded while it is sent. */
export function fileBody(body: JsonObject, file: FilePart): StreamedBody {
  const fields = JSON.stringify(body).slice(0, -1);
  const head = `${fields}${fields === "{" ? "" : ","}"data":"`;
  return {
    length: Buffer.byteLength(head) + Math.ceil(file.size / 3) * 4 + TAIL.length,
    pieces: encodedPieces(head, file),
  };
}

const TAIL = '"}';

/** Each piece is valid until the next: one buffer holds them all. */
async function* encodedPieces(head: string, file: FilePart): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  const encoded = Buffer.alloc((SENT_BYTES / 3) * 4);
  let left = file.size;
  for await (const bytes of filePieces(file.path, SENT_BYTES)) {
    yield encoded.subarray(0, encodeBase64(bytes.subarray(0, left), encoded));
    left -= Math.min(left, bytes.length);
  }
  yield Buffer.from(TAIL);
}

/** Writes base64 into a buffer, by short strings, which take V8 no lasting memory. Returns its length. */
function encodeBase64(bytes: Buffer, encoded: Buffer): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at += STRING_BYTES) {
    length += encoded.write(bytes.toString("base64", at, at + STRING_BYTES), length, "latin1");
  }
  return length;
}

/** A file in full pieces of one buffer, each valid until the next: new buffers would be freed too late. */
async function* filePieces(path: string, size: number): AsyncGenerator<Buffer> {
  const file = await promises.open(path); // which Node loads here: 1 ms that no other request needs
  const buffer = Buffer.alloc(size);
  try {
    for (let filled = 0; ; ) {
      const { bytesRead } = await file.read(buffer, filled, size - filled);
      filled += bytesRead;
      if (filled === size || bytesRead === 0) yield buffer.subarray(0, filled);
      if (bytesRead === 0) return;
      filled %= size;
    }
  } finally {
    await file.close();
  }
}

/**
 * Bytes of a file that are read at once. Large: V8 optimizes a loop of many rounds, and its compiler takes 8 MiB when it is first
 * used. What is encoded is a multiple of 3, so that base64 has no padding within.
 */
const HASHED_BYTES = 1024 * 1024;
const SENT_BYTES = 384 * 1024;
const STRING_BYTES = 48 * 1024;

/**
 * Checks that a file is as it was when the request was made.
 * @throws BtError of kind usage if it has changed, of kind local if it cannot be read
 */
export async function checkFile({ path, size, sha256 }: FilePart): Promise<void> {
  const { createHash } = await import("node:crypto"); // 4 ms where no network has loaded it
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const piece of filePieces(path, HASHED_BYTES)) {
      hash.update(piece);
      bytes += piece.length;
    }
  } catch (cause) {
    throw unsendableFileError("local", `cannot read ${path}: ${fileReason(cause)}`);
  }
  if (bytes !== size || hash.digest("hex") !== sha256)
    throw unsendableFileError("usage", `${path} was modified, so it was not sent`);
}

function unsendableFileError(kind: "usage" | "local", message: string): BtError {
  return new BtError(kind, message, {
    hint: "restore the file, or run the original command again",
    changed: "nothing",
  });
}

/** The request with the file's content in its body, for an Exchange that does not stream. */
export async function withFileInBody({ file, ...request }: Request): Promise<Request> {
  if (file === undefined || typeof request.body === "string") return request;
  await checkFile(file);
  return { ...request, body: { ...request.body, data: readFileSync(file.path, "base64") } };
}

/**
 * Splits a JSON body while it arrives: decodes the base64 text of the first member `data`, and returns everything else of
 * each chunk, so that the whole has an empty text there.
 */
export function divertData(write: (bytes: Uint8Array) => void): (chunk: Buffer) => Buffer {
  const opensData = createDataMemberFinder();
  const decoder = createBase64Decoder(write);
  let place: "before" | "data" | "after" = "before";
  return (chunk) => {
    const kept: Buffer[] = [];
    let rest = chunk;
    if (place === "before") {
      const start = rest.findIndex(opensData);
      if (start === -1) return chunk;
      kept.push(rest.subarray(0, start + 1));
      rest = rest.subarray(start + 1);
      place = "data";
    }
    if (place === "data") {
      const end = rest.indexOf(QUOTE);
      decoder.take(end === -1 ? rest : rest.subarray(0, end));
      if (end === -1) return Buffer.concat(kept);
      decoder.end();
      rest = rest.subarray(end);
      place = "after";
    }
    return Buffer.concat([...kept, rest]);
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20; // and all other white space below
const MEMBER = "data";

/** Reads JSON byte by byte; true for the opening quote of the text of a member `data`. */
function createDataMemberFinder(): (byte: number) => boolean {
  let state: "outside" | "text" | "escape" = "outside";
  let word = ""; // the last text, or its beginning
  let isNamed = false; // after `"data":`
  const inText = (byte: number) => {
    if (state === "escape") state = "text";
    else if (byte === BACKSLASH) state = "escape";
    else if (byte === QUOTE) state = "outside";
    else if (word.length <= MEMBER.length) word += String.fromCharCode(byte);
  };
  const outside = (byte: number) => {
    isNamed = byte === COLON ? word === MEMBER : isNamed && byte <= SPACE;
    if (byte === QUOTE) [state, word] = ["text", ""];
  };
  return (byte) => {
    if (state !== "outside") inText(byte);
    else if (isNamed && byte === QUOTE) return true;
    else outside(byte);
    return false;
  };
}

/** Decodes a base64 text of a JSON string in pieces. Some servers escape its slashes, or break it into lines. */
function createBase64Decoder(write: (bytes: Uint8Array) => void) {
  const decoded = Buffer.alloc(PIECE);
  let pending = ""; // text that is too short to decode
  const decode = (text: string) => write(decoded.subarray(0, decoded.write(text, "base64")));
  const takePiece = (piece: Buffer) => {
    const text = pending + piece.toString("latin1");
    const cut = text.endsWith("\\") ? text.length - 1 : text.length;
    const plain = withoutEscapes(text.slice(0, cut));
    const whole = plain.length - (plain.length % 4);
    decode(plain.slice(0, whole));
    pending = plain.slice(whole) + text.slice(cut);
  };
  return {
    take(chunk: Buffer) {
      for (let at = 0; at < chunk.length; at += PIECE) takePiece(chunk.subarray(at, at + PIECE));
    },
    end() {
      if (pending !== "") decode(pending);
    },
  };
}

const PIECE = 8 * 1024; // bytes decoded at once; larger texts are freed later

function withoutEscapes(text: string): string {
  return text.includes("\\") ? text.replace(/\\[nr]/g, "").replaceAll("\\", "") : text;
}
