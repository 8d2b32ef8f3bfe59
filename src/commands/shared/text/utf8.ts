import { isUtf8 } from "node:buffer";
import { usageError } from "../../../errors.ts";

/**
 * Decoded UTF-8.
 * @throws BtError of kind usage with the first line that is not
 */
export function decodeUtf8(bytes: Uint8Array, source = "stdin"): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const bad = lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
  throw usageError(`${source} is not UTF-8 in line ${bad + 1}`);
}
