import { BtError } from "../../../errors.ts";
import { type ChangesCard, changeTexts } from "../../../view/changes.ts";
import { plain } from "../../../view/text.ts";
import { type View, viewSigns } from "../../../view/view.ts";
import { cut } from "../../../view/wrap.ts";
import type { Context } from "../../verb.ts";
import { confirmationPrompt } from "../prompts.ts";

/** A change to confirm: its objects, a sentence about it, notes, the question, and a hint in place of it. */
type ConfirmedChange = ChangesCard & {
  sentence: string;
  notes?: string[];
  question: string;
  hint?: string | undefined;
};

/**
 * Shows as much of a change as fits the screen, and prompts for confirmation; all of it is listed on request.
 * @throws BtError of kind guard for a change that is not confirmed; without a prompt it requires `--yes`
 */
export async function confirmChange(change: ConfirmedChange, options: { args: string[] }, context: Context) {
  const { io, session, output } = context;
  const { sentence, notes = [], question, hint = HINT } = change;
  const confirm = confirmationPrompt(options, io, session.settings);
  const textsIn = (view: Partial<View>) => changeTexts({ ...change, isPreview: true }, { ...output.view, ...view });
  if (!confirm) {
    const { terminal, isAscii } = output.view;
    const texts = textsIn({ color: false, width: Infinity, isAscii: isAscii || !terminal });
    throw new BtError("guard", sentence, {
      details: [...firstTexts(texts, SAMPLE), ...notes],
      hint,
      changed: "nothing",
    });
  }
  const { rows, columns } = io.size();
  const texts = textsIn({ terminal: true, width: columns - INDENT.length });
  const show = async (some: string[]) => {
    const { ellipsis } = viewSigns(output.view);
    for (const text of some) await io.err(`${text.replace(/^/gm, INDENT)}\n`);
    for (const line of notes) await io.err(`${INDENT}${cut(plain(line), columns - INDENT.length, ellipsis)}\n`);
  };
  const first = firstTexts(texts, Math.max(SAMPLE, rows - notes.length - REST));
  await io.err(`${sentence}:\n`);
  await show(first);
  let isConfirmed = false;
  if (first === texts) isConfirmed = await confirm(question);
  else isConfirmed = await confirmLong(question, () => show(texts), options, context);
  if (!isConfirmed) throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const HINT = "--yes skips the prompt; --dry-run shows every change";
const SAMPLE = 6; // lines of an error
const REST = 3; // lines of the screen for the command, the sentence and the question
const INDENT = "    ";

/** Texts, of which those that have so many lines together are shown. */
function firstTexts(texts: string[], room: number): string[] {
  const fitting = (lines: number) => {
    let used = 0;
    const end = texts.findIndex((text) => {
      used += text.split("\n").length;
      return used > lines;
    });
    return end < 0 ? texts.length : end;
  };
  if (fitting(room) === texts.length) return texts;
  const shown = Math.max(1, fitting(room - 1));
  return [...texts.slice(0, shown), `and ${texts.length - shown} more`];
}

/** A prompt for confirmation that lists everything on request. */
async function confirmLong(
  question: string,
  listAll: () => Promise<void>,
  { args }: { args: string[] },
  { io }: Context,
): Promise<boolean> {
  const check = (text: string) => (LONG_ANSWER.test(text.trim()) ? undefined : "type y, n, or l to list all");
  for (;;) {
    const message = `${question} [y/N, l lists all]`;
    const line = { kind: "line", message, check, isBrief: true, control: args.includes("-") } as const;
    const answer = (await io.prompt(line)).trim();
    if (!/^l/i.test(answer)) return /^y/i.test(answer);
    await listAll();
  }
}

const LONG_ANSWER = /^(|y|yes|n|no|l|list)$/i;
