import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { OWN } from "./fault.ts";
import type { Answer } from "./send.ts";

/** The text of a body, or why it cannot be had: the code of a fault and what it is about. */
export type BodyText =
  | { readonly text: string; readonly mended: boolean } // mended: bytes that are not UTF-8 became U+FFFD
  | { readonly code: string; readonly said?: string };

/** Decodes the body of an answer, never to more than `maxBytes`; a byte order mark is left out. */
export async function bodyText(answer: Answer, maxBytes: number): Promise<BodyText> {
  const bytes = await decompress(answer, maxBytes);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (endsWithConnection(answer) && isJson(answer) && !parses(text)) return { code: OWN.cut };
  return { text, mended: !isUtf8(bytes) };
}

async function decompress(answer: Answer, maxBytes: number): Promise<Buffer | { code: string; said?: string }> {
  const encoding = (answer.headers["content-encoding"]?.trim() || "identity").toLowerCase();
  if (encoding === "identity" || answer.body.length === 0) return answer.body;
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) return { code: OWN.encoding, said: `encoding ${JSON.stringify(encoding.slice(0, 40))}` };
  const zlib = await import("node:zlib");
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib[decoder])(answer.body, {
      maxOutputLength: maxBytes,
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return code === "ERR_BUFFER_TOO_LARGE" ? { code: OWN.tooBig } : { code: OWN.encoding, said: `broken ${encoding}` };
  }
}

const DECODERS: ReadonlyMap<string, "unzip" | "brotliDecompress"> = new Map([
  ["gzip", "unzip"],
  ["x-gzip", "unzip"],
  ["deflate", "unzip"],
  ["br", "brotliDecompress"],
]);

/** Whether only the end of the connection marks the end of the body, so that a cut cannot be told from an end. */
function endsWithConnection({ headers }: Answer): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

function isJson({ headers }: Answer): boolean {
  return /\bjson\b/i.test(headers["content-type"] ?? "");
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
