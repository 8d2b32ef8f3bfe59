import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { BtError, fileReason, systemErrorCode } from "../errors.ts";

/** The text of a small file, without a byte order mark, and what the system says of it. */
export type SmallFile = { readonly text: string; readonly stats: Stats };

/**
 * Reads a file that should be small. A directory, a pipe or a gigabyte in its place is told at once; undefined when there is
 * none. `follow: false` refuses a symbolic link.
 */
export function readSmallFile(file: string, { follow = true, largest = LARGEST } = {}): SmallFile | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)); // a pipe would be waited for
    return contentOf(file, descriptor, largest);
  } catch (error) {
    if (ABSENT.includes(systemErrorCode(error))) return undefined;
    throw error instanceof BtError ? error : fileError("read", file, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function contentOf(file: string, descriptor: number, largest: number): SmallFile {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new BtError("local", `cannot read ${file}: it is not a file`, { changed: "nothing" });
  if (stats.size > largest) throw new BtError("local", `cannot read ${file}: it is too large`, { changed: "nothing" });
  return { text: readFileSync(descriptor, "utf8").replace(/^\ufeff/, ""), stats };
}

const ABSENT = ["ENOENT", "ENOTDIR"];

/**
 * Puts a text in the place of a file that only the owner may read: a crash or a full disk leaves the old one as it was.
 * `lasting: false` does not wait for the disk, for what can be had again.
 */
export function replaceFile(file: string, text: string, { lasting = true } = {}): void {
  const temporary = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    makeFolder(dirname(file));
    writeNewFile(temporary, text, { lasting });
    renameSync(temporary, file);
    if (lasting) syncFolder(dirname(file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError("write", file, error);
  }
}

/**
 * Makes a folder for its owner only, with those above it. Node's own way to make several never comes back where the system
 * lets nobody make any, as under /proc.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

/** Writes a file that must not exist yet, not even as a symbolic link. */
export function writeNewFile(file: string, text: string, { lasting = true } = {}): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(descriptor, text);
    if (lasting) fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true }); // half a file is none
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** An error of the file system as a sentence. */
export function fileError(verb: "read" | "write", file: string, cause: unknown): BtError {
  return new BtError("local", `cannot ${verb} ${file}: ${fileReason(cause)}`, { cause, changed: "nothing" });
}

const LARGEST = 1024 * 1024;

/** Makes the new name last; not every system lets a folder be opened for that. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch {
    // the data itself is already on the disk
  }
}

/** What is kept, each kind in a folder of its own as the XDG rules say. */
export type FolderKind = keyof typeof FOLDERS;

const FOLDERS = {
  config: ["XDG_CONFIG_HOME", ".config"],
  cache: ["XDG_CACHE_HOME", ".cache"],
  state: ["XDG_STATE_HOME", ".local/state"],
  data: ["XDG_DATA_HOME", ".local/share"],
} as const;

/** The folder of `bt` for one kind of file; undefined when there is neither a variable for it nor a home directory. */
export function folderFor(kept: FolderKind, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const [variable, below] = FOLDERS[kept];
  const named = env[variable];
  if (named && isAbsolute(named)) return join(named, "bt");
  const home = env["HOME"] || env["USERPROFILE"];
  return home && isAbsolute(home) ? join(home, below, "bt") : undefined;
}

/** The same for writing, where a missing folder is an error. */
export function folderToWrite(kept: FolderKind, env: Readonly<Record<string, string | undefined>>): string {
  const folder = folderFor(kept, env);
  if (folder !== undefined) return folder;
  const hint = `set HOME, or ${FOLDERS[kept][0]} to a folder of your own`;
  throw new BtError("local", "there is no home directory to keep anything in", { hint, changed: "nothing" });
}

/** What the configuration may see and use of the machine that `bt` runs on. */
export type Host = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  readonly uid: number | undefined; // undefined where files have no owner
  readonly isAlive: (pid: number) => boolean;
  /** What tells a process from a later one of the same number; undefined where the system does not say. */
  readonly startOf: (pid: number) => string | undefined;
};
