import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { BtError, fileReason } from "../errors.ts";
import type { FilePart, Request } from "../wire/exchange.ts";

/**
 * The request with the file's content in its body, as base64.
 * @throws BtError of kind usage if the file is not as it was when the request was made, of kind
 * local if it cannot be read
 */
export function withFileInBody({ file, ...request }: Request): Request {
  if (file === undefined || typeof request.body === "string") return request;
  return { ...request, body: { ...request.body, data: base64IfUnchanged(file) } };
}

function base64IfUnchanged({ path, sha256 }: FilePart): string {
  try {
    const content = readFileSync(path);
    if (createHash("sha256").update(content).digest("hex") === sha256) return content.toString("base64");
  } catch (cause) {
    throw unsendableFileError("local", `cannot read ${path}: ${fileReason(cause)}`);
  }
  throw unsendableFileError("usage", `${path} was modified, so it was not sent`);
}

function unsendableFileError(kind: "usage" | "local", message: string): BtError {
  return new BtError(kind, message, {
    hint: "restore the file, or run the original command again",
  });
}
