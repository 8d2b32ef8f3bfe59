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
import { BtError, fileError, systemErrorCode } from "../errors.ts";
import type { KeyringPackage } from "../platform.ts";

/** Text of a small file without byte order mark, and its stats. */
export type SmallFile = { readonly text: string; readonly stats: Stats };

/**
 * Reads a small file; undefined if it does not exist. `follow: false` rejects symbolic links.
 * @throws BtError of kind local for a directory, a pipe or a file above `largest` bytes
 */
export function readSmallFile(file: string, { follow = true, largest = LARGEST } = {}): SmallFile | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)); // do not block on a pipe
    return readOpened(file, descriptor, largest);
  } catch (error) {
    if (ABSENT.includes(systemErrorCode(error))) return undefined;
    throw error instanceof BtError ? error : fileError("read", file, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readOpened(file: string, descriptor: number, largest: number): SmallFile {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new BtError("local", `cannot read ${file}: not a regular file`, { changed: "nothing" });
  if (stats.size > largest) throw new BtError("local", `cannot read ${file}: file too large`, { changed: "nothing" });
  return { text: readFileSync(descriptor, "utf8").replace(/^\ufeff/, ""), stats };
}

const ABSENT = ["ENOENT", "ENOTDIR"];

/** Replaces a file atomically with mode 0600. `lasting: false` skips fsync, for data that can be recreated. */
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
 * Creates a folder and its parents with mode 0700. Node's recursive mkdir never returns where folders cannot be
 * created, such as under /proc.
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

/** Writes a file that must not exist, not even as a symbolic link. */
export function writeNewFile(file: string, text: string, { lasting = true } = {}): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(descriptor, text);
    if (lasting) fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true }); // remove a partial file
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

const LARGEST = 1024 * 1024;

/** Makes a rename durable; not every system allows opening a folder for that. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch {
    // the data itself is already on disk
  }
}

/** Kind of stored files, each with a folder of its own. */
export type FolderKind = keyof typeof BELOW_HOME;

/** @see https://specifications.freedesktop.org/basedir-spec/latest/ */
const BELOW_HOME = { config: ".config", cache: ".cache", state: ".local/state", data: ".local/share" };

/** Folder for one kind of files; undefined without a variable or a home directory. */
export function folderFor(kind: FolderKind, { env }: Surroundings): string | undefined {
  const [base, home] = [env[variableOf(kind)], env["HOME"]];
  if (base && isAbsolute(base)) return join(base, "bt");
  return home && isAbsolute(home) ? join(home, BELOW_HOME[kind], "bt") : undefined;
}

function variableOf(kind: FolderKind): string {
  return `XDG_${kind.toUpperCase()}_HOME`;
}

/**
 * Like `folderFor`. `instead` ends the hint with what to do without a folder.
 * @throws BtError of kind local if there is no such folder
 */
export function folderToWrite(kind: FolderKind, host: Surroundings, instead = ""): string {
  const folder = folderFor(kind, host);
  if (folder !== undefined) return folder;
  const hint = `set HOME, or ${variableOf(kind)} to a writable folder${instead}`;
  throw new BtError("local", "no home directory", { hint, changed: "nothing" });
}

/** The environment, which determines the locations of files. */
export type Surroundings = { readonly env: Readonly<Record<string, string | undefined>> };

/** The parts of the machine that the configuration uses. */
export type Host = Surroundings & {
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  readonly uid: number | undefined; // undefined on systems without file owners
  readonly isAlive: (pid: number) => boolean;
  /**
   * Start time of a process, which distinguishes it from a later one with the same pid; undefined where unsupported.
   */
  readonly startOf: (pid: number) => string | undefined;
  /** Loads the package of the system's keyring; absent: the keyring is that of `secret-tool`. */
  readonly loadKeyring?: (() => Promise<KeyringPackage>) | undefined;
};
