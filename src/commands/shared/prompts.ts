import { findUsersMatching, isSameLogin, unknownUserError } from "../../api/people.ts";
import { type CommandFlag, memberName } from "../../command-flag.ts";
import { BtError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { matchingChoices, type PromptChoice } from "../../prompt/question.ts";
import type { Session } from "../../session/session.ts";
import { plain } from "../../view/text.ts";
import type { ParsedInput } from "../input.ts";
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

/**
 * Shows what a command would do, and asks whether to do it.
 * @throws BtError of kind guard where nobody can be prompted
 */
export async function confirmTask(
  task: string,
  lines: readonly string[],
  input: { args: string[] },
  { io, settings }: { io: Io; settings: Session["settings"] },
  hint = "--yes skips the prompt",
): Promise<boolean> {
  const sentence = `this would ${task}`;
  const confirm = confirmationPrompt(input, io, settings);
  if (!confirm) throw new BtError("guard", sentence, { details: lines, hint });
  if (lines.length > 0) await io.err(`${[`${sentence}:`, ...lines.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  return confirm(`${task}?`);
}

export function choiceOf(value: string): PromptChoice {
  return { value, name: plain(value) };
}

/** Prompts for a user: `@me`, one of the usual users, or any by a part of the name. */
export async function promptForLogin(
  message: string,
  usual: readonly PromptChoice[],
  context: Context,
): Promise<string> {
  const find = (term: string) => {
    const [typed, found] = [term.trim(), matchingChoices([choiceOf("@me"), ...usual], term)];
    return typed === "" || found.length > 0 ? found : [choiceOf(typed)];
  };
  const name = await context.io.prompt({ kind: "search", message, find, hasBack: true });
  return resolveLogin(name, false, context);
}

/** Input with logins in `flags`, which were given with names; each name is looked up once. */
export async function resolveLoginFlags(
  input: ParsedInput,
  flags: CommandFlag[],
  context: Context,
): Promise<ParsedInput> {
  const members: Record<string, unknown> = { ...input };
  const parameters: Record<string, unknown> = { ...Object(members["parameters"]) };
  const logins = new Map<string, string>();
  for (const { name, parameter, many } of flags) {
    const [place, key] = parameter === undefined ? [members, memberName(name)] : [parameters, name];
    const texts: string[] = [];
    for (const text of [place[key]].flat()) {
      const names = String(text).split(",");
      for (const one of names)
        if (!logins.has(one)) logins.set(one, await resolveLogin(one, input.args.includes("-"), context));
      texts.push(names.map((one) => logins.get(one) ?? one).join(","));
    }
    place[key] = many ? texts : texts[0];
  }
  return { ...input, ...members, ...{ parameters } };
}

/**
 * The login that a name means, as the user chooses. An exact login, a nick that the tracker resolves (`:ada`), and without
 * prompts any word, stays as it is.
 * `control`: the terminal of the process answers, since stdin is read.
 * @throws BtError of kind usage, with the users that match, if none of them may be chosen
 */
async function resolveLogin(name: string, control: boolean, { io, session }: Context): Promise<string> {
  const text = name.trim();
  if (text === "" || /[@%]/.test(text)) return name;
  const isAsked = mayPrompt(io, session.settings, control);
  const isWord = !/\s/.test(text);
  if ((isWord && !isAsked) || text.includes(":")) return name;
  const users = await findUsersMatching(text, session.send);
  if (isWord && (users === undefined || users.some((found) => isSameLogin(found.name, text)))) return name;
  if (!users?.length || !isAsked) throw unknownUserError(text, users);
  const message = plain(`user "${text}"`);
  const choices = users.map(({ name: login, real_name: full }) => {
    return { value: login, name: plain(full ? `${full} <${login}>` : login) };
  });
  return io.prompt({ kind: "menu", message, choices, hasBack: true, control });
}
