import { closeSync, openSync, readSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { writeNewFile } from "../config/files.ts";
import { withLock } from "../config/lock.ts";
import type { Io } from "../io.ts";
import { openDemo } from "../tracker/demo/demo.ts";
import type { Runtime } from "../tracker/http/call.ts";
import { type OpenedTracker, openDemoStore } from "../tracker/open.ts";
import { isInUse, UnusableStore } from "../tracker/store/database.ts";
import { EngineMissing } from "../tracker/store/engine.ts";
import { SCHEMA_VERSION } from "../tracker/store/schema.ts";
import { openStore } from "../tracker/store/store.ts";
import { DAY_MS } from "../wire/time.ts";
import { forgetBugs } from "./memory.ts";

/** The machine of the demo, and the removal of a tracker's jobs, since jobs of a demo end with its file. */
export type DemoHost = { io: Io; forgetJobs: (address: string) => Promise<void> };

/**
 * The demo of this machine, which remembers changes: a tracker in a file of the cache folder, replaced by a new one after a
 * day without use, or if it is damaged or of another version of bt. Undefined where the file cannot be written.
 */
export async function openDemoFile(
  folder: string,
  runtime: Runtime,
  host: DemoHost,
): Promise<OpenedTracker | undefined> {
  const { now } = host.io;
  const file = join(folder, "demo.db");
  const touch = () => utimesSync(file, now(), now());
  const isStale = () => isIdle(file, now()) || hasOtherSchema(file);
  const open = () => {
    touch(); // before it is opened, so that nobody replaces it from here on
    return openDemoStore(openStore(file), runtime);
  };
  try {
    if (isStale()) await replaceDemoFile(file, isStale, host);
    const opened = await orElse(open, async () => {
      await replaceDemoFile(file, () => true, host);
      return open();
    });
    const close = () => {
      opened.close();
      if (!isIdle(file, now())) touch();
    };
    return { ...opened, file, close };
  } catch (error) {
    if (error instanceof EngineMissing) throw error;
    return undefined;
  }
}

/** The tracker in a file, or in the one that takes the place of a file that is damaged. */
async function orElse(open: () => OpenedTracker, reopen: () => Promise<OpenedTracker>): Promise<OpenedTracker> {
  try {
    return open();
  } catch (error) {
    if (error instanceof UnusableStore) return reopen();
    throw error;
  }
}

/** True for a file that was not used for a day, or does not exist. */
function isIdle(file: string, now: Date): boolean {
  const used = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  return now.getTime() - used >= DAY_MS;
}

/**
 * True for a file of another version of bt, as its header says: on Node 20 a database that was opened stays in use until the
 * process ends.
 */
function hasOtherSchema(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const header = Buffer.alloc(100);
    return readSync(descriptor, header) === 100 && header.readUInt32BE(USER_VERSION) !== SCHEMA_VERSION;
  } finally {
    closeSync(descriptor);
  }
}

/** Offset in the header. @see https://www.sqlite.org/fileformat.html */
const USER_VERSION = 60;

async function replaceDemoFile(file: string, isDue: () => boolean, { io, forgetJobs }: DemoHost): Promise<void> {
  const action = async () => {
    if (!isDue() || isInUse(file)) return;
    const part = `${file}.part`;
    rmSync(part, { force: true });
    writeNewFile(part, "", { lasting: false }); // readable by the owner only
    const made = openDemo(io.now());
    made.run("VACUUM INTO ?", [part]);
    made.close();
    await forgetJobs("demo:");
    forgetBugs("demo:", io);
    for (const log of ["-wal", "-shm"]) rmSync(`${file}${log}`, { force: true }); // of a file that was removed
    renameSync(part, file);
  };
  await withLock({ file, action }, io);
}
