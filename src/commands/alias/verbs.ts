import { suggestNames } from "../../api/nearest.ts";
import type { Host } from "../../config/files.ts";
import { changeSettings, readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import { commandWords } from "../../platform.ts";
import { note } from "../../session/note.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, showListOrNone, wireColumns } from "../shared/output/print.ts";
import { ALIAS_COLUMNS, type CommandTree, type Context, isCalled, type VerbFunction } from "../verb.ts";

/** `bt alias set`: stores a command line under a name that is no command's. */
export function setAlias(tree: CommandTree): VerbFunction {
  return async ({ args: [name = "", line = ""] }, { io }) => {
    if (!/^[a-z][\w-]{0,39}$/i.test(name))
      throw usageError(`${JSON.stringify(name)} cannot be the name of an alias`, "use letters, digits, - and _");
    if (isCommand(name, tree)) throw usageError(`bt ${name} is a command`, "use another name");
    const command = line.trim().replace(/^bt\s+/, "");
    const [first = ""] = commandWords(command);
    if (!isCommand(first, tree))
      throw usageError(
        `unknown command ${JSON.stringify(first)}`,
        "for example: bt alias set mine 'bug search -a @me'",
      );
    const before = readSettings(io).aliases?.[name] ?? command;
    await writeAlias(io, name, command);
    if (before !== command) await note(io, `${name} was: ${before}`);
  };
}

/** True for a flag, and for the first word of a command. */
function isCommand(word: string, { nouns, verbs }: CommandTree): boolean {
  return word.startsWith("-") || word === "help" || [...nouns, ...verbs].some((command) => isCalled(command, word));
}

export async function listAliases(_: SharedInput, context: Context): Promise<void> {
  const rows = Object.entries(readSettings(context.io).aliases ?? {}).map(([name, command]) => ({ name, command }));
  const columns = chosenColumns(wireColumns<(typeof rows)[number]>(ALIAS_COLUMNS), context);
  await showListOrNone(context, { columns, pages: [rows] }, "no aliases; bt alias set creates one");
}

/**
 * `bt alias delete`.
 * @throws BtError of kind no if there is no such alias
 */
export async function deleteAlias({ args: [name = ""] }: SharedInput, { io }: Context): Promise<void> {
  const names = Object.keys(readSettings(io).aliases ?? {});
  if (!names.includes(name))
    throw new BtError("no", `no alias ${JSON.stringify(name)}`, { hint: suggestNames(name, names) });
  await writeAlias(io, name, undefined);
}

/** Writes an alias to the configuration; undefined deletes it. */
async function writeAlias(host: Host, name: string, command: string | undefined): Promise<void> {
  await changeSettings(host, ({ aliases = {}, ...settings }) => {
    const others = Object.entries(aliases).filter(([one]) => one !== name);
    const all = command === undefined ? others : [...others, [name, command] as const];
    return all.length === 0 ? settings : { ...settings, aliases: Object.fromEntries(all) };
  });
}
