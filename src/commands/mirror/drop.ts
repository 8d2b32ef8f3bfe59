import { readSettings } from "../../config/settings.ts";
import { BtError } from "../../errors.ts";
import { dropMirror, existingMirrorPath } from "../../mirror/files.ts";
import type { SharedInput } from "../input.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/** `bt mirror drop`: deletes the file of a mirror. */
export async function dropMirrorNamed(
  input: SharedInput & { readonly yes?: boolean | undefined },
  { io }: Context,
): Promise<void> {
  const [name = ""] = input.args;
  existingMirrorPath(name, io); // refuses the name of no mirror before any prompt
  const confirm = input.yes ? undefined : confirmationPrompt(input, io, readSettings(io));
  const sentence = `this would delete the mirror ${name}`;
  if (!input.yes && !confirm)
    throw new BtError("guard", sentence, { hint: "--yes skips the prompt", changed: "nothing" });
  if (confirm && !(await confirm(`${sentence}; delete it?`)))
    throw new BtError("guard", "nothing deleted", { changed: "nothing" });
  await dropMirror(name, io);
}
