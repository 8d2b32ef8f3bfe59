import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMirrorName } from "../config/choose-tracker.ts";
import { checkPrivate, fileIn, folderToWrite, makeFolder, type Surroundings, withLock } from "../config/files.ts";
import { BtError, fileError, systemErrorCode, usageError, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import { SQLITE_MISSING } from "../session/embedded.ts";
import { EngineMissing, storeProblem } from "../tracker/store/store.ts";
import { type Facts, OtherVersion, openStore, type Store } from "./store.ts";

const FOLDER = "mirrors";
const ENDING = ".db";

/** @throws BtError of kind local without a folder for data */
function mirrorPath(name: string, host: Surroundings): string {
  return join(folderToWrite("data", host), FOLDER, `${name}${ENDING}`);
}

/** Names of the mirrors, sorted. @throws BtError of kind local if their folder cannot be read */
export function listMirrorNames(host: Surroundings): string[] {
  const folder = fileIn("data", FOLDER, host);
  if (folder === undefined || !existsSync(folder)) return [];
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((dirent) => dirent.isFile());
    const names = files.flatMap(({ name }) => (name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : []));
    return names.filter(isMirrorName).sort();
  } catch (error) {
    throw fileError("read", folder, error);
  }
}

/** Path of the file of a mirror. @throws BtError of kind usage if there is none */
export function existingMirrorPath(name: string, host: Surroundings): string {
  const file = mirrorPath(name, host);
  if (isMirrorName(name) && existsSync(file)) return file;
  const names = listMirrorNames(host).join(", ");
  const hint = names === "" ? "to create one: bt mirror create NAME" : `mirrors: ${names}`;
  throw usageError(`no mirror ${JSON.stringify(name)}`, hint);
}

/**
 * Opens a mirror.
 * @throws BtError of kind usage if there is none, of kind guard if others can read or replace its files, of kind local if it
 * cannot be opened
 */
export function openMirror(name: string, io: Io, insecureFiles = false): Store {
  const path = existingMirrorPath(name, io);
  for (const file of filesOf(path)) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && !insecureFiles) checkPrivate(file, stats, io);
  }
  return openNamedStore(name, path);
}

/** Makes the file of a mirror, which only its owner can read. @throws BtError of kind usage if there is one */
export function makeMirror(name: string, facts: Partial<Facts>, io: Io): Store {
  const path = mirrorPath(name, io);
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw fileError("write", path, error);
    throw usageError(`the mirror ${name} already exists`, `bt mirror sync ${name} updates it`);
  }
  return openNamedStore(name, path, facts);
}

/** Opens a store, or makes a new one with these facts; its errors name the mirror. */
function openNamedStore(name: string, path: string, newFacts?: Partial<Facts>): Store {
  const translate = (error: unknown) => {
    const problem = storeProblem(error);
    if (problem === undefined) return error;
    return new BtError("local", `cannot use the mirror ${name} at ${path}`, { details: [problem], cause: error });
  };
  try {
    return openStore(path, newFacts, translate);
  } catch (error) {
    if (error instanceof EngineMissing) throw new BtError("local", error.message, { hint: SQLITE_MISSING });
    const hint = `create it anew: bt mirror drop ${name}, then bt mirror create ${name}`;
    if (error instanceof OtherVersion)
      throw new BtError("local", `another version of bt made the mirror ${name}`, { hint });
    throw error instanceof BtError ? withFacts(error, { hint }) : error;
  }
}

/** Runs an action on a mirror that no other process synchronizes or deletes meanwhile. */
export async function withMirror<Result>(name: string, action: () => Promise<Result>, io: Io): Promise<Result> {
  const runIfPresent = () => {
    existingMirrorPath(name, io); // another process may have dropped it while this one waited for the lock
    return action();
  };
  return withLock(existingMirrorPath(name, io), runIfPresent, io);
}

export function removeMirror(name: string, io: Io): void {
  const path = mirrorPath(name, io);
  try {
    for (const file of filesOf(path)) rmSync(file, { force: true });
  } catch (error) {
    throw fileError("write", path, error);
  }
}

/** The file of a mirror, and before it the files that SQLite may have beside it. */
function filesOf(path: string): string[] {
  return ["-wal", "-shm", ""].map((ending) => `${path}${ending}`);
}
