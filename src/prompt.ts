import { usage } from "./errors.ts";

/** A terminal as far as a question needs it; `interrupt` does what Ctrl-C does where the terminal itself does not. */
export type Terminal = {
  readonly input: Pick<NodeJS.ReadStream, "on" | "off" | "resume" | "pause" | "setRawMode" | "readableEnded">;
  readonly output: { readonly write: (text: string) => unknown };
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
};

/** How a question is asked. */
export type PromptOptions = { readonly hidden?: boolean | undefined };

/**
 * Asks a person one question and gives the line that was typed; Ctrl-D, after which nothing more comes, is no answer. What is typed to a hidden question does not show; the
 * terminal is put back as it was whatever ends the question.
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
      end(() => reject(usage("the question was not answered")));
    };
    const hear = (chunk: Buffer) => {
      const heard = hearKeys(typed.line, chunk.toString());
      typed.line = heard.line;
      if (heard.end === "interrupted") interrupt();
      if (heard.end === "answered") end(() => resolve(heard.line));
    };
    if (signal.aborted || input.readableEnded) return stop();
    signal.addEventListener("abort", stop, { once: true });
    if (hidden) input.setRawMode(true); // before the question is seen, which may be answered by a paste at once
    output.write(question);
    input.on("data", hear);
    input.on("end", stop);
    input.resume();
  });
}

type Heard = { readonly line: string; readonly end?: "answered" | "interrupted" };

/** Follows what was typed, key by key: a terminal in raw mode leaves even the rubbing out to the reader. */
function hearKeys(before: string, text: string): Heard {
  if (text.startsWith("\u001b")) return { line: before }; // an arrow or function key
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
