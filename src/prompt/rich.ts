import input from "@inquirer/input";
import password from "@inquirer/password";
import search from "@inquirer/search";
import select from "@inquirer/select";
import { columnsOf, PASTE_BEGIN, PASTE_END, promptKey } from "./keys.ts";
import { Interrupted, type Prompter, type Terminal } from "./prompter.ts";
import {
  type ConfirmQuestion,
  cancelledError,
  type HiddenQuestion,
  type KeyPressQuestion,
  type LineQuestion,
  type MenuQuestion,
  noMatchReason,
  onlyMatch,
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
  type Kind = keyof typeof PROMPT_BY_KIND;
  const kind = PROMPT_BY_KIND[question.kind as Kind] as (question: Question, setting: Setting) => Promise<string>;
  try {
    return await kind(question, { look, terminal, theme: promptTheme(look) });
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "ExitPromptError") throw new Interrupted();
    throw name === "AbortPromptError" ? cancelledError() : error;
  }
};

/** The answer to a prompt of inquirer, which would drop the keys right behind its Enter: they are for what is asked next. */
async function beforeNextKeys<Answer>(answer: Promise<Answer>, { input: stdin }: Setting["terminal"]): Promise<Answer> {
  let isOpen = true;
  const hold = (chunk: Buffer) => {
    const behind = chunk.findIndex((byte) => byte === CR || byte === LF) + 1;
    if (behind === 0) return;
    stdin.pause();
    if (behind < chunk.length) stdin.unshift(Buffer.from(chunk.subarray(behind)));
    chunk.fill(0, behind); // a key without a meaning
    const resume = () => isOpen && stdin.resume(); // the line was none that ends the prompt
    setImmediate(() => setImmediate(resume));
  };
  stdin.prependListener("data", hold);
  try {
    return await answer;
  } finally {
    isOpen = false;
    stdin.off("data", hold);
  }
}

const [CR, LF] = [13, 10];

type Setting = {
  look: PromptLook;
  terminal: Omit<Terminal, "interrupt">;
  theme: ReturnType<typeof promptTheme>;
};

const PROMPT_BY_KIND = {
  line: promptLine,
  hidden: promptHidden,
  confirm: promptYesNo,
  menu: promptMenu,
  search: promptSearch,
  key: promptForKey,
} as const;

const LIST_LINES = 8; // of a list that is scrolled

async function promptLine(
  { message, start, check, leave, isLong, isBrief }: LineQuestion,
  { terminal, theme, look }: Setting,
): Promise<string> {
  const written = (text: string) => text.replace(BREAKS, isLong ? "\n" : " ");
  const filled = start === undefined ? {} : { default: start.replaceAll("\n", LF_MARK), prefill: "editable" as const };
  let typed = "";
  let entered = "";
  const validate = () => {
    entered = typed;
    return check?.(written(entered)) ?? true;
  };
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => {
    typed = isFinal ? entered : text; // this is called at each key, and at the end, when an empty line is its start again
    return typed.replace(BREAK_MARKS, look.isAscii ? "|" : "␊");
  };
  const markBreaks = breakMarker();
  const lineTheme = { ...theme, validationFailureMode: isBrief ? "clear" : "keep" } as const;
  const answer = input({ message: withColon(message), validate, transformer, theme: lineTheme, ...filled }, terminal);
  const line = beforeNextKeys(answer, terminal);
  terminal.input.prependListener("data", markBreaks); // and before an Enter is looked for
  try {
    await line;
    return written(entered);
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
const BREAK_MARKS = new RegExp(`[${CR_MARK}${LF_MARK}]`, "g");

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

function promptForKey(question: KeyPressQuestion, { look, terminal }: Setting): Promise<string> {
  return promptKey(question, look, terminal);
}

function promptHidden({ message }: HiddenQuestion, { terminal, theme }: Setting): Promise<string> {
  return beforeNextKeys(password({ message: withColon(message), theme }, terminal), terminal);
}

async function promptYesNo(question: ConfirmQuestion, setting: Setting): Promise<string> {
  return yesOrNo(await promptLine(yesNoLine(question), setting));
}

function promptMenu(question: MenuQuestion, setting: Setting): Promise<string> {
  const { terminal } = setting;
  const choices = question.choices.map((choice) => pickerRow(choice, setting));
  const theme = listTheme(() => "arrow keys, then Enter", question, setting);
  const config = { message: withColon(question.message), choices, pageSize: LIST_LINES, loop: false, theme };
  return beforeNextKeys(select(config, { ...terminal, clearPromptOnDone: true }), terminal);
}

function pickerRow({ value, name, about }: PromptChoice, { look, terminal }: Setting) {
  const columns = columnsOf(terminal.output) - CURSOR.length - 1;
  return {
    value,
    name: look.cut(name, columns),
    ...(about === undefined ? {} : { description: look.cut(about, columns) }),
  };
}

const CURSOR = "> ";

/**
 * The chosen value of a search: the marked one if nothing was typed or an arrow key was pressed, else the one that the
 * typed text means. Without one it is asked again: with a text that may mean several, or from the whole list, with the nearest
 * name first, as after a value with which something is wrong. The `refusal` of the answer before is above the prompt until the next.
 */
async function promptSearch(question: SearchQuestion, setting: Setting, refusal = ""): Promise<string> {
  const { terminal, theme, look } = setting;
  const { start = "", find, leave, check, nearest } = question;
  const message = withColon(question.message);
  const typed = { text: "" };
  let next = { ...question, start: "" };
  let refused = "";
  if (start !== "") terminal.input.unshift(Buffer.from(start));
  try {
    const listed = await chooseOrType(question, typed, setting);
    const matches = listed?.found ?? (await find(typed.text, terminal.signal));
    const chosen = listed?.choice ?? onlyMatch(matches, typed.text, listed?.found[0]);
    const wrong = chosen && (await check?.(chosen.value));
    if (chosen !== undefined && wrong === undefined) {
      const name = look.cut(chosen.name, columnsOf(terminal.output) - message.length - CURSOR.length - 2);
      terminal.output.write(
        `${eraseAbove(refusal, setting)}${theme.prefix.done} ${look.paint.title(message)} ${look.paint.hint(name)}\n`,
      );
      return chosen.value;
    }
    const near = matches.length === 0 ? await nearest?.(typed.text) : undefined;
    const reason =
      wrong ?? (matches.length === 0 ? noMatchReason(typed.text, near) : severalMatchReason(matches, typed.text));
    refused = `${message} ${reason}`;
    terminal.output.write(`${eraseAbove(refusal, setting)}${look.paint.failed(refused)}\n`);
    if (wrong === undefined && matches.length > 0) next.start = typed.text;
    const first = near === undefined ? undefined : onlyMatch(await find(near, terminal.signal), near);
    if (first) next = { ...next, find: listedFirst(first, find) };
  } catch (error) {
    leave?.(typed.text);
    throw error;
  }
  return promptSearch(next, setting, refused);
}

/** A search of which the whole list begins with a choice. */
function listedFirst(first: PromptChoice, find: SearchQuestion["find"]): SearchQuestion["find"] {
  return async (term, signal) => {
    const found = await find(term, signal);
    return term === "" ? [first, ...found.filter(({ value }) => value !== first.value)] : found;
  };
}

/** The sequence that erases this text from the rows above the cursor. */
function eraseAbove(text: string, { look, terminal }: Setting): string {
  const columns = columnsOf(terminal.output);
  let rows = text === "" ? 0 : 1;
  while (look.cut(text, rows * columns) !== text) rows += 1;
  return ERASE_ROW_ABOVE.repeat(rows);
}

const ERASE_ROW_ABOVE = "\u001b[1A\u001b[2K";

/** The choices that were listed for the typed text when a search ended, and the marked one. */
type Listed = { found: readonly PromptChoice[]; choice: PromptChoice | undefined };

/** Lists what is found for the text that is typed, until Enter; undefined if that came before the list. */
async function chooseOrType(
  question: SearchQuestion,
  typed: { text: string },
  setting: Setting,
): Promise<Listed | undefined> {
  const { find, loadsLater } = question;
  const { terminal } = setting;
  const usual = loadsLater ? undefined : await find("", terminal.signal);
  const entered = new AbortController();
  let isMarked = true;
  let isTaken = true; // the first choice, or the one of an arrow key, by an Enter
  let isEnded = false; // by an Enter; what is typed after it counts for nothing
  let count = 0;
  const names = new Map<string, string>(); // by their shortened forms, which Tab types
  const source = async (shown = "", reading: { signal: AbortSignal }) => {
    const term = names.get(shown) ?? shown;
    if (!isEnded) [typed.text, isTaken] = [term, false];
    const all = (term === "" ? usual : undefined) ?? (await find(term, reading.signal));
    const meant = term === "" ? undefined : onlyMatch(all, term, all[0]);
    const found = meant ? [meant, ...all.filter((choice) => choice !== meant)] : all; // the marked row is the one taken
    if (!reading.signal.aborted && !isEnded) {
      [isMarked, count] = [term === "", found.length];
      isTaken = isMarked || meant !== undefined;
    }
    return found.map((choice) => {
      const row = pickerRow(choice, setting);
      names.set(row.name, choice.name);
      return { ...row, value: { choice, term, found } };
    });
  };
  const hear = (_: unknown, key?: { name?: string }) => {
    if (isEnded) return;
    const isArrow = key?.name === "up" || key?.name === "down";
    const isFirst = isArrow && !isTaken;
    [isMarked, isTaken] = [isMarked || isArrow, isTaken || isArrow];
    if (isFirst) {
      terminal.input.emit("keypress", "", { name: "down" });
      key.name = "up"; // back to the first choice, which is drawn marked
    }
    isEnded = (key?.name === "return" || key?.name === "enter") && (count > 0 || typed.text !== "");
    if (isEnded && count === 0) entered.abort(); // inquirer ignores an Enter without a list
  };
  const message = withColon(question.message);
  const theme = listTheme(() => (isTaken ? SEARCH_KEYS : AMBIGUOUS_KEYS), question, setting);
  const mark = theme.style.highlight;
  theme.style.highlight = (row) => (isTaken ? mark(row) : row.replace(theme.icon.cursor, " "));
  const config = { message, source, pageSize: LIST_LINES, theme };
  const signal = AbortSignal.any([terminal.signal, entered.signal]);
  terminal.input.on("keypress", hear);
  try {
    const answer = search(config, { ...terminal, signal, clearPromptOnDone: true });
    terminal.input.pause();
    const listed = setImmediate(() => terminal.input.resume()); // an Enter before the list would count for nothing
    const kept = beforeNextKeys(answer, terminal).finally(() => clearImmediate(listed));
    const { choice, term, found } = await kept;
    return term === typed.text ? { found, choice: isMarked ? choice : undefined } : undefined;
  } catch (error) {
    if (entered.signal.aborted && !terminal.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.input.off("keypress", hear);
  }
}

const SEARCH_KEYS = "type to search, arrow keys, then Enter";
const AMBIGUOUS_KEYS = "type more, or arrow keys, then Enter";

/** Reason why a text that several values match is no answer. */
function severalMatchReason(found: readonly PromptChoice[], typed: string): string {
  const names = found.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = found.length - names.length;
  return `${JSON.stringify(typed)} may be ${names.join(", ")}${more > 0 ? `, or ${more} more` : ""}`;
}

const MAX_NAMED = 3;

/** What inquirer writes in place of an empty list. */
const NO_RESULTS = "No results found";

/** The theme with its keys below a list. */
function listTheme(keys: () => string, question: Question, { theme, look }: Setting) {
  const text = () => `${keys()}${question.hasBack ? "; Esc goes back" : ""}`;
  const noMatch = `no match; Enter ${"nearest" in question ? "looks for the nearest" : "lists all"}`;
  const error = (words: string) => theme.style.error(words === NO_RESULTS ? noMatch : words);
  return { ...theme, style: { ...theme.style, error, keysHelpTip: () => look.paint.quiet(text()) } };
}

/** Signs and colours of all kinds. */
function promptTheme({ isAscii, paint }: PromptLook) {
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
    },
  };
}
