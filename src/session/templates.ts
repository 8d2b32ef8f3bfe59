import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { suggestNames } from "../api/nearest.ts";
import { folderFor, type Surroundings } from "../config/files.ts";
import { usage } from "../errors.ts";

/** Names of the templates of new bugs: the files of `templates` in the configuration folder, sorted. */
export function templateNames(host: Surroundings): readonly string[] {
  const folder = templateFolder(host);
  if (folder === undefined || !existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((one) => !one.isDirectory() && !one.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

/**
 * The file of a template: one of the configuration folder by its name, else a path.
 * @throws BtError of kind usage if there is neither
 */
export function templateFile(word: string, host: Surroundings): string {
  const names = templateNames(host);
  const folder = templateFolder(host);
  if (folder !== undefined && names.includes(word)) return join(folder, word);
  if (word !== "-" && existsSync(word)) return word;
  throw usage(
    `no template or file ${JSON.stringify(word)}`,
    suggestNames(word, names) ?? `templates are files in ${folder}`,
  );
}

function templateFolder(host: Surroundings): string | undefined {
  const folder = folderFor("config", host);
  return folder && join(folder, "templates");
}
