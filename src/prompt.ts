import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import { usage } from "./errors.ts";
import type { TerminalFile } from "./platform.ts";

/** The parts of a terminal that a prompt needs; `interrupt` acts like Ctrl-C where the terminal itself does not. */
export type Terminal = {
  readonly input: Pick<NodeJS.ReadStream, "on" | "off" | "resume" | "pause" | "setRawMode" | "readableEnded">;
  readonly output: { readonly write: (text: string) => unknown };
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
};

/** Options of a prompt; `control` reads the answer from the terminal of the process in place of stdin. */
export type PromptOptions = { readonly hidden?: boolean | undefined; readonly control?: boolean | undefined };

/** The terminal of the process, for answers where stdin is something else. */
export function controllingTerminal({ path, flags }: TerminalFile): ReadStream {
  return new ReadStream(openSync(path, flags));
}

/**
 * Prompts the user and returns the typed line. Hidden input is not echoed; the terminal's mode is always restored.
 * @throws BtError if the input ended (Ctrl-D) or was interrupted
 */
export function promptOn(
  terminal: Terminal,
  question: string,
  { hidden = false }: PromptOptions = {},
): Promise<string> {
  const { input, output, signal, interrupt } = terminal;
  return new Promise((resolve, reject) => {
    const typed = { line: "" };
    const end = (settle: () => void) => {
      input.off("data", hear);
      input.off("end", stop);
      signal.removeEventListener("abort", stop);
      if (hidden) input.setRawMode(false);
      if (hidden) output.write("\n");
      input.pause();
      settle();
    };
    const stop = () => {
      if (!hidden) output.write("\n");
      end(() => reject(usage("prompt cancelled")));
    };
    const hear = (chunk: Buffer) => {
      const heard = hearKeys(typed.line, chunk.toString());
      typed.line = heard.line;
      if (heard.end === "interrupted") interrupt();
      if (heard.end === "answered") end(() => resolve(heard.line));
    };
    if (signal.aborted || input.readableEnded) return stop();
    signal.addEventListener("abort", stop, { once: true });
    if (hidden) input.setRawMode(true); // before the prompt is visible, since a paste may follow at once
    output.write(question);
    input.on("data", hear);
    input.on("end", stop);
    input.resume();
  });
}

/** The line typed so far, and how it ended. */
type Heard = { readonly line: string; readonly end?: "answered" | "interrupted" };

/** Interprets input key by key: a terminal in raw mode leaves line editing to the program. */
function hearKeys(before: string, text: string): Heard {
  if (text.startsWith("\u001b")) return { line: before }; // arrow or function key
  let line = before;
  for (const key of text) {
    const end = ENDS.get(key);
    if (end !== undefined) return { line, end };
    line = edited(line, key);
  }
  return { line };
}

const ENDS: ReadonlyMap<string, "answered" | "interrupted"> = new Map([
  ["\r", "answered"],
  ["\n", "answered"],
  ["\u0004", "answered"], // Ctrl-D
  ["\u0003", "interrupted"], // Ctrl-C
]);

function edited(line: string, key: string): string {
  if (key === "\u007f" || key === "\b") return [...line].slice(0, -1).join("");
  if (key === "\u0015") return ""; // Ctrl-U
  return line + key;
}
