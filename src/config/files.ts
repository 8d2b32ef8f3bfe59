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
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { BtError, fileError, systemErrorCode } from "../errors.ts";
import type { Io } from "../io.ts";

/** The environment, which determines the locations of files. */
export type Surroundings = Pick<Io, "env">;

/** The parts of the machine that the configuration uses. */
export type Host = Pick<Io, "env" | "now" | "sleep" | "pid" | "uid" | "isAlive" | "startOf">;

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

/** Like `folderFor`. @throws BtError of kind local if there is no such folder */
export function folderToWrite(kind: FolderKind, host: Surroundings): string {
  const folder = folderFor(kind, host);
  if (folder !== undefined) return folder;
  const hint = `set HOME, or ${variableOf(kind)} to a writable folder`;
  throw new BtError("local", "no home directory", { hint });
}

/** Text of a small file without byte order mark, and its stats. */
type SmallFile = { readonly text: string; readonly stats: Stats };

/**
 * Reads a small file; undefined if it does not exist. `follow: false` rejects symbolic links.
 * @throws BtError of kind local for a directory, a pipe or a file above `largest` bytes
 */
export function readSmallFile(file: string, { follow = true, largest = 1024 * 1024 } = {}): SmallFile | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)); // do not block on a pipe
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error("not a regular file");
    if (stats.size > largest) throw new Error("file too large");
    return { text: readFileSync(descriptor, "utf8").replace(/^\ufeff/, ""), stats };
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return undefined;
    throw fileError("read", file, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Permits files that others can read or replace. */
export type FileTrust = { readonly insecureFiles?: boolean | undefined };

/** A private file; its place counts, too, unless the user chose it. */
type PrivateFile = { readonly file: string; readonly stats: Stats; readonly isChosen?: boolean };

/** @throws BtError of kind guard if others can read or replace a file; nothing is checked where files have no owner */
export function checkPrivate(
  { file, stats, isChosen = false }: PrivateFile,
  uid: number | undefined,
  { insecureFiles }: FileTrust,
): void {
  if (insecureFiles || uid === undefined) return;
  const refuse = (why: string, hint: string) => {
    throw new BtError("guard", `${file} is not used: ${why}`, { hint });
  };
  const anyway = ", or --insecure-files to use it anyway";
  if (stats.mode & 0o077) refuse("it is readable by other users", `chmod 600 ${file}${anyway}`);
  if (isChosen) return;
  const folder = statSync(dirname(file));
  if (stats.uid !== uid || folder.uid !== uid) refuse("it or its folder belongs to another user", "check its owner");
  if (folder.mode & 0o022) refuse("it is replaceable by other users", `chmod 700 ${dirname(file)}${anyway}`);
}

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
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
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
