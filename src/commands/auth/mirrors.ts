import { mirrorsOf } from "../../mirror/connect.ts";
import { plain } from "../../view/text.ts";
import { dropNamedMirror } from "../mirror/drop.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/** After a logout: offers to delete the mirrors with data of the login, or lists them where prompts are off. */
export async function offerToDropMirrors(baseUrl: string, { io, session }: Context): Promise<void> {
  for (const { name, facts } of mirrorsOf({ baseUrl, login: undefined }, io)) {
    const what = `the mirror ${name} contains data visible to ${facts.login}`;
    const confirm = confirmationPrompt({ args: [] }, io, session.settings);
    if (confirm === undefined) await io.err(`${plain(`note: ${what}; to delete it: bt mirror drop ${name}`)}\n`);
    else if (await confirm(plain(`${what}; delete it?`))) await dropNamedMirror(name, io);
  }
}
