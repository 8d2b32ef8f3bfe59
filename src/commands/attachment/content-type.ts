import { extname } from "node:path";
import { usageError } from "../../errors.ts";

/** Facts about a file that determine its type: name, first bytes, and whether all of it is UTF-8 without NUL. */
export type FileLook = { readonly name: string; readonly head: Uint8Array; readonly isText: boolean };

/** MIME type of a file: by its text, else by its first bytes, else by its name. `isPatch` for a diff. */
export async function detectContentType(look: FileLook): Promise<{ type: string; isPatch: boolean }> {
  const head = Buffer.from(look.head);
  if (look.isText) return { type: "text/plain", isPatch: DIFF.test(head.toString()) };
  return { type: await detectBinaryType(head, look.name), isPatch: false };
}

/** A zip archive has the type of its name where that may be an archive of its own kind, such as a document. */
async function detectBinaryType(head: Buffer, name: string): Promise<string> {
  const digits = head.toString("hex", 0, 512);
  const [signed] = SIGNATURES.find(([, signature]) => signature.test(digits)) ?? [];
  if (signed !== undefined && signed !== ZIP) return signed;
  const named = await lookUpType(name);
  if (signed === undefined) return named ?? "application/octet-stream";
  return named?.startsWith("application/") && !SIGNATURES.some(([other]) => other === named) ? named : ZIP;
}

/** Type by the extension of a name, if trackers take it. The package's own lookup indexes every extension first. */
async function lookUpType(name: string): Promise<string | undefined> {
  const tables = await Promise.all([import("mime/types/standard.js"), import("mime/types/other.js")]);
  const types = tables.flatMap(({ default: table }) => Object.entries<string[]>(table));
  const extension = extname(name).slice(1).toLowerCase();
  const [type] = types.find(([, extensions]) => extensions.includes(extension)) ?? [];
  return type !== undefined && TYPE.test(type) ? type : undefined;
}

/** Number of first bytes of a file that are read for its type. */
export const HEAD_BYTES = 64 * 1024;

const DIFF = /^diff --git |^--- .+\r?\n\+\+\+ .+\r?\n@@ |^(?:---|\*\*\*) .+\r?\n(?:\+\+\+|---) .+\r?\n(?:\*{15}|@@ )/m;
const ZIP = "application/zip";

/**
 * First bytes by type, in hexadecimal; a dot is any digit.
 * @see https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern
 * @see https://www.iana.org/assignments/media-types/media-types.xhtml
 */
const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^47494638/],
  ["image/webp", /^52494646........57454250/],
  ["image/bmp", /^424d........00000000/],
  ["image/tiff", /^(?:49492a00|4d4d002a)/],
  ["image/avif", /^........66747970617669/],
  ["image/heic", /^........66747970(?:686569|6d696631|6d736631)/],
  ["image/x-icon", /^00000100/],
  ["application/pdf", /^255044462d/],
  ["application/gzip", /^1f8b08/],
  ["application/zstd", /^28b52ffd/],
  ["application/x-xz", /^fd377a585a00/],
  ["application/x-bzip2", /^425a68/],
  ["application/x-7z-compressed", /^377abcaf271c/],
  ["application/vnd.rar", /^526172211a07/],
  [ZIP, /^504b(?:0304|0506)/],
  ["application/x-tar", /^.{514}7573746172/],
  ["application/vnd.sqlite3", /^53514c69746520666f726d6174203300/],
  ["application/wasm", /^0061736d/],
  ["application/x-executable", /^7f454c46/],
  ["video/webm", /^1a45dfa3.{0,128}7765626d/],
  ["video/x-matroska", /^1a45dfa3/],
  ["video/quicktime", /^........667479707174/],
  ["audio/mp4", /^........667479704d3441/],
  ["video/mp4", /^........66747970/],
  ["video/x-msvideo", /^52494646........41564920/],
  ["audio/wav", /^52494646........57415645/],
  ["audio/flac", /^664c6143/],
  ["audio/ogg", /^4f676753/],
  ["audio/mpeg", /^(?:494433|fff[23ab])/],
];

/**
 * Rejects a content type that trackers refuse.
 * @throws BtError of kind usage
 * @see Bugzilla/Attachment.pm of Bugzilla, `_check_content_type`
 */
export function checkContentType(type: string): void {
  if (TYPE.test(type)) return;
  throw usageError(`invalid content type ${JSON.stringify(type)}`, "for example: --content-type image/png");
}

const TYPE = /^(application|audio|image|message|model|multipart|text|video)\/[\w+.-]+(;\s*charset=[\w+-]+)?$/i;
