import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isMirrorName } from "../config/choose-tracker.ts";
import { checkPrivate, type FileTrust } from "../config/file-trust.ts";
import { folderFor, type Host, overwriteFile, type Surroundings } from "../config/files.ts";
import { withLock } from "../config/lock.ts";
import { BtError, fileError, systemErrorCode, usageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Path of the file of a mirror, whether it exists or not; undefined if there is no data folder. */
export function mirrorPath(name: string, host: Surroundings): string | undefined {
  const folder = folderFor("data", host);
  return folder && join(folder, FOLDER, `${name}${ENDING}`);
}

/** Names of the mirrors, sorted. @throws BtError of kind local if their folder cannot be read */
export function listMirrorNames(host: Surroundings): string[] {
  const data = folderFor("data", host);
  const folder = data && join(data, FOLDER);
  if (folder === undefined || !existsSync(folder)) return [];
  return readFolder(folder)
    .filter((dirent) => dirent.isFile() && dirent.name.endsWith(ENDING))
    .map(({ name }) => name.slice(0, -ENDING.length))
    .filter(isMirrorName)
    .sort();
}

/**
 * Path of the file of an existing mirror.
 * @throws BtError of kind usage if there is none
 */
export function existingMirrorPath(name: string, host: Surroundings): string {
  const file = isMirrorName(name) ? mirrorPath(name, host) : undefined;
  if (file !== undefined && existsSync(file)) return file;
  const names = listMirrorNames(host);
  throw usageError(
    `no mirror ${JSON.stringify(name)}`,
    names.length > 0 ? `mirrors: ${names.join(", ")}` : "to create one: bt mirror create NAME",
  );
}

/** @throws BtError of kind guard if others can read or replace a mirror, or the files that SQLite keeps beside it */
export function checkMirrorIsPrivate(name: string, host: Host, trust: FileTrust): void {
  const mirror = existingMirrorPath(name, host);
  const ifForeign = `check its owner, or bt mirror drop ${name}`;
  for (const file of filesOfMirror(mirror)) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats) checkPrivate({ file, stats, pattern: `${mirror}*`, ifForeign }, host.uid, trust);
  }
}

/** The files that SQLite may have beside that of a mirror, and the file itself. */
export function filesOfMirror(file: string): string[] {
  return ["-wal", "-shm", ""].map((end) => `${file}${end}`);
}

/** True if others can neither read nor replace a mirror. */
export function isPrivateMirror(name: string, host: Host): boolean {
  try {
    checkMirrorIsPrivate(name, host, {});
    return true;
  } catch (error) {
    if (error instanceof BtError) return false;
    throw error;
  }
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw fileError("read", folder, error);
  }
}

const FOLDER = "mirrors";
const ENDING = ".db";

/** Overwrites and deletes the file of a mirror, which no other process synchronizes meanwhile. */
export async function dropNamedMirror(name: string, io: Io): Promise<void> {
  const file = existingMirrorPath(name, io);
  const action = () => deleteMirror(file);
  await withLock({ file, about: `the mirror ${name}`, action }, io).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error; // to make space, no lock is needed: nobody can write there
    action();
  });
  await io.err(`dropped the mirror ${name}\n`);
}

function isDiskFull(error: unknown): boolean {
  return error instanceof BtError && systemErrorCode(error.facts.cause) === "ENOSPC";
}

/** Overwrites and deletes a database, and the files that SQLite has beside it while it is open. */
export function deleteMirror(file: string): void {
  for (const one of filesOfMirror(file)) {
    if (existsSync(one)) overwriteFile(one);
  }
}
