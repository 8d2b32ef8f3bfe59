import { splitQuotedItems } from "../../../api/legal-values.ts";
import { quoted } from "../../../api/nearest.ts";
import { BtError, withDetails } from "../../../errors.ts";
import { type FlagValues, flagValue, flagValues } from "../../../session/flags.ts";
import { readRepositoryFile } from "../../../session/repository/repository-file.ts";
import type { RepositoryFile } from "../../../session/repository/repository-yaml.ts";
import { findTemplate } from "../../../session/repository/templates.ts";
import { plain } from "../../../view/text.ts";
import { isJson } from "../../shared/output.ts";
import type { Context, Input } from "../../verb.ts";
import { flagsOfLines, templateFlags } from "./template.ts";

/** Flags that a new bug begins with, and those over them. */
export type StartingFlags = { readonly start: FlagValues; readonly flags: FlagValues };

/**
 * Flags that a new bug begins with: product and component of the repository's file, below the template. The file's keywords
 * are added to those of the flags.
 * @throws BtError of kind usage with file and line
 */
export async function startingFlags(input: Input, context: Context): Promise<StartingFlags> {
  const repository = await readRepositoryFile(context.io, context.session.settings);
  const { template, isShared } = await templateOf(input, repository, context);
  if (repository === undefined) return { start: template, flags: input.flags };
  const flags = { ...template, ...input.flags };
  const { keywords, ...place } = await repositoryFlags(repository, flags, context);
  const all = [...flagValues(keywords), ...flagValues(flags["keywords"])];
  const used = [
    ...Object.entries({ ...place, keywords }).flatMap(([name, value]) =>
      value ? [`${name} ${flagValue(value)}`] : [],
    ),
    ...(isShared ? [`template ${flagValue(flags["template"])}`] : []),
  ];
  if (used.length > 0 && context.io.terminal.stderr && !isJson(context))
    await context.io.err(`${plain(`bt: ${used.join(", ")} from ${repository.path}`)}\n`);
  return {
    start: { ...place, ...template },
    flags: { ...input.flags, ...(keywords === undefined ? {} : { keywords: distinct(all.flatMap(splitQuotedItems)) }) },
  };
}

/** The flags of the template that is given, and whether it is one of the repository. */
async function templateOf(
  input: Input,
  repository: RepositoryFile | undefined,
  context: Context,
): Promise<{ readonly template: FlagValues; readonly isShared: boolean }> {
  const word = flagValue(input.flags["template"]);
  if (word === undefined) return { template: {}, isShared: false };
  const found = findTemplate(word, repository, context.io);
  if ("description" in found) return { template: found, isShared: true };
  const product = repository?.product?.value ?? context.session.settings.product;
  return { template: await templateFlags({ file: found.file, product }, input, context), isShared: false };
}

/** Flags of the repository's file, without its product and component for a bug of another product. */
async function repositoryFlags(
  { path, product, component, keywords }: RepositoryFile,
  { keywords: _, ...flags }: FlagValues,
  context: Context,
): Promise<FlagValues> {
  const wanted = flagValue(flags["product"]) ?? product?.value;
  const isHere = wanted?.toLowerCase() === product?.value.toLowerCase();
  const lines = Object.entries({
    ...(isHere ? { product, component } : {}),
    keywords: keywords && { ...keywords, value: keywords.value.map(quoted).join(",") },
  });
  const fields = lines.flatMap(([name, one]) => (one && one.value !== "" ? [{ name, ...one }] : []));
  if (fields.length === 0) return {};
  return flagsOfLines({ file: path, product: undefined, fields }, flags, context).catch((error) => {
    throw error instanceof BtError ? withDetails(error, ["BT_REPO_FILE=off ignores the file"]) : error;
  });
}

/** The words, each once in any case. */
function distinct(words: readonly string[]): readonly string[] {
  return [...new Map(words.map((word) => [word.toLowerCase(), quoted(word)])).values()];
}
