import { Interrupted, type Terminal } from "./prompter.ts";
import {
  type KeyChoice,
  type KeyPressQuestion,
  keyName,
  PromptCancelled,
  type PromptLook,
  withColon,
} from "./question.ts";

/** End of reading keys: with an answer, Ctrl-D or Ctrl-C. */
export type HowItEnded = "answered" | "cancelled" | "interrupted";

/** Reads keys without echo until `hear` tells their end. */
export function readKeys(
  prompt: string,
  { input, output, signal, jobControl }: Terminal,
  hear: (chunk: string) => { line: string; end: HowItEnded } | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      input.off("data", onData);
      signal.removeEventListener("abort", stop);
      input.setRawMode(false);
      output.write("\n");
      input.pause();
      settle();
    };
    const stop = () => end(() => reject(new PromptCancelled()));
    const show = () => {
      input.setRawMode(true); // before the prompt is visible, since a paste may follow at once
      output.write(prompt);
    };
    const onData = (chunk: Buffer) => {
      const typed = chunk.toString();
      if (jobControl && typed.includes(CTRL_Z)) {
        input.setRawMode(false);
        jobControl.onResume(show);
        return jobControl.stop();
      }
      const heard = hear(typed);
      if (heard?.end === "cancelled") return stop();
      if (heard) end(() => (heard.end === "interrupted" ? reject(new Interrupted()) : resolve(heard.line)));
    };
    signal.addEventListener("abort", stop, { once: true });
    show();
    input.on("data", onData);
    input.resume();
  });
}

const CTRL_Z = "\u001a";

/** Prompts for a single key by one line, below one of the first keys; `?` lists all. */
export async function promptKey(
  { message, choices }: KeyPressQuestion,
  { look, terminal }: { look: PromptLook; terminal: Terminal },
): Promise<string> {
  const columns = columnsOf(terminal.output);
  const asked = withColon(look.cut(message, columns - LAST_LINE_REST));
  const lastLine = `${look.paint.hint("?")} ${look.paint.title(asked)} `;
  const painted = (choice: KeyChoice) => `${look.paint.hint(keyName(choice))} ${look.paint.quiet(choice.name)}`;
  const prompt = `${keysOfLine(choices, columns).map(painted).join(KEY_GAP)}\n${lastLine}`;
  const showAll = () => terminal.output.write(`\n${choices.map(painted).join("\n")}\n${lastLine}`);
  const typedOf = pasteFilter();
  await dropTyped(terminal);
  const pressed = await readKeys(prompt, terminal, (chunk) => {
    const typed = typedOf(chunk);
    const heard = pressedKey(typed, choices, showAll);
    const [unknown] = heard ? "" : typed.replace(ESCAPES, "").replace(NO_LETTERS, "");
    const none = look.cut(`${asked}no key ${unknown}; ? lists all`, columns - LAST_LINE_REST).slice(asked.length);
    if (unknown !== undefined) terminal.output.write(`\r${lastLine}${look.paint.failed(none)}${ERASE_REST}`);
    else if (heard) terminal.output.write(`\r${lastLine}${ERASE_REST}`); // without an earlier reason
    return heard;
  });
  return choices.find(({ key }) => key === pressed)?.value ?? "";
}

/** Drops keys that were typed before: they were for something that the user has seen. */
async function dropTyped({ input }: Terminal): Promise<void> {
  input.setRawMode(true);
  input.on("data", ignoreKeys);
  input.resume();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve))); // between them, the terminal is read
  input.off("data", ignoreKeys);
  input.pause();
}

function ignoreKeys(): void {}

const ERASE_REST = "\u001b[K"; // of the line
const LAST_LINE_REST = "? : ".length + 1;

/** Begin and end of pasted text, if the terminal marks it. */
export const PASTE_BEGIN = "\u001b[200~";
export const PASTE_END = "\u001b[201~";

/** Leaves out what is pasted: it is text, and no keys. */
function pasteFilter(): (chunk: string) => string {
  let isPasted = false;
  return (chunk) => {
    const [first = "", ...others] = `${isPasted ? PASTE_BEGIN : ""}${chunk}`.split(PASTE_BEGIN);
    isPasted = others.length > 0 && !others.at(-1)?.includes(PASTE_END);
    return [first, ...others.map((part) => part.split(PASTE_END)[1] ?? "")].join("");
  };
}

/** The keys if they fit into one line, else the first ones, and the key that lists all. */
function keysOfLine(choices: readonly KeyChoice[], columns: number): readonly KeyChoice[] {
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

export function columnsOf(output: Terminal["output"]): number {
  return "columns" in output ? Number(output.columns) || WIDTH : WIDTH;
}

const WIDTH = 80;

/** The first key of a choice in what was typed, unless it is for the list; others, Esc, and arrow or function keys, are none. */
function pressedKey(chunk: string, choices: KeyPressQuestion["choices"], showAll: () => void) {
  for (const char of chunk.replace(ESCAPES, "")) {
    const key = char === "\r" || char === "\n" ? "" : char;
    const end = STOPS.get(key) ?? (choices.some((choice) => choice.key === key) ? "answered" : undefined);
    if (end) return { line: key, end };
    if (key === LIST_KEY) showAll();
  }
  return undefined;
}

/** Matches Esc, and the sequences of keys such as arrows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them
const ESCAPES = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|O[@-~])?/g;

/** Matches what no key of a choice is typed by: control characters, and the key of the list. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them
const NO_LETTERS = /[\u0000-\u0020\u007f?]/g;

const CTRL_C = "\u0003";

const STOPS: ReadonlyMap<string, HowItEnded> = new Map([
  [CTRL_C, "interrupted"],
  ["\u0004", "cancelled"], // Ctrl-D
]);
