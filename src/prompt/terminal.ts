import { openSync } from "node:fs";
import { createInterface, emitKeypressEvents, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { ReadStream } from "node:tty";
import { TERMINAL_FILE } from "../platform.ts";
import {
  BARE_LOOK,
  confirmLine,
  Interrupted,
  keyName,
  matchingChoices,
  onlyMatch,
  PromptCancelled,
  type PromptChoice,
  type PromptLook,
  type Question,
  type QuestionOf,
  type Terminal,
  withColon,
  yesOrNo,
} from "./question.ts";

/** The terminal of the process, for answers where stdin is something else. */
export function openControllingTerminal(): ReadStream {
  return new ReadStream(openSync(TERMINAL_FILE, "r"));
}

/**
 * Prompts and returns the answer; `interrupt` acts like Ctrl-C where the terminal itself does not.
 * The terminal's mode is always restored.
 * @throws BtError if the input ended (Ctrl-D) or was interrupted
 */
export async function promptOn(
  { interrupt, ...terminal }: Terminal & { interrupt: () => void },
  question: Question,
  look: PromptLook = BARE_LOOK,
): Promise<string> {
  const { input, output, signal } = terminal;
  if (signal.aborted || input.readableEnded) throw new PromptCancelled();
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort();
  const onKeypress = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
    const isCtrlD = key?.ctrl && key.name === "d";
    const isBack = question.hasBack && key?.name === "escape";
    if (isCtrlD || isBack) cancel();
  };
  const marksPastes = !look.isPlain && ["line", "key"].includes(question.kind);
  if (marksPastes) output.write(MARK_PASTES);
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface); // the first call for a terminal counts
  input.once("end", cancel);
  input.on("keypress", onKeypress);
  const cancellable = { ...terminal, signal: AbortSignal.any([signal, cancellation.signal]) };
  try {
    if (!look.isPlain) return await (await import("./rich.ts")).promptRichly(question, look, cancellable);
    return await promptByLines(question, {
      read: (prompt, isHidden = false) => readLine(prompt, cancellable, isHidden),
      write: (text) => output.write(text),
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (!question.isInner) interrupt();
    throw new PromptCancelled();
  } finally {
    input.off("end", cancel);
    input.off("keypress", onKeypress);
    if (marksPastes) output.write(UNMARK_PASTES);
  }
}

const ESCAPE_MS = 50; // within which the rest of a key follows its Esc

/** Have the terminal mark where pasted text begins and ends. @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html */
const MARK_PASTES = "\u001b[?2004h";
const UNMARK_PASTES = "\u001b[?2004l";

/** Reads and writes lines; a hidden one is not echoed. */
export type Lines = {
  readonly read: (prompt: string, isHidden?: boolean) => Promise<string>;
  readonly write: (text: string) => unknown;
};

/** Prompts line by line, without redrawing; choices are numbered. For dumb terminals, and tests. */
export async function promptByLines(question: Question, lines: Lines): Promise<string> {
  const { message } = question;
  switch (question.kind) {
    case "line":
      return promptLine(question, lines);
    case "hidden":
      return lines.read(`${withColon(message)} `, true);
    case "confirm":
      return yesOrNo(await promptLine(confirmLine(question), lines));
    case "menu": {
      const find = (term: string) => matchingChoices(question.choices, term);
      return promptSearch({ kind: "search", message, find }, lines);
    }
    case "search":
      return promptSearch(question, lines);
    case "key":
      return promptKeyByLine(question, lines);
  }
}

async function promptLine({ message, start, check }: QuestionOf<"line">, lines: Lines): Promise<string> {
  const label = withColon(start === undefined ? message : `${message} [${start}]`);
  for (;;) {
    const typed = (await lines.read(`${label} `)) || (start ?? "");
    const wrong = check?.(typed);
    if (wrong === undefined) return typed;
    lines.write(`${wrong}\n`);
  }
}

/**
 * Reads texts until one is a choice. A number is that of a row in the list shown last, unless the
 * choices are numbers themselves.
 */
async function promptSearch(question: QuestionOf<"search">, lines: Lines): Promise<string> {
  const { message, find, isOfNumbers = false } = question;
  let listed = find("");
  lines.write(listText(message, listed, isOfNumbers));
  for (;;) {
    const typed = (await lines.read(`${withColon(message)} `)).trim();
    const matches = typed === "" ? listed : find(typed);
    const chosen = findChoice(typed, matches, isOfNumbers ? [] : listed);
    if (chosen !== undefined) {
      lines.write(`${withColon(message)} ${chosen.name}\n`);
      return chosen.value;
    }
    if (matches.length > 0) listed = matches;
    else lines.write(`no match for ${JSON.stringify(typed)}\n`);
    lines.write(listText(message, listed, isOfNumbers));
  }
}

/** A key, or the name of its action, and Enter; anything else lists the keys. */
async function promptKeyByLine({ message, choices }: QuestionOf<"key">, lines: Lines): Promise<string> {
  const keys = choices.map((choice) => `${keyName(choice)} ${choice.name}`).join(", ");
  const prompt = message.endsWith("?") ? `${message} ${keys}: ` : `${message}, ? lists the keys: `;
  for (;;) {
    const typed = (await lines.read(prompt)).trim();
    const chosen = choices.find(({ key, name }) => key === typed || name === typed);
    if (chosen !== undefined) return chosen.value;
    lines.write(choices.map((choice) => `  ${keyName(choice)}  ${choice.name}\n`).join(""));
  }
}

type Choices = readonly PromptChoice[];

/** The choice by name, number or part of the name; names come first, since versions are numbers. */
function findChoice(typed: string, matches: Choices, listed: Choices): PromptChoice | undefined {
  if (typed === "") return undefined;
  const equal = matches.find(({ name, value }) => name === typed || value === typed);
  const numbered = /^\d+$/.test(typed) ? listed.slice(0, MAX_LISTED)[Number(typed) - 1] : undefined;
  return equal ?? numbered ?? onlyMatch(matches, typed);
}

const MAX_LISTED = 20;

/** The first choices as a list with numbers, without them if the choices are numbers themselves. */
function listText(message: string, choices: Choices, isOfNumbers: boolean): string {
  const rows = choices.slice(0, MAX_LISTED).map(({ name, about }, at) => {
    const number = isOfNumbers ? "" : `${at + 1}  `;
    return `  ${number}${name}${about === undefined ? "" : ` - ${about}`}\n`;
  });
  if (isOfNumbers) return rows.join("");
  const rest = choices.length - rows.length;
  const more = rest > 0 ? `  ${rest} more: type a part of the name\n` : "";
  return `${message}, by number or name:\n${rows.join("")}${more}`;
}

/** Reads a line, which the terminal echoes and edits unless it is hidden. */
function readLine(prompt: string, { input, output, signal }: Terminal, isHidden: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const silent = new Writable({ write: (_text, _encoding, done) => done() });
    const reader = createInterface({ input, historySize: 0, terminal: isHidden, ...(isHidden && { output: silent }) });
    const end = (settle: () => void, isBreakEchoed = false) => {
      signal.removeEventListener("abort", stop);
      reader.off("close", stop);
      reader.close();
      if (!isBreakEchoed) output.write("\n");
      settle();
    };
    const stop = () => end(() => reject(new PromptCancelled()));
    reader.once("line", (text) => end(() => resolve(text), !isHidden));
    reader.on("close", stop); // Ctrl-D
    reader.on("SIGINT", () => end(() => reject(new Interrupted()))); // Ctrl-C, which is a key while the line is hidden
    signal.addEventListener("abort", stop, { once: true });
    output.write(prompt);
  });
}
