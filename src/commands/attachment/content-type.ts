import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { usageError } from "../../errors.ts";

/** MIME type of a file: UTF-8 is text/plain, others go by name, if trackers take that. `isPatch`: a diff. */
export async function detectContentType(name: string, bytes: Buffer): Promise<{ type: string; isPatch: boolean }> {
  if (isUtf8(bytes) && !bytes.includes(0))
    return { type: "text/plain", isPatch: DIFF.test(bytes.toString("utf8", 0, HEAD_BYTES)) };
  const named = await lookUpType(name);
  return { type: named !== undefined && TYPE.test(named) ? named : "application/octet-stream", isPatch: false };
}

const HEAD_BYTES = 64 * 1024;
const DIFF = /^diff --git |^--- .+\r?\n\+\+\+ .+\r?\n@@ |^(?:---|\*\*\*) .+\r?\n(?:\+\+\+|---) .+\r?\n(?:\*{15}|@@ )/m;

/** Type by the extension of a name. The package's own lookup indexes every extension first. */
async function lookUpType(name: string): Promise<string | undefined> {
  const tables = await Promise.all([import("mime/types/standard.js"), import("mime/types/other.js")]);
  const types = tables.flatMap(({ default: table }) => Object.entries<string[]>(table));
  const extension = extname(name).slice(1).toLowerCase();
  return types.find(([, extensions]) => extensions.includes(extension))?.[0];
}

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
