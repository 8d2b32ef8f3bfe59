import type { Context } from "../../verb.ts";
import { fileBug } from "./file-bug.ts";
import type { CreateInput } from "./flags.ts";
import { valuesFromFlags } from "./new-bug.ts";
import { readTemplate } from "./template.ts";

/** `bt bug create`: prompts for what is missing, validates all values, files one bug, and prints its id. */
export async function createBug(input: CreateInput, context: Context): Promise<void> {
  const given = valuesFromFlags(input);
  const start = input.template === undefined ? {} : await readTemplate(input.template, context);
  if (input.orComment !== undefined) {
    const { createOrComment } = await import("./create-or-comment.ts");
    return createOrComment(input.orComment, { start, given }, input, context);
  }
  await fileBug({ start, given }, input, context, { isCompared: !input.noSimilar });
}
