import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileError, usage } from "../errors.ts";
import { folderFor, type Surroundings } from "./files.ts";

/** True for a name that a mirror can have. */
export function isMirrorName(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}

/** Path of the file of a mirror, whether it exists or not; undefined if there is no data folder. */
export function mirrorFile(name: string, host: Surroundings): string | undefined {
  const folder = folderFor("data", host);
  return folder && join(folder, FOLDER, `${name}${ENDING}`);
}

/** Names of the mirrors, sorted. @throws BtError of kind local if their folder cannot be read */
export function mirrorNames(host: Surroundings): readonly string[] {
  const data = folderFor("data", host);
  const folder = data && join(data, FOLDER);
  if (folder === undefined || !existsSync(folder)) return [];
  return readFolder(folder)
    .filter((one) => one.isFile() && one.name.endsWith(ENDING))
    .map(({ name }) => name.slice(0, -ENDING.length))
    .filter(isMirrorName)
    .sort();
}

/**
 * Path of the file of an existing mirror.
 * @throws BtError of kind usage if there is none
 */
export function existingMirror(name: string, host: Surroundings): string {
  const file = isMirrorName(name) ? mirrorFile(name, host) : undefined;
  if (file !== undefined && existsSync(file)) return file;
  const names = mirrorNames(host);
  throw usage(
    `no mirror ${JSON.stringify(name)}`,
    names.length > 0 ? `mirrors: ${names.join(", ")}` : "to create one: bt mirror create NAME",
  );
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
