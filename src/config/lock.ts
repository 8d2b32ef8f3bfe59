import { linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { BtError, fileError, systemErrorCode } from "../errors.ts";
import { type Host, makeFolder, readSmallFile, writeNewFile } from "./files.ts";

/** An action on a file that needs its lock, and the noun for messages. */
export type LockedAction<Result> = {
  readonly file: string;
  readonly about?: string; // default: the lock
  readonly action: () => Result | Promise<Result>;
};

/**
 * Runs an action while holding the lock of a file. Waits up to five seconds; the lock of a dead process is taken over.
 * @throws BtError of kind local, naming the holder
 */
export async function withLock<Result>({ file, about, action }: LockedAction<Result>, host: Host): Promise<Result> {
  const lock = `${file}.lock`;
  await takeLock({ lock, about }, host);
  try {
    return await action();
  } finally {
    try {
      rmSync(lock, { force: true });
    } catch {} // its folder is gone; a lock that stays is void once this process has ended
  }
}

/** True if the process named by a lock still holds it; another one may have its pid by now. */
export function holdsLock(holder: string, { isAlive, startOf }: Pick<Host, "isAlive" | "startOf">): boolean {
  const [number = "", , start] = holder.trim().split(" ");
  const pid = Number.parseInt(number, 10);
  if (!isAlive(pid)) return false;
  const now = start === undefined ? undefined : startOf(pid);
  return now === undefined || now === start;
}

const TRIES = 100;
const PAUSE_MS = 50;

type Lock = { lock: string; about: string | undefined };

async function takeLock({ lock, about }: Lock, host: Host): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    if (createLock(lock, host)) return;
    const holder = readSmallFile(lock, { follow: false })?.text ?? "";
    if (isAbandoned(holder, tries, host)) removeAbandoned(lock, holder);
    else if (tries > TRIES) throw heldError({ lock, about }, holder);
    else await host.sleep(PAUSE_MS);
  }
}

/** True if the lock is abandoned; a nameless one was left by a crash if it stays so. */
function isAbandoned(holder: string, tries: number, host: Host): boolean {
  return holder === "" ? tries > TRIES : !holdsLock(holder, host);
}

function createLock(lock: string, host: Host): boolean {
  makeFolderFor(lock);
  try {
    writeNewFile(lock, `${[host.pid, host.now().toISOString(), host.startOf(host.pid) ?? ""].join(" ").trim()}\n`, {
      lasting: false,
    });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw fileError("write", lock, error);
  }
}

function makeFolderFor(lock: string): void {
  const folder = dirname(lock);
  try {
    makeFolder(folder);
  } catch (error) {
    throw fileError("write", folder, error);
  }
}

/** Removes the lock of a dead process, and restores it if another process took it meanwhile. */
function removeAbandoned(lock: string, holder: string): void {
  const aside = `${lock}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(lock, aside);
    if (readSmallFile(aside, { follow: false })?.text !== holder) linkSync(aside, lock);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT" && systemErrorCode(error) !== "EEXIST")
      throw fileError("write", lock, error);
  } finally {
    rmSync(aside, { force: true });
  }
}

function heldError({ lock, about }: Lock, holder: string): BtError {
  const [pid = "unknown"] = holder.split(" ");
  return new BtError("local", `${about ?? lock} is locked by another bt (process ${pid})`, {
    hint: about ? "wait for it to finish" : "wait for it to finish, or remove that file if no bt is running",
    changed: "nothing",
  });
}
