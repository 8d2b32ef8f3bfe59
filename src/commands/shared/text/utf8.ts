import { usageError } from "../../../errors.ts";

/**
 * Decoded UTF-8.
 * @throws BtError of kind usage with the position of an invalid byte
 */
export function decodeUtf8(bytes: Uint8Array, source = "stdin"): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    const bad = firstBadByte(bytes);
    const line = bytes.subarray(0, bad).filter((byte) => byte === LINE_FEED).length + 1;
    throw usageError(`${source} is not UTF-8 in line ${line}, at byte ${bad}`);
  }
}

const LINE_FEED = 0x0a;

function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (isDecodable(bytes.subarray(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

function isDecodable(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
