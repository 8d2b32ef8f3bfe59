import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { fileIn, folderToWrite, makeFolder, withLock, writeNewFile } from "../config/files.ts";
import { BtError, fileReason, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { openDemo } from "../tracker/demo/demo.ts";
import { lacksTracker, localFile, type OpenedTracker, openDemoStore, openTracker } from "../tracker/open.ts";
import { EngineMissing, openStore, UnusableStore } from "../tracker/store/store.ts";
import { forgetBugs, forgetJobs } from "./memory.ts";
import { note } from "./note.ts";

/** Options of opening a tracker in this process. */
type EmbeddedOptions = {
  mayCreate?: boolean; // the file of a local tracker, if missing; default: true
  isKept?: boolean; // of a demo: it remembers changes; absent: a new one in memory
  isChecked?: boolean; // verify the data file before reading it
};

/** A tracker in this process. */
export type EmbeddedTracker = OpenedTracker & {
  /** Prints after the first change of a demo where it is saved; once for its data. */
  noteChange: () => Promise<void>;
};

/**
 * Opens a tracker in this process, and reports the file if it was created.
 * @throws BtError of kind local if the data cannot be used, of kind usage if it is missing and must not be created
 */
export async function openEmbedded(address: string, options: EmbeddedOptions, io: Io): Promise<EmbeddedTracker> {
  const { mayCreate = true, isKept = false } = options;
  const dataDirectory = address === "local:" ? folderToWrite("data", io) : "";
  const file = localFile(address, dataDirectory);
  if (address.startsWith("local:") && !mayCreate && lacksTracker(file))
    throw usageError(`no tracker in ${file}`, `check the path; ${CREATORS} would create a tracker there`);
  const runtime = { ...options, now: io.now, random: randomBytes, dataDirectory };
  let opened: OpenedTracker | undefined;
  try {
    if (address === "demo:" && isKept) opened = await openDemoFile(runtime, io);
    if (dataDirectory !== "") makeFolder(dataDirectory);
    opened ??= openTracker(address, runtime);
  } catch (error) {
    throw openingError(error, file);
  }
  if (opened.isNew) await note(io, `created a tracker in ${opened.file ?? ""}`);
  const { store, file: data } = opened;
  const noteChange = async () => {
    if (address !== "demo:" || store.get("PRAGMA application_id")?.["application_id"] === NOTED) return;
    store.exec(`PRAGMA application_id = ${NOTED}`);
    const lost = "the demo forgets this when the command ends: the cache folder is not writable";
    await note(io, data === undefined ? lost : `saved in the demo tracker; delete ${data} to reset it`);
  };
  return { ...opened, noteChange };
}

const CREATORS = "bt bug create, bt bug import, bt admin apply or bt serve --data";
const NOTED = 1; // application id of a demo whose file was reported

function openingError(error: unknown, file: string): BtError {
  if (error instanceof EngineMissing)
    return new BtError("local", error.message, { hint: SQLITE_MISSING, changed: "nothing" });
  return new BtError("local", `cannot open the tracker's data at ${file}`, {
    hint: "use another file: --base-url local:/path/to/file.db, or --data of bt serve and bt admin",
    changed: "nothing",
    details: [fileReason(error)],
  });
}

/** Hint for a Node without SQLite. */
export const SQLITE_MISSING =
  "update Node, install bt again without --omit=optional, or use a tracker on the network: --base-url ADDRESS";

/**
 * The demo of this machine, which remembers changes: a tracker in a file of the cache folder, replaced by a new one if it is
 * damaged or of another version of bt. Undefined where the file cannot be written.
 */
async function openDemoFile(runtime: DemoRuntime, io: Io): Promise<OpenedTracker | undefined> {
  const file = fileIn("cache", "demo.db", io);
  if (file === undefined) return undefined;
  const openOrReplace = () => {
    const opened = openUsableDemo(file, runtime); // another process may have replaced it
    if (opened === undefined) replaceDemo(file, io);
    return opened ?? openUsableDemo(file, runtime);
  };
  try {
    return openUsableDemo(file, runtime) ?? (await withLock(file, openOrReplace, io));
  } catch (error) {
    if (error instanceof EngineMissing || (error instanceof UnusableStore && error.isBusy)) throw error;
    return undefined;
  }
}

type DemoRuntime = Parameters<typeof openDemoStore>[1];

/** The demo in a file; undefined if there is none, or if it is damaged or of another version of bt. */
function openUsableDemo(file: string, runtime: DemoRuntime): OpenedTracker | undefined {
  try {
    return existsSync(file) ? { ...openDemoStore(openStore(file), runtime), file } : undefined;
  } catch (error) {
    if (error instanceof UnusableStore && !error.isBusy) return undefined;
    throw error;
  }
}

function replaceDemo(file: string, io: Io): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeNewFile(part, "", false); // readable by the owner only
  const made = openDemo(io.now());
  made.run("VACUUM INTO ?", [part]);
  made.close();
  forgetBugs("demo:", io);
  forgetJobs("demo:", io);
  for (const log of ["-wal", "-shm"]) rmSync(`${file}${log}`, { force: true }); // of a file that was removed
  renameSync(part, file);
}
