import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { suggestNames } from "../../api/nearest.ts";
import { folderFor, type Surroundings } from "../../config/files.ts";
import { usageError } from "../../errors.ts";
import type { RepositoryFile } from "./repository-yaml.ts";

/** Names of the templates of new bugs: the files of `templates` in the configuration folder, sorted. */
export function templateNames(host: Surroundings): string[] {
  const folder = templateFolder(host);
  if (folder === undefined || !existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

/** A template: a file with fields and a description, or a description. */
export type FoundTemplate = { readonly file: string } | { readonly description: string };

/**
 * The template that a word names: a file of the configuration folder, one of the repository's file, else a path.
 * @throws BtError of kind usage if there is none
 */
export function findTemplate(word: string, repository: RepositoryFile | undefined, host: Surroundings): FoundTemplate {
  const names = templateNames(host);
  const folder = templateFolder(host);
  if (folder !== undefined && names.includes(word)) return { file: join(folder, word) };
  const description = repository?.templates.get(word);
  if (description !== undefined) return { description };
  if (word !== "-" && existsSync(word)) return { file: word };
  throw usageError(
    `no template or file ${JSON.stringify(word)}`,
    suggestNames(word, [...names, ...(repository?.templates.keys() ?? [])]) ?? `templates are files in ${folder}`,
  );
}

function templateFolder(host: Surroundings): string | undefined {
  const folder = folderFor("config", host);
  return folder && join(folder, "templates");
}
