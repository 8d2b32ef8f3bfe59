import { existsSync } from "node:fs";
import { overwriteFile } from "../../config/files.ts";
import { withLock } from "../../config/lock.ts";
import { readSettings } from "../../config/settings.ts";
import { BtError, systemErrorCode } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { existingMirrorPath, filesOfMirror } from "../../mirror/mirror-files.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import type { MirrorDropInput } from "./flags.ts";

/** `bt mirror drop`: overwrites and deletes the file of a mirror. */
export async function dropMirror(input: MirrorDropInput, context: Context): Promise<void> {
  const { io } = context;
  const [name = ""] = input.args;
  existingMirrorPath(name, io); // refuses the name of no mirror before any prompt
  await confirmDrop(name, input, context);
  await dropNamedMirror(name, io);
}

/** Overwrites and deletes the file of a mirror, which no other process synchronizes meanwhile. */
export async function dropNamedMirror(name: string, io: Io): Promise<void> {
  const file = existingMirrorPath(name, io);
  const action = () => deleteMirror(file);
  await withLock({ file, about: `the mirror ${name}`, action }, io).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error; // to make space, no lock is needed: nobody can write there
    action();
  });
  await io.err(`dropped the mirror ${name}\n`);
}

function isDiskFull(error: unknown): boolean {
  return error instanceof BtError && systemErrorCode(error.facts.cause) === "ENOSPC";
}

async function confirmDrop(name: string, input: MirrorDropInput, { io }: Context): Promise<void> {
  if (input.yes) return;
  const sentence = `this would delete the mirror ${name}`;
  const confirm = confirmationPrompt(input, io, readSettings(io));
  if (!confirm) throw new BtError("guard", sentence, { hint: "--yes skips the prompt", changed: "nothing" });
  await io.err(`${sentence}\n`);
  if (!(await confirm("delete?"))) throw new BtError("guard", "nothing deleted", { changed: "nothing" });
}

/** Overwrites and deletes a database, and the files that SQLite has beside it while it is open. */
export function deleteMirror(file: string): void {
  for (const one of filesOfMirror(file)) {
    if (existsSync(one)) overwriteFile(one);
  }
}
