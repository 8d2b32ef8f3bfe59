import { statSync } from "node:fs";
import { BtError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { openMirrorNamed } from "../../mirror/connect.ts";
import { existingMirrorPath, filesOfMirror, listMirrorNames } from "../../mirror/mirror-files.ts";
import { MIRROR_COLUMNS, type MirrorRow } from "../../view/mirrors.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt mirror list`. */
export async function listMirrors(_: SharedInput, context: Context): Promise<void> {
  const rows = listMirrorNames(context.io).map((name) => readMirrorRow(name, context.io));
  await showListOrNone(context, { columns: chosenColumns(MIRROR_COLUMNS, context), pages: [rows] }, "no mirrors");
}

function readMirrorRow(name: string, io: Io): MirrorRow {
  const file = existingMirrorPath(name, io);
  const sizes = filesOfMirror(file).map((one) => statSync(one, { throwIfNoEntry: false })?.size ?? 0);
  const size = sizes.reduce((one, other) => one + other, 0);
  try {
    const opened = openMirrorNamed(name, io);
    const facts = opened.facts();
    const counts = opened.mirror.counts();
    const failed = opened.mirror.bugs({ state: "failed" }).map(({ id, reason = "" }) => ({ id, reason }));
    const oldest_read = opened.mirror.oldestRead();
    opened.close();
    return { name, file, size, facts, counts, failed, oldest_read };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { name, file, size, problem: error.facts.details?.join(" ") ?? error.message };
  }
}
