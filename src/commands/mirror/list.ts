import { readMirrors } from "../../mirror/connect.ts";
import { MIRROR_COLUMNS } from "../../view/mirrors.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt mirror list`. */
export async function listMirrors(_: SharedInput, context: Context): Promise<void> {
  const rows = readMirrors(context.io, {}).map((one) => {
    if ("error" in one) return { name: one.name, state: one.error.message };
    const { name, facts, bugs } = one;
    return { name, ...facts, synced: facts.lastSync, bugs, state: facts.lastSync === null ? "incomplete" : "complete" };
  });
  await showListOrNone(context, { columns: chosenColumns(MIRROR_COLUMNS, context), pages: [rows] }, "no mirrors");
}
