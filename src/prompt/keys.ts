import { Interrupted, type Terminal } from "./prompter.ts";
import {
  cancelledError,
  type KeyChoice,
  type KeyPressQuestion,
  keyName,
  type PromptLook,
  type WaitQuestion,
  withColon,
} from "./question.ts";

/** End of reading keys: with an answer, Ctrl-D or Ctrl-C. */
export type HowItEnded = "answered" | "cancelled" | "interrupted";

/** An answer in keys; `rest` was typed behind it. */
type KeysHeard = { line: string; end: HowItEnded; rest?: string };

/** Reads keys without echo until `hear` tells their end. */
export function readKeys(
  prompt: string,
  { input, output, signal, jobControl }: Omit<Terminal, "interrupt">,
  hear: (chunk: string) => KeysHeard | undefined,
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
    const stop = () => end(() => reject(cancelledError()));
    const onData = (chunk: Buffer) => {
      const typed = chunk.toString();
      if (jobControl && typed.includes(CTRL_Z)) {
        input.setRawMode(false);
        return jobControl.stop();
      }
      const heard = hear(typed);
      if (heard === undefined) return;
      if (heard.end === "cancelled") return stop();
      end(() => (heard.end === "interrupted" ? reject(new Interrupted()) : resolve(heard.line)));
      if (heard.rest) input.unshift(Buffer.from(heard.rest));
    };
    signal.addEventListener("abort", stop, { once: true });
    input.setRawMode(true); // before the prompt is visible, since a paste may follow at once
    output.write(prompt);
    input.on("data", onData);
    input.resume();
  });
}

const CTRL_Z = "\u001a";

/** Reads keys without echo until a promise settles, and leaves them for the next prompt. Ctrl-C interrupts at once. */
export async function holdKeys({ until }: WaitQuestion, { input, interrupt, jobControl }: Terminal): Promise<string> {
  const held: Buffer[] = [];
  const onData = (chunk: Buffer) => {
    if (chunk.includes(CTRL_C)) return interrupt();
    if (!jobControl || !chunk.includes(CTRL_Z)) return held.push(chunk);
    jobControl.onResume(() => setImmediate(() => input.listeners("data").includes(onData) && input.setRawMode(true)));
    input.setRawMode(false);
    return jobControl.stop();
  };
  input.setRawMode(true);
  input.on("data", onData);
  input.resume();
  await until.catch(() => undefined); // the error is another's
  input.off("data", onData);
  input.pause();
  input.setRawMode(false);
  if (held.length > 0) input.unshift(Buffer.concat(held));
  return "";
}

/** Prompts for a single key, below a list of the keys. */
export async function promptKey(
  { message, choices }: KeyPressQuestion,
  look: PromptLook,
  terminal: Omit<Terminal, "interrupt">,
): Promise<string> {
  const columns = columnsOf(terminal.output);
  const lastLine = `${look.paint.hint("?")} ${look.paint.title(withColon(message))} `;
  const lines = fitLines(choices, columns).map((line) =>
    line.map((choice) => `${look.paint.hint(keyName(choice))} ${look.paint.quiet(choice.name)}`).join("  "),
  );
  const prompt = `${lines.join("\n")}\n${lastLine}`;
  const showAll = () => terminal.output.write(`\n${prompt}`);
  const typedOf = pasteFilter();
  const pressed = await readKeys(prompt, terminal, (chunk) => {
    const typed = typedOf(chunk);
    const heard = pressedKey(typed, choices, showAll);
    const [unknown] = heard ? "" : typed.replace(ESCAPES, "").replace(NO_LETTERS, "");
    const reason = look.cut(`no key ${unknown}; ? lists all`, columns - message.length - LAST_LINE_REST);
    if (unknown !== undefined) terminal.output.write(`\r${lastLine}${look.paint.failed(reason)}${ERASE_REST}`);
    else if (heard) terminal.output.write(`\r${lastLine}${ERASE_REST}`); // without an earlier reason
    return heard;
  });
  return choices.find(({ key }) => key === pressed)?.value ?? "";
}

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

/** Number of lines that the list of the keys takes. */
export function keyLineCount(choices: readonly KeyChoice[], columns: number): number {
  return fitLines(choices, columns).length;
}

/** Width of a terminal. */
export function columnsOf(output: Terminal["output"]): number {
  return "columns" in output ? Number(output.columns) || WIDTH : WIDTH;
}

const WIDTH = 80;

const LIST_KEY = "?";

/** The keys in lines that fit into the terminal. */
function fitLines(choices: readonly KeyChoice[], columns: number): KeyChoice[][] {
  const lines: KeyChoice[][] = [[]];
  let used = 0;
  for (const choice of choices) {
    const taken = keyName(choice).length + choice.name.length + 3;
    if (used > 0 && used + taken > columns) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(choice);
    used += taken;
  }
  return lines;
}

/** The first key of a choice in what was typed, unless it is for the list; others, Esc, and arrow or function keys, are none. */
function pressedKey(chunk: string, choices: KeyPressQuestion["choices"], showAll: () => void): KeysHeard | undefined {
  const chars = [...chunk.replace(ESCAPES, "")];
  if (chars[0] === LIST_KEY) {
    showAll();
    return pressedKey(chars.slice(1).join(""), choices, showAll);
  }
  const keys = chars.map((char) => (char === "\r" || char === "\n" ? "" : char));
  const at = keys.findIndex((typed) => STOPS.has(typed) || choices.some((choice) => choice.key === typed));
  const key = keys[at];
  if (key === undefined) return undefined;
  return { line: key, end: STOPS.get(key) ?? "answered", rest: chars.slice(at + 1).join("") };
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
