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
import { jsonProblem } from "../wire/json.ts";
import { invalidMemberText, type Shape } from "../wire/shape.ts";

/** The environment, which determines the locations of files. */
export type Surroundings = Pick<Io, "env">;

/** The parts of the machine that the configuration uses. */
export type Host = Pick<Io, "env" | "now" | "sleep" | "pid" | "uid" | "startOf" | "input">;

/** Kind of stored files, each with a folder of its own. */
type FolderKind = keyof typeof BELOW_HOME;

/** @see https://specifications.freedesktop.org/basedir-spec/latest/ */
const BELOW_HOME = { config: ".config", cache: ".cache", state: ".local/state", data: ".local/share" };

/** Folder for one kind of files; undefined without a variable or a home directory. */
export function folderFor(kind: FolderKind, { env }: Surroundings): string | undefined {
  const [base, home] = [env[`XDG_${kind.toUpperCase()}_HOME`], env["HOME"]];
  if (base && isAbsolute(base)) return join(base, "bt");
  return home && isAbsolute(home) ? join(home, BELOW_HOME[kind], "bt") : undefined;
}

/** Path of a stored file; undefined without its folder. */
export function fileIn(kind: FolderKind, name: string, host: Surroundings): string | undefined {
  const folder = folderFor(kind, host);
  return folder && join(folder, name);
}

/** Like `folderFor`. @throws BtError of kind local if there is no such folder */
export function folderToWrite(kind: FolderKind, host: Surroundings): string {
  const folder = folderFor(kind, host);
  if (folder !== undefined) return folder;
  const hint = `set HOME, or XDG_${kind.toUpperCase()}_HOME to a writable folder`;
  throw new BtError("local", "no home directory", { hint });
}

/**
 * Text of a small file without byte order mark, and its stats; undefined if it does not exist.
 * @throws BtError of kind local for a directory, a pipe or a file above `largest` bytes; of kind guard for a symbolic link
 * that it must not `follow`
 */
export function readSmallFile(file: string, { follow = true, largest = 1024 * 1024 } = {}) {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)); // do not block on a pipe
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error("not a regular file");
    if (stats.size > largest) throw new Error("file too large");
    return { text: readFileSync(descriptor, "utf8").replace(/^\ufeff/, ""), stats };
  } catch (error) {
    const code = systemErrorCode(error);
    if (["ENOENT", "ENOTDIR"].includes(code)) return undefined;
    if (code === "ELOOP" && !follow) throw refusedFileError(file, "it is a symbolic link", "replace it with the file");
    throw fileError("read", file, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Bytes of a file that must exist. @throws BtError of kind local */
export function readContent(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw fileError("read", file, error);
  }
}

/** The JSON of a file. @throws BtError of kind local if it does not have its shape */
export function parseFile<Content>(file: string, text: string, shape: Shape): Content {
  let problem: string;
  try {
    const content = JSON.parse(text);
    const invalid = shape(content);
    if (invalid === undefined) return content;
    problem = invalidMemberText(invalid, "it");
  } catch {
    problem = `it is ${jsonProblem(text)}`;
  }
  const hint = "fix or remove the file; bt does not change it";
  throw new BtError("local", `cannot use ${file}: ${problem}`, { hint });
}

/** @throws BtError of kind guard if other users can read a file */
export function checkOwnerOnly(file: string, { mode }: Stats): void {
  if (mode & 0o077) throw refusedFileError(file, "other users can read it", `chmod 600 ${file}${OR_INSECURE}`);
}

/** @throws BtError of kind guard if other users can read or replace a file */
export function checkPrivate(file: string, stats: Stats, { uid }: Host): void {
  checkOwnerOnly(file, stats);
  const folder = statSync(dirname(file));
  if (stats.uid === uid && folder.uid === uid && !(folder.mode & 0o022)) return;
  const hint = `check the owner of its folder, and chmod 700 ${dirname(file)}${OR_INSECURE}`;
  throw refusedFileError(file, "other users can replace it", hint);
}

const OR_INSECURE = ", or --insecure-files to use it anyway";

function refusedFileError(file: string, why: string, hint: string): BtError {
  return new BtError("guard", `${file} is not used: ${why}`, { hint });
}

/** Replaces a file atomically with mode 0600. Without `isLasting`, fsync is skipped, for data that can be recreated. */
export function replaceFile(file: string, text: string, isLasting = true): void {
  const temporary = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    makeFolder(dirname(file));
    writeNewFile(temporary, text, isLasting);
    renameSync(temporary, file);
    if (isLasting) syncFolder(dirname(file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError("write", file, error);
  }
}

/** Creates a folder and its parents with mode 0700. Node's recursive mkdir never returns under /proc. */
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
export function writeNewFile(file: string, text: string, isLasting = true): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeFileSync(descriptor, text);
    if (isLasting) fsyncSync(descriptor);
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

/**
 * Runs an action while holding the lock of a file. Waits up to five seconds; the lock of a dead process is taken over.
 * @throws BtError of kind local, naming the holder
 */
export async function withLock<Result>(
  file: string,
  action: () => Result | Promise<Result>,
  host: Host,
): Promise<Result> {
  const lock = `${file}.lock`;
  await takeLock(lock, host);
  try {
    return await action();
  } finally {
    try {
      rmSync(lock, { force: true });
    } catch {} // its folder is gone; a lock that stays is void once this process has ended
  }
}

async function takeLock(lock: string, host: Host): Promise<void> {
  for (let tries = 1; !createLock(lock, host); tries += 1) {
    const holder = readHolder(lock);
    const [pid = "", start] = holder.trim().split(" ");
    // another process may have its pid by now; a lock without a name was left by a crash if it stays so
    const isAbandoned = holder === "" ? tries > TRIES : String(host.startOf(Number(pid))) !== start;
    if (isAbandoned && readHolder(lock) === holder) rmSync(lock, { force: true });
    else if (tries <= TRIES) await host.sleep(PAUSE_MS);
    else {
      const hint = "wait for it to finish, or remove that file if no bt is running";
      throw new BtError("local", `${lock} is locked by another bt (process ${pid})`, { hint, changed: "nothing" });
    }
  }
}

const TRIES = 100;
const PAUSE_MS = 50;

/** False if there is a lock already. */
function createLock(lock: string, { pid, startOf }: Host): boolean {
  try {
    makeFolder(dirname(lock));
    writeNewFile(lock, `${pid} ${startOf(pid)}\n`, false);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw fileError("write", lock, error);
  }
}

/** Process id and start time of the holder of a lock; empty if it is gone, or was cut. */
function readHolder(lock: string): string {
  return readSmallFile(lock, { follow: false })?.text ?? "";
}
