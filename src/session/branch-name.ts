import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../config/files.ts";
import { BtError } from "../errors.ts";

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
