import { findUsersMatching, personText, type UserName } from "../../api/people.ts";
import { BtError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { matchingChoices, type PromptChoice } from "../../prompt/question.ts";
import type { Session } from "../../session/session.ts";
import { plain } from "../../view/text.ts";
import { viewSigns } from "../../view/view.ts";
import { cut } from "../../view/wrap.ts";
import type { Context } from "../verb.ts";

/** True if prompts may be shown and answered on stdin, or on the terminal of the process. */
export function mayPrompt(io: Io, settings: Session["settings"], control = false): boolean {
  const { terminal, env } = io;
  return (
    terminal.stderr &&
    terminal[control ? "control" : "stdin"] &&
    (env["BT_PROMPTS"] || settings.prompts || "on") !== "off"
  );
}

/** Prompt for a confirmation; undefined if there is none. If stdin is the list of ids, the terminal is read itself. */
export function confirmationPrompt(
  { args }: { args: string[] },
  io: Io,
  settings: Session["settings"],
): ((message: string) => Promise<boolean>) | undefined {
  const control = args.includes("-");
  if (!mayPrompt(io, settings, control)) return undefined;
  return async (message) => (await io.prompt({ kind: "confirm", message, control })) === "yes";
}

/** A change to confirm: what it is in a sentence, a line for each object, notes on it, the question, and a hint in place of it. */
type ConfirmedChange = {
  sentence: string;
  lines: string[];
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
  const { sentence, lines, notes = [], question, hint = HINT } = change;
  const confirm = confirmationPrompt(options, io, session.settings);
  if (!confirm) {
    const details = [...firstLines(lines, SAMPLE), ...notes];
    throw new BtError("guard", sentence, { details, hint, changed: "nothing" });
  }
  const { rows, columns } = io.size();
  const show = async (some: string[]) => {
    const { ellipsis } = viewSigns(output.view);
    for (const line of some) await io.err(`${INDENT}${cut(plain(line), columns - INDENT.length, ellipsis)}\n`);
  };
  const room = Math.max(SAMPLE, rows - notes.length - REST);
  await io.err(`${sentence}:\n`);
  await show([...firstLines(lines, room), ...notes]);
  let isConfirmed = false;
  if (lines.length <= room) isConfirmed = await confirm(question);
  else isConfirmed = await confirmLong(question, () => show([...lines, ...notes]), options, context);
  if (!isConfirmed) throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const HINT = "--yes skips the prompt; --dry-run shows every change";
const SAMPLE = 6; // lines of an error
const REST = 3; // lines of the screen for the command, the sentence and the question
const INDENT = "    ";

/** Lines, of which so many may be shown. */
function firstLines(lines: string[], room: number): string[] {
  return lines.length <= room ? lines : [...lines.slice(0, room - 1), `and ${lines.length - room + 1} more`];
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

/** A value under its own name. */
export function choiceOf(value: string): PromptChoice {
  return { value, name: plain(value) };
}

/**
 * User search of a prompt: the usual users, and those that the tracker finds; the text as typed if the tracker refuses
 * the search.
 */
export function userSearch(
  { session, io }: Context,
  usualUsers: UsualUsers = (me) => me,
): (term: string, signal: AbortSignal) => Promise<PromptChoice[]> {
  return async (term, signal) => {
    const login = await session.login().catch(() => undefined);
    const me = login === undefined ? [] : [{ value: "@me", name: plain(`@me (${login})`) }];
    const usual = usualUsers(me, login);
    const typed = term.trim();
    if (typed === "") return usual;
    await io.sleep(PAUSE_MS);
    if (signal.aborted) return [];
    const isShort = [...typed].length < MIN_PART && !typed.includes("*");
    const users = await findUsersMatching(isShort ? `*${typed}*` : typed, session.send);
    const asTyped = { value: typed, name: plain(`${typed} (as typed)`) };
    const known = matchingChoices(usual, typed);
    const others = users?.map(userChoice) ?? [asTyped];
    return [...known, ...others.filter(({ value }) => known.every((one) => one.value !== value))];
  };
}

/** The users that are offered before anything is typed: the requester as `@me`, and others. */
type UsualUsers = (me: PromptChoice[], login: string | undefined) => PromptChoice[];

const PAUSE_MS = 150; // after a key, before a request
const MIN_PART = 3; // letters of a name that Bugzilla finds without wildcards

/** A user with the real name. */
export function userChoice(user: UserName): PromptChoice {
  return { value: user.name, name: plain(personText(user)) };
}
