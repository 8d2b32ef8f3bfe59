import { randomBytes } from "node:crypto";
import { folderFor, folderToWrite } from "../config/files.ts";
import { BtError, fileReason, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { lacksTracker, localFile, type OpenedTracker, openTracker } from "../tracker/open.ts";
import { EngineMissing } from "../tracker/store/engine.ts";
import type { MissingFile } from "./connected-session.ts";
import { openDemoFile } from "./demo-file.ts";
import { note } from "./note.ts";

/** Options of opening a tracker in this process. */
type EmbeddedOptions = {
  missing?: MissingFile; // of a local tracker without a file; default: create
  another?: string; // option that names another file, for hints
  forgetJobs?: (address: string) => Promise<void>; // for a demo that remembers changes; absent: a new one in memory
  isStrict?: boolean;
  isChecked?: boolean; // verify the data file before reading it
};

/** A tracker in this process. */
export type EmbeddedTracker = OpenedTracker & {
  /** Prints after the first change of a demo how long it lasts; once for its data. */
  noteChange: () => Promise<void>;
};

/**
 * Opens a tracker in this process, and reports the file if it was created.
 * @throws BtError of kind local if the data cannot be used, of kind usage if it is missing and must not be created
 */
export async function openEmbedded(address: string, options: EmbeddedOptions, io: Io): Promise<EmbeddedTracker> {
  const { missing, another = "--base-url local:/path/to/file.db", forgetJobs } = options;
  const dataDirectory = address === "local:" ? folderToWrite("data", io, `; or name the file: ${another}`) : "";
  const file = address.startsWith("local:") ? localFile(address, dataDirectory) : undefined;
  const lacking = file !== undefined && lacksTracker(file) ? missing : undefined;
  if (lacking === "refuse") throw noTrackerError(file, dataDirectory, another);
  const demo = address === "demo:" && forgetJobs ? { io, forgetJobs } : undefined;
  const folder = demo && folderFor("cache", io);
  const place = { ...options, now: io.now, random: randomBytes, dataDirectory };
  let opened: OpenedTracker | undefined;
  try {
    if (demo && folder) opened = await openDemoFile(folder, place, demo);
    opened ??= openTracker(address, { ...place, isImitated: lacking === "imitate" });
  } catch (error) {
    throw openingError(error, localFile(address, dataDirectory), another);
  }
  if (lacking === "imitate") await note(io, `a tracker would be created in ${file ?? ""}`);
  if (opened.isNew) await note(io, `created a tracker in ${opened.file ?? ""}`);
  const { store, file: data } = opened;
  const noteChange = async () => {
    if (!demo || store.get("PRAGMA application_id")?.["application_id"] === NOTED) return;
    store.exec(`PRAGMA application_id = ${NOTED}`);
    await note(
      io,
      data === undefined
        ? "the demo forgets this when the command ends: the cache folder is not writable"
        : `saved in the demo tracker; delete ${data} to reset it`,
    );
  };
  return { ...opened, noteChange };
}

const NOTED = 1;

function openingError(error: unknown, file: string, another: string): BtError {
  if (error instanceof EngineMissing) return new BtError("local", error.message, { hint: SQLITE_MISSING });
  return new BtError("local", `cannot open the tracker's data at ${file}`, {
    hint: `use another file: ${another}`,
    details: [fileReason(error)],
  });
}

/** Of the default file, which nobody typed, the option for another one is named. */
function noTrackerError(file = "", dataDirectory: string, another: string): BtError {
  const first = dataDirectory ? `name another: ${another}` : "check the path";
  const creators = "bt bug create, bt bug import, bt admin apply or bt serve --data";
  return usageError(`no tracker in ${file}`, `${first}; ${creators} would create a tracker there`);
}

/** Hint for a Node without SQLite. */
export const SQLITE_MISSING =
  "update Node, install bt again without --omit=optional, or use a tracker on the network: --base-url ADDRESS";
