import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { systemErrorCode } from "../errors.ts";
import { jsonFault } from "../wire/json.ts";
import { OWN_FAULTS, type RawResponse } from "./send.ts";

/** Text of a body, or the fault code and its subject. */
type DecodedBody = { text: string; isMended: boolean } | BodyFault; // isMended: invalid UTF-8 was replaced by U+FFFD

type BodyFault = { code: string; errorText?: string; limit?: number };

/** Decodes a response body of at most `maxBytes`; a byte order mark is removed. */
export async function decodeBody(response: RawResponse, maxBytes: number): Promise<DecodedBody> {
  const bytes = await decompress(response, maxBytes);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (hasTooManyValues(bytes, maxBytes)) return { code: OWN_FAULTS.tooLarge };
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (endsWithConnection(response) && jsonFault(text)) return { code: OWN_FAULTS.truncated };
  return { text, isMended: !isUtf8(bytes) };
}

/** True for JSON that ends with its connection, so that only the text shows that it was cut. */
function endsWithConnection({ headers }: RawResponse): boolean {
  const isJson = headers["content-type"]?.includes("json") === true;
  return isJson && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

/** True if the values of a JSON text would take far more memory than the text itself: an empty object takes thirty times as much. */
function hasTooManyValues(bytes: Buffer, maxBytes: number): boolean {
  if (bytes.length < maxBytes / 5) return false;
  let signs = 0;
  for (let at = 0; at < bytes.length; at += 1) signs += VALUE_SIGNS[bytes[at] ?? 0] ?? 0; // an iterator takes twice as long
  return signs > maxBytes / BYTES_PER_VALUE;
}

const VALUE_SIGNS = Uint8Array.from({ length: 256 }, (_, code) => ("{[,".includes(String.fromCharCode(code)) ? 1 : 0));
const BYTES_PER_VALUE = 16; // in a text of the full size; bugs and fields have more

async function decompress({ headers, body }: RawResponse, maxBytes: number): Promise<Buffer | BodyFault> {
  const encoding = (headers["content-encoding"]?.trim() || "identity").toLowerCase();
  if (encoding === "identity" || body.length === 0) return body;
  const decoder = DECODERS[encoding];
  if (decoder === undefined)
    return { code: OWN_FAULTS.encoding, errorText: `encoding ${JSON.stringify(encoding.slice(0, 40))}` };
  try {
    const decode = promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib[decoder]);
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE") return { code: OWN_FAULTS.tooLarge, limit: maxBytes };
    if (code === "Z_BUF_ERROR") return { code: OWN_FAULTS.truncated };
    return { code: OWN_FAULTS.encoding, errorText: `broken ${encoding}` };
  }
}

const DECODERS: Readonly<Record<string, "unzip" | "brotliDecompress">> = {
  gzip: "unzip",
  "x-gzip": "unzip",
  deflate: "unzip",
  br: "brotliDecompress",
};
