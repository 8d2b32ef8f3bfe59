import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { OWN_FAULTS, type RawResponse } from "./send.ts";

/** Text of a body, or the fault code and its subject. */
type DecodedBody = { text: string; isMended: boolean } | BodyFault; // isMended: invalid UTF-8 was replaced by U+FFFD

type BodyFault = { code: string; errorText?: string };

/** Decodes a response body of at most `maxBytes`; a byte order mark is removed. */
export async function decodeBody(response: RawResponse, maxBytes: number): Promise<DecodedBody> {
  const bytes = await decompress(response, maxBytes);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (needsTooMuchMemory(bytes, maxBytes)) return { code: OWN_FAULTS.tooMuchMemory };
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (endsWithConnection(response) && isJson(response) && !isValidJson(text)) return { code: OWN_FAULTS.truncated };
  return { text, isMended: !isUtf8(bytes) };
}

/**
 * True if the parsed JSON would take far more memory than its text: an empty object takes thirty times its text, and
 * one letter beyond Latin-1 doubles the whole string. Bugs and fields are far from either.
 */
function needsTooMuchMemory(bytes: Buffer, maxBytes: number): boolean {
  if (bytes.length < maxBytes / 5) return false;
  let [weight, units, unit] = [0, 0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0; // an iterator takes twice as long
    weight += WEIGHTS[byte] ?? 0;
    if (byte < 0x80 || byte > 0xbf) units += 1; // continuation bytes
    if (byte >= FIRST_BEYOND_LATIN) unit = 2;
  }
  return weight > maxBytes / 4 || units * unit > maxBytes;
}

/** Number of values that a JSON delimiter accounts for: half a text, a value, a name, a list, an object. */
const WEIGHT_BY_SIGN: Readonly<Record<string, number>> = { '"': 0.75, ",": 1, ":": 1, "[": 2, "{": 8 };
const WEIGHTS = Float64Array.from({ length: 256 }, (_, code) => WEIGHT_BY_SIGN[String.fromCharCode(code)] ?? 0);
const FIRST_BEYOND_LATIN = 0xc4; // first UTF-8 byte of U+0100

async function decompress({ headers, body }: RawResponse, maxBytes: number): Promise<Buffer | BodyFault> {
  const encoding = (headers["content-encoding"]?.trim() || "identity").toLowerCase();
  if (encoding === "identity" || body.length === 0) return body;
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined)
    return { code: OWN_FAULTS.encoding, errorText: `encoding ${JSON.stringify(encoding.slice(0, 40))}` };
  try {
    const decode = promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib[decoder]);
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const fault = DECODING_FAULTS.get(code);
    return fault === undefined ? { code: OWN_FAULTS.encoding, errorText: `broken ${encoding}` } : { code: fault };
  }
}

/** Fault codes by zlib error: too large, or truncated. */
const DECODING_FAULTS: ReadonlyMap<string, string> = new Map([
  ["ERR_BUFFER_TOO_LARGE", OWN_FAULTS.tooLarge],
  ["Z_BUF_ERROR", OWN_FAULTS.truncated],
]);

const DECODERS: ReadonlyMap<string, "unzip" | "brotliDecompress"> = new Map([
  ["gzip", "unzip"],
  ["x-gzip", "unzip"],
  ["deflate", "unzip"],
  ["br", "brotliDecompress"],
]);

/** True if the body is delimited by the end of the connection, so that truncation cannot be detected. */
function endsWithConnection({ headers }: RawResponse): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

function isJson({ headers }: RawResponse): boolean {
  return /\bjson\b/i.test(headers["content-type"] ?? "");
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
