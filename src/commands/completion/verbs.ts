import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nearestNames } from "../../api/nearest.ts";
import { readSettings } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import { aliasNamed, typedAlias } from "../alias/expand.ts";
import type { SharedInput } from "../input.ts";
import { commandOn } from "../line.ts";
import type { CommandTree, Context, VerbFunction } from "../verb.ts";
import { completeWord } from "./complete.ts";
import { SHELLS } from "./sources.ts";

/** `bt completion`: prints the script of a shell. */
export async function printCompletionScript(input: SharedInput, context: Context): Promise<void> {
  const [shell = ""] = input.args;
  const file = SHELLS.get(shell);
  if (file !== undefined) return context.io.out(readFileSync(join(SCRIPTS, file), "utf8"));
  const shells = [...SHELLS.keys()];
  const [near] = nearestNames(shell, shells);
  throw usageError(
    `no completion script for ${JSON.stringify(shell)}`,
    near ? `bt completion ${near}` : `valid values: ${shells.join(", ")}`,
  );
}

/** The scripts of the package, whether from the sources or from its chunks. */
const SCRIPTS = join(import.meta.dirname.replace(/src[\\/]commands[\\/]completion$/, "dist"), "../completions");

/** `bt complete`: prints one candidate per line, with a tab before its description; `:files` if a file is expected. */
export function wordCompletion(tree: CommandTree): VerbFunction {
  return async ({ args }, context) => {
    const { words, own } = withoutAlias(args, tree, context);
    const found = await completeWord(words, tree, context);
    if (found.files) return context.io.out(":files\n");
    // a shell would print control characters unescaped
    const typable = found.candidates.filter(({ text }) => !/\p{C}/u.test(text));
    const lines = typable.map(({ text, about }) => `${text.slice(own.length)}\t${about.replace(/\s+/g, " ")}\n`);
    await context.io.out(lines.join(""));
  };
}

/**
 * The words of a line with an alias, as its first word, replaced by its command, and what of the last word is the alias' own;
 * an alias alone is still being typed.
 */
function withoutAlias(words: string[], tree: CommandTree, { io }: Context): ReturnType<typeof typedAlias> {
  const [first, ...rest] = words;
  if (first === undefined || rest.length === 0 || commandOn(words, tree).unknown !== first) return { words, own: "" };
  const alias = aliasNamed(first, readSettings(io).aliases ?? {});
  return alias ? typedAlias(alias, rest) : { words, own: "" };
}
