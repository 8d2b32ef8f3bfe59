import type { Io } from "../io.ts";
import { plain } from "../view/text.ts";

/** Reports a sentence on stderr as one line, safe for a terminal. */
export async function note(io: Io, sentence: string): Promise<void> {
  await io.err(`note: ${plain(sentence)}\n`);
}
