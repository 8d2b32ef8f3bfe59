import { suggestNames } from "../../api/nearest.ts";
import type { Host } from "../../config/files.ts";
import { type Aliases, changeSettings, readSettings } from "../../config/settings.ts";
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
    if (canBeginLine(name, tree)) throw usageError(`bt ${name} is a command`, "use another name");
    const command = line.trim().replace(/^bt\s+/, "");
    const [first = ""] = commandWords(command);
    if (!canBeginLine(first, tree))
      throw usageError(
        `unknown command ${JSON.stringify(first)}`,
        "for example: bt alias set mine 'bug search -a @me'",
      );
    const before = readSettings(io).aliases?.[name] ?? command;
    await changeAliases(io, ({ [name]: _, ...others }) => ({ ...others, [name]: command }));
    if (before !== command) await note(io, `${name} was: ${before}`);
  };
}

/** True for a flag, a noun, and a verb without a noun. */
function canBeginLine(word: string, { nouns, verbs }: CommandTree): boolean {
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
  await changeAliases(io, ({ [name]: _, ...others }) => others);
}

/** Changes the aliases of the settings, which have no member `aliases` without any. */
async function changeAliases(host: Host, edit: (aliases: Aliases) => Aliases): Promise<void> {
  await changeSettings(host, ({ aliases: before = {}, ...settings }) => {
    const aliases = edit(before);
    return Object.keys(aliases).length === 0 ? settings : { ...settings, aliases };
  });
}
