import { link, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BtError, fileError, systemErrorCode } from "../../errors.ts";
import type { Context } from "../verb.ts";

/** A file to write, and whether it may replace an existing one. */
export type WholeFile = { readonly file: string; readonly isForced: boolean };

/**
 * Writes a file beside its place and moves it there when it is complete, so that an incomplete one is never left behind.
 * `write` receives the name of the new file.
 * @throws BtError of kind guard if the file exists and may not be replaced
 */
export async function writeWhole(
  { file, isForced }: WholeFile,
  { io }: Context,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = join(dirname(file), `.${basename(file)}.${io.pid}.part`);
  try {
    await write(part);
    await (isForced ? rename(part, file) : link(part, file)).catch((error) => {
      throw systemErrorCode(error) === "EEXIST" ? existing(file) : fileError("write", file, error);
    });
  } finally {
    await rm(part, { force: true });
  }
}

/** @throws BtError of kind guard if the file exists */
export async function refuseExisting(file: string): Promise<void> {
  const isFree = await stat(file).then(
    () => false,
    (error) => systemErrorCode(error) === "ENOENT",
  );
  if (!isFree) throw existing(file);
}

function existing(file: string): BtError {
  return new BtError("guard", `${file} exists`, {
    hint: "--force overwrites it; -o FILE writes to another file",
    changed: "nothing",
  });
}
