import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { TerminalFile } from "../platform.ts";
import { promptPlainly } from "./plain.ts";
import { Interrupted, type Prompter, type Terminal } from "./prompter.ts";
import { BARE_LOOK, cancelled, type PromptLook, type Question } from "./question.ts";

/** The terminal of the process, for answers where stdin is something else. */
export function controllingTerminal({ path, flags }: TerminalFile): ReadStream {
  return new ReadStream(openSync(path, flags));
}

/**
 * Prompts and returns the answer. The terminal's mode is always restored.
 * @throws BtError if the input ended (Ctrl-D) or was interrupted
 */
export async function promptOn(terminal: Terminal, question: Question, look: PromptLook = BARE_LOOK): Promise<string> {
  const { input, output, signal, interrupt } = terminal;
  if (signal.aborted || input.readableEnded) throw cancelled();
  const ended = new AbortController();
  const end = () => ended.abort();
  const hear = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl && key.name === "d") end();
    if (question.hasBack && key?.name === "escape") end();
  };
  input.once("end", end);
  input.on("keypress", hear);
  try {
    const prompter = await prompterFor(look);
    return await prompter(question, look, { input, output, signal: AbortSignal.any([signal, ended.signal]) });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    interrupt();
    throw cancelled();
  } finally {
    input.off("end", end);
    input.off("keypress", hear);
  }
}

async function prompterFor({ isPlain }: PromptLook): Promise<Prompter> {
  return isPlain ? promptPlainly : (await import("./rich.ts")).promptRichly;
}
