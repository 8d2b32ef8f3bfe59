import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Context } from "../../verb.ts";

/** Deletes the files with texts that were used. */
export function discardDrafts({ drafts }: Context): void {
  for (const { file } of drafts.splice(0)) rmSync(dirname(file), { recursive: true, force: true });
}
