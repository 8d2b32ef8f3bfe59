import {
  Interrupted,
  type KeyChoice,
  keyName,
  PromptCancelled,
  type PromptLook,
  type QuestionOf,
  type Terminal,
  withColon,
} from "./question.ts";

/** Prompts for a single key, below a line that shows the first keys; `?` lists all. */
export async function promptKey(
  { message, choices }: QuestionOf<"key">,
  { look, terminal }: { look: PromptLook; terminal: Terminal },
): Promise<string> {
  const { paint, cut } = look;
  const columns = terminalColumns(terminal.output);
  const write = (text: string) => terminal.output.write(text);
  const keyText = (choice: KeyChoice) => `${paint.hint(keyName(choice))} ${paint.quiet(choice.name)}`;
  const keysLine = fittingKeys(choices, columns).map(keyText).join(KEY_GAP);
  const line = `${paint.hint("?")} ${paint.title(withColon(cut(message, columns - LAST_LINE_REST)))} `;
  await dropTyped(terminal);
  return readKeys(`${keysLine}\n${line}`, terminal, (char) => {
    const key = char === "\r" || char === "\n" ? "" : char;
    const chosen = choices.find((choice) => choice.key === key);
    if (chosen || STOPS[key])
      write(`\r${line}${ERASE_REST}`); // without an earlier error
    else if (key === LIST_KEY) write(`\n${choices.map(keyText).join("\n")}\n${line}`);
    else if (key > " ") write(`\r${line}${paint.failed(`no key ${key}; ? lists all`)}${ERASE_REST}`);
    return chosen?.value ?? STOPS[key]?.();
  });
}

/** Reads keys without echo until `onKey` returns an answer, or an error to reject with. */
function readKeys(
  prompt: string,
  { input, output, signal, suspend }: Terminal,
  onKey: (char: string) => string | Error | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (answer: string | Error) => {
      input.off("data", onData);
      signal.removeEventListener("abort", stop);
      input.setRawMode(false);
      output.write("\n");
      input.pause();
      if (typeof answer === "string") resolve(answer);
      else reject(answer);
    };
    const stop = () => end(new PromptCancelled());
    const show = () => {
      input.setRawMode(true); // before the prompt is visible, since a paste may follow at once
      output.write(prompt);
    };
    let isInPaste = false;
    const onData = (chunk: Buffer) => {
      const received = chunk.toString();
      if (suspend && received.includes(CTRL_Z)) {
        input.setRawMode(false);
        return suspend(show);
      }
      const { typed, ...after } = splitPastes(received, isInPaste);
      isInPaste = after.isInPaste;
      for (const char of typed.replace(ESCAPES, "")) {
        const answer = onKey(char);
        if (answer !== undefined) return end(answer);
      }
    };
    signal.addEventListener("abort", stop, { once: true });
    show();
    input.on("data", onData);
    input.resume();
  });
}

const CTRL_Z = "\u001a";

/** Errors of Ctrl-C and Ctrl-D. */
const STOPS: Readonly<Record<string, () => Error>> = {
  "\u0003": () => new Interrupted(),
  "\u0004": () => new PromptCancelled(),
};

/** Drops keys that were typed before the prompt: they were meant for an earlier screen. */
async function dropTyped({ input }: Terminal): Promise<void> {
  input.setRawMode(true);
  input.resume(); // without a listener, what is read is dropped
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve))); // between them, the terminal is read
  input.pause();
}

const ERASE_REST = "\u001b[K"; // of the line
const LAST_LINE_REST = "? : ".length + 1; // columns around the message, and the cursor

/** Begin and end of pasted text, if the terminal marks it. */
export const PASTE_BEGIN = "\u001b[200~";
export const PASTE_END = "\u001b[201~";

/** The typed part of a chunk of keys, and if it ends in a paste; `isInPaste`: it begins in one. */
function splitPastes(chunk: string, isInPaste: boolean): { typed: string; isInPaste: boolean } {
  const [typed = "", ...pastes] = `${isInPaste ? PASTE_BEGIN : ""}${chunk}`.split(PASTE_BEGIN);
  const afterPastes = pastes.map((text) => text.split(PASTE_END)[1]);
  return {
    typed: [typed, ...afterPastes].join(""),
    isInPaste: pastes.length > 0 && afterPastes.at(-1) === undefined,
  };
}

/** The choices if they fit into one line, else the first ones and `?`. */
function fittingKeys(choices: readonly KeyChoice[], columns: number): readonly KeyChoice[] {
  const isFitting = (some: readonly KeyChoice[]) =>
    some.map((choice) => `${keyName(choice)} ${choice.name}`).join(KEY_GAP).length <= columns;
  if (isFitting(choices)) return choices;
  const shown = [...choices];
  while (shown.length > 0 && !isFitting([...shown, ALL_KEYS])) shown.pop();
  return [...shown, ALL_KEYS];
}

const LIST_KEY = "?";
const ALL_KEYS: KeyChoice = { key: LIST_KEY, value: "", name: "all keys" };
const KEY_GAP = "  ";

export function terminalColumns(output: Terminal["output"]): number {
  return ("columns" in output && Number(output.columns)) || 80;
}

/** Matches Esc, and the sequences of keys such as arrows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them
const ESCAPES = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|O[@-~])?/g;
