import { linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { BtError, fileError, systemErrorCode } from "../errors.ts";
import { type Host, makeFolder, readSmallFile, writeNewFile } from "./files.ts";

/** An action on a file that needs its lock. */
type LockedAction<Result> = { readonly file: string; readonly action: () => Result | Promise<Result> };

/**
 * Runs an action while holding the lock of a file. Waits up to five seconds; the lock of a dead process is taken over.
 * @throws BtError of kind local, naming the holder
 */
export async function withLock<Result>({ file, action }: LockedAction<Result>, host: Host): Promise<Result> {
  const lock = `${file}.lock`;
  for (let tries = 1; !createLock(lock, host); tries += 1) {
    const holder = readSmallFile(lock, { follow: false })?.text ?? "";
    // a lock without a name was left by a crash if it stays so
    if (holder === "" ? tries > TRIES : !holdsLock(holder, host)) removeAbandoned(lock, holder);
    else if (tries > TRIES) {
      const [pid = ""] = holder.split(" ");
      throw new BtError("local", `${lock} is locked by another bt (process ${pid})`, {
        hint: "wait for it to finish, or remove that file if no bt is running",
        changed: "nothing",
      });
    } else await host.sleep(PAUSE_MS);
  }
  try {
    return await action();
  } finally {
    try {
      rmSync(lock, { force: true });
    } catch {} // its folder is gone; a lock that stays is void once this process has ended
  }
}

const TRIES = 100;
const PAUSE_MS = 50;

/** True if the process named by a lock still holds it; another one may have its pid by now. */
function holdsLock(holder: string, { isAlive, startOf }: Pick<Host, "isAlive" | "startOf">): boolean {
  const [number = "", , start] = holder.trim().split(" ");
  const pid = Number.parseInt(number, 10);
  return isAlive(pid) && (start === undefined || start === (startOf(pid) ?? start));
}

function createLock(lock: string, { pid, now, startOf }: Host): boolean {
  try {
    makeFolder(dirname(lock));
    writeNewFile(lock, `${pid} ${now().toISOString()} ${startOf(pid) ?? ""}\n`, { lasting: false });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw fileError("write", lock, error);
  }
}

/** Removes the lock of a dead process, and restores it if another process took it meanwhile. */
function removeAbandoned(lock: string, holder: string): void {
  const aside = `${lock}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(lock, aside);
    if (readSmallFile(aside, { follow: false })?.text !== holder) linkSync(aside, lock);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(systemErrorCode(error))) throw fileError("write", lock, error);
  } finally {
    rmSync(aside, { force: true });
  }
}
