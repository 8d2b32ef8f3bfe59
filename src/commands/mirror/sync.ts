import { existingMirror } from "../../config/mirror-files.ts";
import { usage } from "../../errors.ts";
import { openMirrorNamed } from "../../session/mirror/mirror.ts";
import type { Context, Input } from "../verb.ts";
import { type MirrorToSync, paceOf, runSync } from "./run-sync.ts";

/** `bt mirror sync`: reads what changed. */
export async function syncMirrorFile(input: Input, context: Context): Promise<void> {
  const pace = paceOf(input);
  await withMirror(input, context, (mirror) => runSync(mirror, { pace }, context));
}

/** `bt mirror verify`: compares all ids and times, or reads all bugs again. */
export async function verifyMirrorFile(input: Input, context: Context): Promise<void> {
  const pace = paceOf(input);
  const check = input.flags["all"] ? "all" : "ids";
  await withMirror(input, context, (mirror) => runSync(mirror, { pace, check }, context));
}

/** @throws BtError of kind usage if the mirror is of another tracker than the session's */
async function withMirror(
  { args: [name = ""], flags }: Input,
  { io, session }: Context,
  use: (mirror: MirrorToSync) => Promise<void>,
): Promise<void> {
  const file = existingMirror(name, io);
  const opened = openMirrorNamed(name, io, { insecureFiles: flags["insecure-files"] === true });
  try {
    const { tracker } = opened.facts();
    if (tracker !== session.address)
      throw usage(`the mirror ${name} is of ${tracker}, not of ${session.address}`, `use --base-url ${tracker}`);
    await use({ name, file, opened });
  } finally {
    opened.close();
  }
}
