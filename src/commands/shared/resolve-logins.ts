import { findUsersMatching, isSameLogin, unknownUserError } from "../../api/people.ts";
import { type CommandFlag, memberName } from "../../command-flag.ts";
import { plain } from "../../view/text.ts";
import type { ParsedInput } from "../input.ts";
import type { Context } from "../verb.ts";
import { mayPrompt, userChoice } from "./prompts.ts";

/** Input in which flags of people have logins in place of names. */
export async function resolveLoginFlags(
  input: ParsedInput,
  flags: CommandFlag[],
  context: Context,
): Promise<ParsedInput> {
  const members: Record<string, unknown> = { ...input };
  const parameters: Record<string, unknown> = { ...(members["parameters"] as object) };
  const logins = new Map<string, string>();
  const control = input.args.includes("-");
  for (const { name, parameter, many } of flags) {
    const [place, key] = parameter === undefined ? [members, memberName(name)] : [parameters, name];
    const texts: string[] = [];
    for (const text of [place[key]].flat()) texts.push(await resolveLogins(String(text), { logins, control }, context));
    place[key] = many ? texts : texts[0];
  }
  return { ...input, ...members, ...{ parameters } };
}

/** Logins that are known by names, and whether answers come from the terminal of the process, as stdin is read. */
type Resolving = { logins: Map<string, string>; control: boolean };

/** Logins in place of names separated by commas; those found before are known. */
async function resolveLogins(text: string, { logins: known, control }: Resolving, context: Context): Promise<string> {
  const logins: string[] = [];
  for (const name of text.split(",")) {
    const login = known.get(name) ?? (isWholeLogin(name) ? name : await resolveLogin(name, context, control));
    known.set(name, login);
    logins.push(login);
  }
  return logins.join(",");
}

/**
 * The login that a name means, once the user has confirmed it, or chosen it among several. Without prompts, a name of one
 * word counts as a login. With `control`, the terminal of the process answers.
 * @throws BtError of kind usage, with the users that match, if none of them may be chosen
 */
export async function resolveLogin(name: string, context: Context, control = false): Promise<string> {
  const { io, session } = context;
  const text = name.trim();
  const isAsked = mayPrompt(io, session.settings, control);
  const isWord = !/\s/.test(text);
  if ((isWord && !isAsked) || text.includes(":")) return name;
  const users = await findUsersMatching(text, session.send);
  if (isWord && (users === undefined || users.some((found) => isSameLogin(found.name, text)))) return name;
  const [user, ...others] = users ?? [];
  if (!user || !isAsked) throw unknownUserError(text, users);
  if (others.length > 0) {
    const message = plain(`user "${text}"`);
    return io.prompt({ kind: "menu", message, choices: [user, ...others].map(userChoice), hasBack: true, control });
  }
  const message = plain(`"${text}" is not a login; use ${userChoice(user).name}?`);
  if ((await io.prompt({ kind: "confirm", message, control })) === "yes") return user.name;
  throw unknownUserError(text, [user]);
}

/** True for a text that is sent as it is: empty, an address, or a name such as @me. */
export function isWholeLogin(text: string): boolean {
  return text.trim() === "" || /[@%]/.test(text);
}
