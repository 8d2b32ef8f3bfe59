import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isStale } from "./built.ts";

const NAME = "bt-tests-";

/**
 * Builds what is older than the sources; gives a run of the tests, whatever its projects, one temporary folder for all it
 * writes, and takes it away afterwards.
 */
export function setup(): (() => void) | undefined {
  const root = join(import.meta.dirname, "..");
  if (isStale(root)) execFileSync(process.execPath, ["bin/build.js"], { cwd: root, stdio: "inherit" });
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const folder = inMemory() ?? folderIn(tmpdir());
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A file system in memory, where a write that has to last takes no time; on a disk it takes milliseconds. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

/** A folder in memory; undefined where there is none, it has little room, or its files cannot be run. */
function inMemory(): string | undefined {
  if (process.env["TMPDIR"] !== undefined) return undefined; // chosen by who runs the tests
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    folder = folderIn(MEMORY);
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    accessSync(program, constants.X_OK);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true });
    return undefined;
  }
}

function folderIn(place: string): string {
  return mkdtempSync(join(place, NAME));
}
