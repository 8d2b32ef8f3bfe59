import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nearestNames } from "../../api/nearest.ts";
import { usageError } from "../../errors.ts";
import type { SharedInput } from "../input.ts";
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
    const found = await completeWord(args, tree, context);
    if (found.files) return context.io.out(":files\n");
    const typable = found.candidates.filter(({ text }) => !/\p{C}/u.test(text)); // a shell would print control characters
    await context.io.out(typable.map(({ text, about }) => `${text}\t${about.replace(/\s+/g, " ")}\n`).join(""));
  };
}
