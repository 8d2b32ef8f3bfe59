import { randomBytes } from "node:crypto";
import { folderFor } from "../config/files.ts";
import { BtError, fileReason, usage } from "../errors.ts";
import type { Io } from "../io.ts";
import { lacksTracker, localFile, type OpenedTracker, type OpenOptions, openTracker } from "../tracker/open.ts";
import { EngineMissing } from "../tracker/store/engine.ts";
import { plain } from "../view/text.ts";
import type { MissingFile } from "./connection.ts";
import { type DemoHost, openDemoFile } from "./demo-file.ts";

/** Options of opening a tracker. */
type EmbeddedOptions = OpenOptions & {
  missing?: MissingFile; // of a local tracker without a file; default: create
  demo?: DemoHost; // where a demo that remembers changes is; default: a new one in memory
};

/** A tracker in this process; of a demo, the user is told what becomes of the first change. */
type EmbeddedTracker = OpenedTracker & { isDemo: boolean };

/** Output for the report of a new file, and the option that selects another one, for hints. */
type Reporting = Pick<Io, "err"> & { another?: string };

/**
 * Opens a tracker in this process, and reports the file if it was created.
 * @throws BtError of kind local if the data cannot be used, of kind usage if it is missing and must not be created
 */
export async function openEmbeddedData(
  address: string,
  place: EmbeddedOptions,
  { err, another = "--base-url local:/path/to/file.db" }: Reporting,
): Promise<EmbeddedTracker> {
  const file = address.startsWith("local:") ? localFile(address, place.dataDirectory) : undefined;
  const missing = file !== undefined && lacksTracker(file) ? place.missing : undefined;
  if (missing === "refuse") throw noTracker(file);
  const demo = address === "demo:" ? place.demo : undefined;
  const folder = demo && folderFor("cache", demo.io);
  let opened: OpenedTracker | undefined;
  try {
    if (demo && folder) opened = await openDemoFile(folder, place, demo);
    opened ??= openTracker(address, { ...place, isImitated: missing === "imitate" });
  } catch (error) {
    if (error instanceof EngineMissing)
      throw new BtError("local", error.message, { hint: SQLITE_MISSING, changed: "nothing" });
    throw new BtError("local", `cannot open the tracker's data at ${localFile(address, place.dataDirectory)}`, {
      hint: `use another file: ${another}`,
      changed: "nothing",
      details: [fileReason(error)],
    });
  }
  if (missing === "imitate") await err(`a tracker would be created in ${plain(file ?? "")}\n`);
  if (opened.isNew) await err(`created a tracker in ${plain(opened.file ?? "")}\n`);
  return { ...opened, isDemo: demo !== undefined };
}

/** Says after a change of a demo, once for its data, what becomes of it. */
export async function noteChange({ store, file, isDemo }: EmbeddedTracker, { err }: Pick<Io, "err">): Promise<void> {
  if (!isDemo || store.get("PRAGMA application_id")?.["application_id"] === NOTED) return;
  store.exec(`PRAGMA application_id = ${NOTED}`);
  await err(
    file === undefined
      ? "the demo forgets this when the command ends: the cache folder is not writable\n"
      : `the demo remembers this; rm ${plain(file)} starts it anew\n`,
  );
}

const NOTED = 1;

/** Random bytes of the system, for keys and tokens. */
export function systemRandom(count: number): Uint8Array {
  return randomBytes(count);
}

function noTracker(file = ""): BtError {
  return usage(
    `no tracker in ${file}`,
    "check the path; bt bug create, bt bug import, bt admin apply or bt serve --data would create a tracker there",
  );
}

/** Hint for a Node without SQLite. */
export const SQLITE_MISSING =
  "update Node, install bt again without --omit=optional, or use a tracker on the network: --base-url ADDRESS";
