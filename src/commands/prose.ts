import { usage } from "../errors.ts";
import type { Context } from "./context.ts";
import { sourceText } from "./source-text.ts";
import { type Input, textOf } from "./verb.ts";

/**
 * A long text: typed on the command line (`-` for standard input), from a file, or from the editor; undefined when none of
 * these was asked for. More than one of them is refused.
 */
export async function readProse(
  { name, start = "" }: { readonly name: string; readonly start?: string },
  input: Input,
  context: Context,
): Promise<string | undefined> {
  const [typed, file, editor] = [textOf(input.flags[name]), textOf(input.flags["body-file"]), input.flags["editor"]];
  const ways = [typed, file, editor].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw usage(`the ${name} was given in more than one way`, `use one of --${name}, --body-file and --editor`);
  if (typed === "-" || file === "-") return fromStdin(name, context);
  if (file !== undefined) return withoutEnd(await sourceText(file, context));
  if (editor) return (await import("./editor.ts")).edit({ name, start }, context);
  return typed;
}

async function fromStdin(name: string, context: Context): Promise<string> {
  const text = await sourceText("-", context);
  if (text.trim() === "") throw usage("no input on stdin", `the ${name} was to come from standard input`);
  return withoutEnd(text);
}

/** Text without the line break that ends a file. */
function withoutEnd(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r?\n$/, "");
}
