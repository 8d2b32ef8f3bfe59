import { readFile } from "node:fs/promises";
import { BtError } from "../errors.ts";
import { fileReason } from "../file-reason.ts";
import type { Context } from "./context.ts";
import { utf8 } from "./targets.ts";

/** The text of a file that a command line names, or of standard input with `-`. */
export async function sourceText(source: string, context: Context): Promise<string> {
  if (source === "-") return utf8(await context.io.input());
  const bytes = await readFile(source).catch((error: Error) => {
    throw new BtError("local", `${source} cannot be read: ${fileReason(error)}`, { changed: "nothing" });
  });
  return utf8(bytes, source);
}
