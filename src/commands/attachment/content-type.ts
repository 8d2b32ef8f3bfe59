import { extname } from "node:path";
import { usageError } from "../../errors.ts";

/** Facts about a file that determine its type: name, first bytes, and whether all of it is UTF-8 without NUL. */
export type FileLook = { readonly name: string; readonly head: Uint8Array; readonly isText: boolean };

/** MIME type of a file: by its text, else by its first bytes if they are common, else by its name. `isPatch` for a diff. */
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
 */
const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^47494638/],
  ["image/webp", /^52494646........57454250/],
  ["application/pdf", /^255044462d/],
  ["application/gzip", /^1f8b08/],
  [ZIP, /^504b(?:0304|0506)/],
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
