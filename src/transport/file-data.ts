import { createHash } from "node:crypto";
import { readContent } from "../config/files.ts";
import { usageError } from "../errors.ts";
import type { Request } from "../wire/exchange.ts";

/**
 * The request with the file's content in its body, as base64.
 * @throws BtError of kind usage if the file is not as it was when the request was made, of kind
 * local if it cannot be read
 */
export function withFileInBody({ file, ...request }: Request): Request {
  if (file === undefined || typeof request.body === "string") return request;
  const content = readContent(file.path);
  if (createHash("sha256").update(content).digest("hex") !== file.sha256)
    throw usageError(
      `${file.path} was modified, so it was not sent`,
      "restore the file, or run the original command again",
    );
  return { ...request, body: { ...request.body, data: content.toString("base64") } };
}
