import { linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { BtError } from "../errors.ts";
import { codeOf } from "../file-reason.ts";
import { fileError, makeFolder, readSmallFile, writeNewFile } from "./files.ts";
import type { Host } from "./host.ts";

/**
 * Does something while no other `bt` does the same to a file. Waits five seconds for another's lock, then says whose it is;
 * the lock of a process that is gone is taken over.
 */
export async function withLock<Result>(
  file: string,
  host: Host,
  action: () => Result | Promise<Result>,
): Promise<Result> {
  const lock = `${file}.lock`;
  await take(lock, host);
  try {
    return await action();
  } finally {
    rmSync(lock, { force: true });
  }
}

const TRIES = 100;
const PAUSE_MS = 50;

async function take(lock: string, host: Host): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    if (created(lock, host)) return;
    const holder = readSmallFile(lock, { follow: false })?.text ?? "";
    if (isLeft(holder, tries, host)) takeAway(lock, holder);
    else if (tries > TRIES) throw held(lock, holder);
    else await host.sleep(PAUSE_MS);
  }
}

/** Whether nobody holds a lock any more; one without a name is left by a crash while it was written, if it stays so. */
function isLeft(holder: string, tries: number, { isAlive }: Host): boolean {
  return holder === "" ? tries > TRIES : !isAlive(Number.parseInt(holder, 10));
}

function created(lock: string, host: Host): boolean {
  makeFolderFor(lock);
  try {
    writeNewFile(lock, `${host.pid} ${host.now().toISOString()}\n`, { lasting: false });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
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

/** Takes the lock of a dead process away, unless another did so meanwhile: then that one's lock is put back. */
function takeAway(lock: string, holder: string): void {
  const aside = `${lock}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(lock, aside);
    if (readSmallFile(aside, { follow: false })?.text !== holder) linkSync(aside, lock);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw fileError("write", lock, error);
  } finally {
    rmSync(aside, { force: true });
  }
}

function held(lock: string, holder: string): BtError {
  const [pid = "unknown"] = holder.split(" ");
  return new BtError("local", `another bt (process ${pid}) holds ${lock}`, {
    hint: "wait for it, or remove that file if no bt is running",
    changed: "nothing",
  });
}
