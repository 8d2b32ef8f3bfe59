import { isUtf8 } from "node:buffer";
import { link, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BtError, fileError, systemErrorCode, usageError } from "../../../errors.ts";
import type { Context } from "../../verb.ts";

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

/**
 * Bytes of a file given on the command line, or of stdin for `-`.
 * @throws BtError of kind local if the file cannot be read
 */
export async function readSourceBytes(source: string, { io }: Context): Promise<Buffer> {
  if (source === "-") return Buffer.from(await io.input());
  return readFile(source).catch((error) => {
    throw fileError("read", source, error);
  });
}

/** A file to write, and whether it may replace an existing one. */
export type WholeFile = { readonly file: string; readonly isForced: boolean };

/**
 * Writes a file beside its place and moves it there when it is complete, so that an incomplete one is never left behind.
 * `write` receives the name of the new file.
 * @throws BtError of kind guard if the file exists and may not be replaced, of kind local if it cannot be written
 */
export async function writeWhole(
  { file, isForced }: WholeFile,
  { io }: Context,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${io.pid}.part`);
  try {
    await write(part);
    await (isForced ? rename(part, file) : link(part, file));
  } catch (error) {
    const code = systemErrorCode(error);
    if (error instanceof BtError || code === "") throw error;
    throw code === "EEXIST" ? existsError(file) : fileError("write", file, error);
  } finally {
    await rm(part, { force: true });
  }
}

/** @throws BtError of kind guard if the file exists and may not be replaced, or is a device, a pipe or a directory */
export async function checkReplaceable({ file, isForced }: WholeFile): Promise<void> {
  const found = await stat(file).catch((error) => {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw isForced ? fileError("write", file, error) : existsError(file);
  });
  if (found === undefined) return;
  if (!isForced) throw existsError(file);
  if (found.isFile()) return;
  throw new BtError("guard", `${file} is not a regular file`, {
    hint: "--force replaces regular files only; -o - writes to stdout",
  });
}

function existsError(file: string): BtError {
  return new BtError("guard", `${file} exists`, {
    hint: "--force overwrites it; -o writes elsewhere",
  });
}
