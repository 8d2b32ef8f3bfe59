import input from "@inquirer/input";
import password from "@inquirer/password";
import search from "@inquirer/search";
import select from "@inquirer/select";
import { columnsOf, PASTE_BEGIN, PASTE_END, promptKey } from "./keys.ts";
import { Interrupted, type Prompter, type Terminal } from "./prompter.ts";
import {
  type ConfirmQuestion,
  type HiddenQuestion,
  type LineQuestion,
  type MenuQuestion,
  PromptCancelled,
  type PromptChoice,
  type PromptLook,
  type Question,
  type SearchQuestion,
  withColon,
  yesNoLine,
  yesOrNo,
} from "./question.ts";

/** Prompts with line editing and lists that are redrawn while the user types. */
export const promptRichly: Prompter = async (question, look, terminal) => {
  const kind = PROMPT_BY_KIND[question.kind] as (question: Question, setting: Setting) => Promise<string>;
  try {
    return await kind(question, { look, terminal, theme: promptTheme(look, question) });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "ExitPromptError") throw new Interrupted();
    throw name === "AbortPromptError" ? new PromptCancelled() : error;
  }
};

type Setting = {
  look: PromptLook;
  terminal: Terminal;
  theme: ReturnType<typeof promptTheme>;
};

const PROMPT_BY_KIND = {
  line: promptLine,
  hidden: promptHidden,
  confirm: promptYesNo,
  menu: promptMenu,
  search: promptSearch,
  key: promptKey,
} as const;

const LIST_LINES = 8; // of a list that is scrolled

async function promptLine(
  { message, start, check, leave, isLong, isBrief }: LineQuestion,
  { terminal, theme, look }: Setting,
): Promise<string> {
  const written = (text: string) => text.replace(BREAKS, isLong ? "\n" : " ");
  const filled = start === undefined ? {} : { default: start.replaceAll("\n", LF_MARK), prefill: "editable" as const };
  let typed = "";
  const validate = (text: string) => check?.(written(text)) ?? true;
  const transformer = (text: string) => {
    typed = text;
    return text.replace(BREAKS, look.isAscii ? "|" : "␊");
  };
  const markBreaks = breakMarker();
  terminal.input.prependListener("data", markBreaks);
  try {
    const lineTheme = { ...theme, validationFailureMode: isBrief ? "clear" : "keep" } as const;
    return written(
      await input({ message: withColon(message), validate, transformer, theme: lineTheme, ...filled }, terminal),
    );
  } catch (error) {
    leave?.(written(typed));
    throw error;
  } finally {
    terminal.input.off("data", markBreaks);
  }
}

/** Stand-ins for the line breaks of pasted text, which would end the line; of one byte, and no keys. */
const CR_MARK = "\u001c";
const LF_MARK = "\u001d";
const BREAKS = new RegExp(`${CR_MARK}${LF_MARK}?|${LF_MARK}`, "g");

/** Replaces line breaks of pasted text by their marks, in place. */
function breakMarker(): (chunk: Buffer) => void {
  let isPasted = false;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at += 1) {
      const rest = chunk.subarray(at, at + PASTE_BEGIN.length).toString("latin1");
      if (rest === PASTE_BEGIN || rest === PASTE_END) isPasted = rest === PASTE_BEGIN;
      else if (isPasted && rest.startsWith("\r")) chunk.write(CR_MARK, at);
      else if (isPasted && rest.startsWith("\n")) chunk.write(LF_MARK, at);
    }
  };
}

function promptHidden({ message }: HiddenQuestion, { terminal, theme }: Setting): Promise<string> {
  return password({ message: withColon(message), theme }, terminal);
}

async function promptYesNo(question: ConfirmQuestion, setting: Setting): Promise<string> {
  return yesOrNo(await promptLine(yesNoLine(question), setting));
}

function promptMenu({ message, choices }: MenuQuestion, setting: Setting): Promise<string> {
  const rows = choices.map((choice) => pickerRow(choice, setting));
  const config = { message: withColon(message), choices: rows, pageSize: LIST_LINES, loop: false };
  return select({ ...config, theme: setting.theme }, setting.terminal);
}

function pickerRow({ value, name, about }: PromptChoice, { look, terminal }: Setting) {
  const columns = columnsOf(terminal.output) - CURSOR.length - 1;
  const description = about === undefined ? {} : { description: look.cut(about, columns) };
  return { value, name: look.cut(name, columns), ...description };
}

const CURSOR = "> ";

/**
 * The marked row of a list of what is found for the typed text, or of what is nearest to it. An Enter before the list of the whole
 * text is there takes its first row, not one of the list before.
 */
async function promptSearch(question: SearchQuestion, setting: Setting): Promise<string> {
  const { find, nearest } = question;
  const { terminal, theme, look } = setting;
  const message = withColon(question.message);
  let typed = "";
  const found = async (text: string, signal: AbortSignal) => {
    const matches = await find(text, signal);
    const near = matches.length === 0 && !signal.aborted ? await nearest?.(text) : undefined;
    return near === undefined ? matches : find(near, signal);
  };
  const source = async (text = "", { signal }: { signal: AbortSignal }) => {
    typed = text;
    const rows = await found(text, signal);
    return rows.map((row) => ({ ...pickerRow(row, setting), value: { choice: row, term: text } }));
  };
  const config = { message, source, pageSize: LIST_LINES, theme };
  const { choice, term } = await search(config, { ...terminal, clearPromptOnDone: true });
  const meant = term === typed ? choice : (await found(typed, terminal.signal))[0];
  if (meant !== undefined) {
    const name = look.cut(meant.name, columnsOf(terminal.output) - message.length - CURSOR.length - 2);
    terminal.output.write(`${theme.prefix.done} ${look.paint.title(message)} ${look.paint.hint(name)}\n`);
    return meant.value;
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
