import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Context } from "../../verb.ts";

/** Deletes the files of texts that were sent. */
export function deleteSavedTexts({ savedTexts }: Context): void {
  for (const { file } of savedTexts.splice(0)) rmSync(dirname(file), { recursive: true, force: true });
}
