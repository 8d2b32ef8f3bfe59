import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSmallFile, type Surroundings } from "../../config/files.ts";
import type { SettingValues } from "../../config/settings.ts";
import { BtError } from "../../errors.ts";
import type { RepositoryFile } from "./repository-yaml.ts";

/** A process that may be in a repository. */
export type RepositoryHost = Surroundings & { readonly cwd: () => string };

/**
 * The nearest `.bt.yaml`, from the working directory up to the root of its repository, else up to the home directory.
 * Undefined if there is none, it is switched off, or the working directory is in neither.
 * @throws BtError of kind usage with file and line
 */
export async function readRepositoryFile(
  host: RepositoryHost,
  { repo_file }: SettingValues,
): Promise<RepositoryFile | undefined> {
  if ((host.env["BT_REPO_FILE"] || repo_file) === "off") return undefined;
  const path = findRepositoryFile(host);
  const found = path === undefined ? undefined : readSmallFile(path, { follow: false, largest: MAX_BYTES });
  if (path === undefined || found === undefined) return undefined;
  return (await import("./repository-yaml.ts")).parseRepositoryFile(found.text, path);
}

const NAME = ".bt.yaml";
const MAX_BYTES = 64 * 1024;
const ROOT_MARKS = [".git", ".hg", ".jj", ".svn"];

function findRepositoryFile({ cwd, env }: RepositoryHost): string | undefined {
  const home = pathOrUndefined(() => realpathSync(env["HOME"] ?? ""));
  let nearest: string | undefined;
  for (let folder = pathOrUndefined(cwd); folder !== undefined; folder = folderAbove(folder)) {
    const file = join(folder, NAME);
    if (nearest === undefined && existsSync(file)) nearest = file;
    const here = folder;
    if (here === home || ROOT_MARKS.some((mark) => existsSync(join(here, mark)))) return nearest;
  }
  return undefined;
}

function pathOrUndefined(path: () => string): string | undefined {
  try {
    return path();
  } catch {
    return undefined; // the folder was deleted
  }
}

function folderAbove(folder: string): string | undefined {
  const above = dirname(folder);
  return above === folder ? undefined : above;
}

/** Name of the branch that is checked out where the process works; undefined outside of a Git repository. */
export function readBranchName({ cwd }: { cwd: () => string }): string | undefined {
  try {
    for (let folder = cwd(); ; folder = dirname(folder)) {
      const head = readHead(join(folder, ".git"));
      if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
      if (folder === dirname(folder)) return undefined;
    }
  } catch {
    return undefined; // the folder was deleted, or cannot be read
  }
}

/** The file HEAD of a repository; in a further worktree, `.git` is a file that names its folder. */
function readHead(git: string): string | undefined {
  const link = readIfFile(git);
  const [, folder] = /^gitdir: (.+)$/m.exec(link ?? "") ?? [];
  return readIfFile(folder === undefined ? join(git, "HEAD") : resolve(dirname(git), folder, "HEAD"));
}

function readIfFile(file: string): string | undefined {
  try {
    return readSmallFile(file)?.text;
  } catch (error) {
    if (error instanceof BtError) return undefined; // a folder
    throw error;
  }
}
