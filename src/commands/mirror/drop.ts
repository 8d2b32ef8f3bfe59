import { readSettings } from "../../config/settings.ts";
import { BtError } from "../../errors.ts";
import { dropNamedMirror, existingMirrorPath } from "../../mirror/mirror-files.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import type { MirrorDropInput } from "./flags.ts";

/** `bt mirror drop`: overwrites and deletes the file of a mirror. */
export async function dropMirror(input: MirrorDropInput, context: Context): Promise<void> {
  const { io } = context;
  const [name = ""] = input.args;
  existingMirrorPath(name, io); // refuses the name of no mirror before any prompt
  await confirmMirrorDrop(name, input, context);
  await dropNamedMirror(name, io);
}

async function confirmMirrorDrop(name: string, input: MirrorDropInput, { io }: Context): Promise<void> {
  if (input.yes) return;
  const sentence = `this would delete the mirror ${name}`;
  const confirm = confirmationPrompt(input, io, readSettings(io));
  if (!confirm) throw new BtError("guard", sentence, { hint: "--yes skips the prompt", changed: "nothing" });
  await io.err(`${sentence}\n`);
  if (!(await confirm("delete?"))) throw new BtError("guard", "nothing deleted", { changed: "nothing" });
}
