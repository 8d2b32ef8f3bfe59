import { readSettings } from "../../config/settings.ts";
import { BtError } from "../../errors.ts";
import { readMirrors } from "../../mirror/connect.ts";
import { dropMirror, existingMirrorPath } from "../../mirror/files.ts";
import { MIRROR_COLUMNS } from "../../view/mirrors.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, showListOrNone } from "../shared/output/print.ts";
import { confirmTask } from "../shared/prompts.ts";
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

/** `bt mirror drop`: deletes the file of a mirror. */
export async function dropMirrorNamed(input: SharedInput & { readonly yes: boolean }, { io }: Context): Promise<void> {
  const [name = ""] = input.args;
  existingMirrorPath(name, io); // refuses an unknown name before any prompt
  const around = { io, settings: readSettings(io) };
  if (!input.yes && !(await confirmTask(`delete the mirror ${name}`, [], input, around)))
    throw new BtError("guard", "nothing deleted");
  await dropMirror(name, io);
}
