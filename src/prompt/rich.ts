import input from "@inquirer/input";
import password from "@inquirer/password";
import search from "@inquirer/search";
import select from "@inquirer/select";
import { PASTE_BEGIN, PASTE_END, promptKey, terminalColumns } from "./keys.ts";
import {
  confirmLine,
  Interrupted,
  PromptCancelled,
  type PromptChoice,
  type PromptLook,
  type Question,
  type QuestionOf,
  type Terminal,
  withColon,
  yesOrNo,
} from "./question.ts";

/** Prompts with line editing and lists that are redrawn while the user types. */
export async function promptRichly(question: Question, look: PromptLook, terminal: Terminal): Promise<string> {
  try {
    return await promptOfKind(question, { look, terminal, theme: promptTheme(look, question) });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "ExitPromptError") throw new Interrupted();
    throw name === "AbortPromptError" ? new PromptCancelled() : error;
  }
}

type Setting = {
  readonly look: PromptLook;
  readonly terminal: Terminal;
  readonly theme: ReturnType<typeof promptTheme>;
};

async function promptOfKind(question: Question, setting: Setting): Promise<string> {
  const { terminal, theme } = setting;
  const message = withColon(question.message);
  switch (question.kind) {
    case "line":
      return promptLine(question, setting);
    case "hidden":
      return password({ message, theme }, terminal);
    case "confirm":
      return yesOrNo(await promptLine(confirmLine(question), setting));
    case "menu": {
      const choices = question.choices.map((choice) => pickerRow(choice, setting));
      return select({ message, choices, pageSize: LIST_LINES, loop: false, theme }, terminal);
    }
    case "search":
      return promptSearch(question, setting);
    case "key":
      return promptKey(question, setting);
  }
}

const LIST_LINES = 8; // of a list that is scrolled

async function promptLine(question: QuestionOf<"line">, { terminal, theme, look }: Setting): Promise<string> {
  const { message, start, check, leave, isLong, isBrief } = question;
  const restoreBreaks = (text: string) => text.replace(BREAKS, isLong ? "\n" : " ");
  const filled = start === undefined ? {} : { default: start.replaceAll("\n", LF_MARK), prefill: "editable" as const };
  const lineTheme = { ...theme, validationFailureMode: isBrief ? "clear" : "keep" } as const;
  let typed = "";
  const validate = (text: string) => check?.(restoreBreaks(text)) ?? true;
  const transformer = (text: string) => {
    typed = text;
    return text.replace(BREAKS, look.isAscii ? "|" : "␊");
  };
  let isInPaste = false;
  const markBreaks = (chunk: Buffer) => {
    isInPaste = markPastedBreaks(chunk, isInPaste);
  };
  terminal.input.prependListener("data", markBreaks);
  try {
    const config = { message: withColon(message), validate, transformer, theme: lineTheme, ...filled };
    return restoreBreaks(await input(config, terminal));
  } catch (error) {
    leave?.(restoreBreaks(typed));
    throw error;
  } finally {
    terminal.input.off("data", markBreaks);
  }
}

/** Marks for line breaks of pasted text, which would end the line: one byte that no key sends. */
const CR_MARK = "\u001c";
const LF_MARK = "\u001d";
const BREAKS = new RegExp(`${CR_MARK}${LF_MARK}?|${LF_MARK}`, "g");

/** Replaces line breaks of pasted text by their marks, in place; returns if a paste goes on. */
function markPastedBreaks(chunk: Buffer, wasInPaste: boolean): boolean {
  let isInPaste = wasInPaste;
  for (let at = 0; at < chunk.length; at += 1) {
    const rest = chunk.subarray(at, at + PASTE_BEGIN.length).toString("latin1");
    if (rest === PASTE_BEGIN || rest === PASTE_END) isInPaste = rest === PASTE_BEGIN;
    else if (isInPaste && rest.startsWith("\r")) chunk.write(CR_MARK, at);
    else if (isInPaste && rest.startsWith("\n")) chunk.write(LF_MARK, at);
  }
  return isInPaste;
}

function pickerRow({ value, name, about }: PromptChoice, { look, terminal }: Setting) {
  const columns = terminalColumns(terminal.output) - CURSOR.length - 1;
  const description = about === undefined ? {} : { description: look.cut(about, columns) };
  return { value, name: look.cut(name, columns), ...description };
}

const CURSOR = "> ";

/**
 * Prompts for a choice in a list that follows the typed text. If Enter comes before the list for the whole text is shown, the
 * first match of that text is chosen, not the marked row of the older list.
 */
async function promptSearch(question: QuestionOf<"search">, setting: Setting): Promise<string> {
  const { terminal, theme, look } = setting;
  const message = withColon(question.message);
  let typed = "";
  const source = (text = "") => {
    typed = text;
    const rows = question.find(text);
    return rows.map((row) => ({ ...pickerRow(row, setting), value: { choice: row, term: text } }));
  };
  const config = { message, source, pageSize: LIST_LINES, theme };
  const { choice, term } = await search(config, { ...terminal, clearPromptOnDone: true });
  const chosen = term === typed ? choice : question.find(typed)[0];
  if (chosen !== undefined) {
    const name = look.cut(chosen.name, terminalColumns(terminal.output) - message.length - CURSOR.length - 2);
    terminal.output.write(`${theme.prefix.done} ${look.paint.title(message)} ${look.paint.hint(name)}\n`);
    return chosen.value;
  }
  terminal.output.write(`${look.paint.failed(`${message} no match for ${JSON.stringify(typed)}`)}\n`);
  return promptSearch(question, setting);
}

function promptTheme({ isAscii, paint }: PromptLook, { kind, hasBack }: Question) {
  const keys = kind === "search" ? "type to search, arrow keys, then Enter" : "arrow keys, then Enter";
  return {
    prefix: { idle: paint.hint("?"), done: paint.added(isAscii ? "*" : "✔") },
    spinner: { interval: 120, frames: isAscii ? ["-", "\\", "|", "/"] : ["⠋", "⠙", "⠹", "⠼", "⠴", "⠦", "⠧", "⠇"] },
    icon: { cursor: isAscii ? ">" : "❯" },
    style: {
      answer: paint.hint,
      message: paint.title,
      error: (text: string) => paint.failed(text),
      defaultAnswer: () => "",
      help: () => "",
      highlight: paint.hint,
      description: paint.quiet,
      searchTerm: String,
      keysHelpTip: () => paint.quiet(`${keys}${hasBack ? "; Esc goes back" : ""}`),
    },
  };
}
