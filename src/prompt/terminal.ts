import { openSync } from "node:fs";
import { createInterface, emitKeypressEvents, type Interface } from "node:readline";
import { ReadStream } from "node:tty";
import { TERMINAL_FILE } from "../platform.ts";
import { dropKeys, type HowItEnded, readKeys } from "./keys.ts";
import { Interrupted, type Prompter, type Terminal } from "./prompter.ts";
import {
  BARE_LOOK,
  type ConfirmQuestion,
  cancelledError,
  type HiddenQuestion,
  type KeyPressQuestion,
  keyName,
  type LineQuestion,
  type MenuQuestion,
  matchingChoices,
  noMatchReason,
  onlyMatch,
  type PromptChoice,
  type PromptLook,
  type Question,
  type SearchQuestion,
  type WaitQuestion,
  withColon,
  yesNoLine,
  yesOrNo,
} from "./question.ts";

/** The terminal of the process, for answers where stdin is something else. */
export function controllingTerminal(): ReadStream {
  return new ReadStream(openSync(TERMINAL_FILE, "r"));
}

/**
 * Prompts and returns the answer. The terminal's mode is always restored.
 * @throws BtError if the input ended (Ctrl-D) or was interrupted
 */
export function promptOn(terminal: Terminal, question: Question, look: PromptLook = BARE_LOOK): Promise<string> {
  return question.kind === "wait" ? dropKeys(question, look, terminal) : askOn(terminal, question, look);
}

/** Asks until there is an answer, with the text typed so far. */
async function askOn(terminal: Terminal, question: Answered, look: PromptLook): Promise<string> {
  if (question.isRedrawn && !look.isPlain) terminal.output.write(textAbove(question, CLEAR, look));
  for (let asked = question; ; ) {
    const answer = await askOnce(terminal, asked, look);
    if (typeof answer === "string") return answer;
    asked = answer.question;
    terminal.output.write(textAbove(asked, answer.clear, look));
  }
}

/** A question to be asked again, on a screen that this sequence clears. */
type AskAgain = { question: Answered; clear: string };

async function askOnce(terminal: Terminal, question: Answered, look: PromptLook): Promise<string | AskAgain> {
  const { input, output, signal, interrupt, jobControl } = terminal;
  if (signal.aborted || input.readableEnded) throw cancelledError();
  const ended = new AbortController();
  const again = new AbortController();
  const end = () => ended.abort();
  const repeat = (clear: string) => again.abort(clear);
  const hear = controlKeys(question, { end, repeat }, terminal, look);
  const resize = () => question.above && repeat(CLEAR);
  let typed = "";
  const isTyped = question.kind === "line" || question.kind === "search";
  const leave = (text: string) => {
    typed = text;
    if (isTyped) question.leave?.(text);
  };
  const left: Answered = isTyped ? { ...question, leave } : question;
  const unmarkPastes = markPastes(question, look, output);
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface); // the first call for a terminal counts
  input.once("end", end);
  input.on("keypress", hear);
  output.on("resize", resize);
  input.pause(); // until the prompter reads
  try {
    const prompter = await prompterFor(look);
    const stops = AbortSignal.any([signal, ended.signal, again.signal]);
    return await prompter(left, look, { input, output, jobControl, signal: stops });
  } catch (error) {
    if (again.signal.aborted)
      return { question: isTyped ? { ...question, start: typed } : question, clear: again.signal.reason };
    if (!(error instanceof Interrupted)) throw error;
    if (!question.isInner) interrupt();
    throw cancelledError();
  } finally {
    input.off("end", end);
    input.off("keypress", hear);
    output.off("resize", resize);
    unmarkPastes();
  }
}

type Answered = Exclude<Question, WaitQuestion>;

/** The text above a question; where the screen is redrawn, after the sequence that clears it. */
function textAbove({ above }: Question, clear: string, { isPlain }: PromptLook): string {
  return `${isPlain ? "" : clear}${above?.() ?? ""}`;
}

/** Listener for the keys that all questions have, and for Esc. */
function controlKeys(
  { hasBack, above }: Question,
  { end, repeat }: { end: () => void; repeat: (clear: string) => void },
  { output, jobControl }: Terminal,
  { isPlain }: PromptLook,
): (text: unknown, key?: { ctrl?: boolean; name?: string }) => void {
  return (_, key) => {
    const name = key?.ctrl ? `ctrl ${key.name}` : key?.name;
    if (name === "ctrl d" || (hasBack && name === "escape")) end();
    if (above && name === "ctrl l") repeat(CLEAR);
    if (name !== "ctrl z") return;
    if (!isPlain) output.write(ERASE_BELOW); // where the shell will write
    jobControl?.onResume(() => setImmediate(repeat, "")); // after readline's own
  };
}

const ERASE_BELOW = "\u001b[J";
const CLEAR = `\u001b[H${ERASE_BELOW}`;
const ESCAPE_MS = 50; // within which the rest of a key follows its Esc

/**
 * Has the terminal mark where pasted text begins and ends, until the returned function is called.
 * @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */
function markPastes({ kind }: Question, { isPlain }: PromptLook, output: Terminal["output"]): () => void {
  if (isPlain || !["line", "key"].includes(kind)) return () => undefined;
  output.write("\u001b[?2004h");
  return () => output.write("\u001b[?2004l");
}

async function prompterFor({ isPlain }: PromptLook): Promise<Prompter> {
  return isPlain ? promptPlainly : (await import("./rich.ts")).promptRichly;
}

/** Lines as they are read and written; a hidden one is not echoed. */
export type Lines = {
  readonly read: (prompt: string, how?: { readonly hidden: boolean }) => Promise<string>;
  readonly write: (text: string) => unknown;
};

/** Prompts line by line, without redrawing; choices are numbered. For screen readers and dumb terminals. */
const promptPlainly: Prompter = (question, _, terminal) => {
  const { output } = terminal;
  return answerByLines(question, {
    read: (prompt, how) => (how?.hidden ? readHidden : readLine)(prompt, terminal),
    write: (text) => output.write(text),
  });
};

export function answerByLines(question: Question, lines: Lines): Promise<string> {
  const kind = PROMPT_BY_KIND[question.kind] as (question: Question, lines: Lines) => Promise<string>;
  return kind(question, lines);
}

const PROMPT_BY_KIND = {
  line: promptLine,
  hidden: promptHidden,
  confirm: promptYesNo,
  menu: promptMenu,
  search: promptSearch,
  key: promptKeyByLine,
  wait: promptToWait,
} as const;

async function promptLine({ message, start, check }: LineQuestion, lines: Lines): Promise<string> {
  const label = withColon(start === undefined ? message : `${message} [${start}]`);
  for (;;) {
    const typed = (await lines.read(`${label} `)) || (start ?? "");
    const wrong = check?.(typed);
    if (wrong === undefined) return typed;
    lines.write(`${wrong}\n`);
  }
}

function promptHidden({ message }: HiddenQuestion, lines: Lines): Promise<string> {
  return lines.read(`${withColon(message)} `, { hidden: true });
}

async function promptYesNo(question: ConfirmQuestion, lines: Lines): Promise<string> {
  return yesOrNo(await promptLine(yesNoLine(question), lines));
}

function promptMenu({ message, choices }: MenuQuestion, lines: Lines): Promise<string> {
  return promptSearch({ kind: "search", message, find: async (term) => matchingChoices(choices, term) }, lines);
}

async function promptSearch(question: SearchQuestion, lines: Lines): Promise<string> {
  const { message, find, check, nearest, isOfNumbers = false } = question;
  const { signal } = new AbortController();
  const { listOf, numbered } = isOfNumbers ? BARE : NUMBERED;
  let listed = await find("", signal);
  lines.write(listOf(message, listed));
  for (;;) {
    const typed = (await lines.read(`${withColon(message)} `)).trim();
    const matches = typed === "" ? listed : await find(typed, signal);
    const chosen = choiceFor(typed, matches, numbered(listed));
    const wrong = chosen && (await check?.(chosen.value));
    if (chosen !== undefined && wrong === undefined) {
      lines.write(`${withColon(message)} ${chosen.name}\n`);
      return chosen.value;
    }
    if (wrong !== undefined) lines.write(`${wrong}\n`);
    else if (matches.length > 0) listed = matches;
    else lines.write(`${noMatchReason(typed, await nearest?.(typed))}\n`);
    lines.write(listOf(message, listed));
  }
}

/** A key, or the name of its action, and Enter; anything else lists them. A question, which has few, has them beside it. */
async function promptKeyByLine({ message, choices }: KeyPressQuestion, lines: Lines): Promise<string> {
  const few = choices.map((choice) => `${keyName(choice)} ${choice.name}`).join(", ");
  const asked = message.endsWith("?") ? `${message} ${few}: ` : `${message}, ? lists the keys: `;
  for (;;) {
    const typed = (await lines.read(asked)).trim();
    const chosen = choices.find((choice) => choice.key === typed) ?? choices.find(({ name }) => name === typed);
    if (chosen !== undefined) return chosen.value;
    lines.write(choices.map((choice) => `  ${keyName(choice)}  ${choice.name}\n`).join(""));
  }
}

async function promptToWait({ until }: WaitQuestion): Promise<string> {
  await until.catch(() => undefined); // the error is another's
  return "";
}

type Choices = readonly PromptChoice[];

/** Names take precedence over the numbers of the list, since names may be numbers (versions are). */
function choiceFor(typed: string, matches: Choices, listed: Choices): PromptChoice | undefined {
  if (typed === "") return undefined;
  const equal = matches.find(({ name, value }) => name === typed || value === typed);
  const numbered = /^\d+$/.test(typed) ? listed.slice(0, MAX_LISTED)[Number(typed) - 1] : undefined;
  return equal ?? numbered ?? onlyMatch(matches, typed);
}

const MAX_LISTED = 20;

/** A list, and the choices that can be named by their place in it. */
type ListStyle = {
  listOf: (message: string, found: Choices) => string;
  numbered: (found: Choices) => Choices;
};

const BARE: ListStyle = { listOf: unnumberedList, numbered: () => [] };
const NUMBERED: ListStyle = { listOf: numberedList, numbered: (found) => found };

function unnumberedList(_: string, found: Choices): string {
  return found
    .slice(0, MAX_LISTED)
    .map((choice) => `  ${choiceText(choice)}\n`)
    .join("");
}

function choiceText({ name, about }: PromptChoice): string {
  return about === undefined ? name : `${name} - ${about}`;
}

function numberedList(message: string, found: Choices): string {
  const rows = found.slice(0, MAX_LISTED).map((choice, at) => `  ${at + 1}  ${choiceText(choice)}\n`);
  const rest = found.length - rows.length;
  const more = rest > 0 ? `  ${rest} more: type a part of the name\n` : "";
  return `${message}, by number or name:\n${rows.join("")}${more}`;
}

/** One line, which the terminal echoes and edits. */
function readLine(prompt: string, { input, output, signal }: Omit<Terminal, "interrupt">): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createInterface({ input, terminal: false, historySize: 0 });
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", stop);
      reader.off("close", stop);
      reader.close();
      settle();
    };
    const stop = () => {
      output.write("\n");
      end(() => reject(cancelledError()));
    };
    reader.once("line", (text) => end(() => resolve(text)));
    reader.on("close", stop); // Ctrl-D
    signal.addEventListener("abort", stop, { once: true });
    output.write(prompt);
  });
}

/** One line without echo, key by key: readline edits none on a dumb terminal. */
function readHidden(prompt: string, terminal: Omit<Terminal, "interrupt">): Promise<string> {
  let line = "";
  return readKeys(prompt, terminal, (chunk) => {
    const heard = lineAfterKeys(line, chunk);
    line = heard.line;
    return heard.end && { ...heard, end: heard.end };
  });
}

/** The line typed so far, and how it ended. */
type Heard = { line: string; end?: HowItEnded };

function lineAfterKeys(before: string, text: string): Heard {
  if (text.startsWith("\u001b")) return { line: before }; // arrow or function key
  let line = before;
  for (const key of text) {
    const end = ENDS.get(key);
    if (end !== undefined) return { line, end };
    line = lineAfterKey(line, key);
  }
  return { line };
}

const ENDS: ReadonlyMap<string, HowItEnded> = new Map([
  ["\r", "answered"],
  ["\n", "answered"],
  ["\u0003", "interrupted"], // Ctrl-C
  ["\u0004", "cancelled"], // Ctrl-D
]);

function lineAfterKey(line: string, key: string): string {
  if (key === "\u007f" || key === "\b") return [...line].slice(0, -1).join("");
  if (key === "\u0015") return ""; // Ctrl-U
  return line + key;
}
