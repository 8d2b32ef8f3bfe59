import { splitQuotedItems } from "../../../api/legal-values.ts";
import { quoted } from "../../../api/nearest.ts";
import { BtError, withDetails } from "../../../errors.ts";
import { flagValue, flagValues } from "../../../session/flags.ts";
import { readRepositoryFile } from "../../../session/repository/repository-file.ts";
import type { RepositoryFile } from "../../../session/repository/repository-yaml.ts";
import { findTemplate } from "../../../session/repository/templates.ts";
import { plain } from "../../../view/text.ts";
import { isJson } from "../../shared/output.ts";
import type { Context } from "../../verb.ts";
import type { CreateInput, NewBugValues } from "./input.ts";
import { valuesGiven } from "./new-bug.ts";
import { templateValues, valuesOfLines } from "./template.ts";

/** Values that a new bug begins with, and those over them. */
export type StartingValues = { readonly start: NewBugValues; readonly given: NewBugValues };

/**
 * Values that a new bug begins with: product and component of the repository's file, below the template. The file's
 * keywords are added to those of the command line.
 * @throws BtError of kind usage with file and line
 */
export async function startingValues(input: CreateInput, context: Context): Promise<StartingValues> {
  const given = valuesGiven(input);
  const repository = await readRepositoryFile(context.io, context.session.settings);
  const { template, isShared } = await templateOf(input.template, given, repository, context);
  if (repository === undefined) return { start: template, given };
  const values = { ...template, ...given };
  const { keywords, ...place } = await repositoryValues(repository, values, context);
  const all = [...flagValues(keywords), ...flagValues(values.keywords)];
  const used = [
    ...Object.entries({ ...place, keywords }).flatMap(([name, value]) =>
      value ? [`${name} ${flagValue(value)}`] : [],
    ),
    ...(isShared ? [`template ${input.template}`] : []),
  ];
  if (used.length > 0 && context.io.terminal.stderr && !isJson(context))
    await context.io.err(`${plain(`bt: ${used.join(", ")} from ${repository.path}`)}\n`);
  return {
    start: { ...place, ...template },
    given: { ...given, ...(keywords === undefined ? {} : { keywords: distinct(all.flatMap(splitQuotedItems)) }) },
  };
}

/** The values of the template that is given, and whether it is one of the repository. */
async function templateOf(
  word: string | undefined,
  given: NewBugValues,
  repository: RepositoryFile | undefined,
  context: Context,
): Promise<{ template: NewBugValues; isShared: boolean }> {
  if (word === undefined) return { template: {}, isShared: false };
  const found = findTemplate(word, repository, context.io);
  if ("description" in found) return { template: found, isShared: true };
  const product = repository?.product?.value ?? context.session.settings.product;
  return { template: await templateValues({ file: found.file, product }, given, context), isShared: false };
}

/** Values of the repository's file, without its product and component for a bug of another product. */
async function repositoryValues(
  { path, product, component, keywords }: RepositoryFile,
  { keywords: _, ...values }: NewBugValues,
  context: Context,
): Promise<NewBugValues> {
  const wanted = flagValue(values.product) ?? product?.value;
  const isHere = wanted?.toLowerCase() === product?.value.toLowerCase();
  const lines = Object.entries({
    ...(isHere ? { product, component } : {}),
    keywords: keywords && { ...keywords, value: keywords.value.map(quoted).join(",") },
  });
  const fields = lines.flatMap(([name, one]) => (one && one.value !== "" ? [{ name, ...one }] : []));
  if (fields.length === 0) return {};
  return valuesOfLines({ file: path, product: undefined, fields }, values, context).catch((error) => {
    throw error instanceof BtError ? withDetails(error, ["BT_REPO_FILE=off ignores the file"]) : error;
  });
}

/** The words, each once in any case. */
function distinct(words: string[]): string[] {
  return [...new Map(words.map((word) => [word.toLowerCase(), quoted(word)])).values()];
}
