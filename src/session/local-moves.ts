import { parseAddress } from "../config/choose-tracker.ts";
import { folderToWrite } from "../config/files.ts";
import { BtError, fileReason } from "../errors.ts";
import type { Io } from "../io.ts";
import { moveStore } from "../tracker/moves/move-store.ts";
import { lacksTracker, localFile } from "../tracker/open.ts";
import { openStore } from "../tracker/store/store.ts";
import type { MovedIds, MoveStore } from "../wire/move.ts";

/**
 * The existing data of a local tracker that receives bugs of a source.
 * @throws BtError of kind local if it cannot be used
 */
export function openMoveStore(address: string, source: string, io: Io): MoveStore {
  const file = fileOf(address, io);
  try {
    const store = moveStore(openStore(file), source);
    return { ...store, setUp: (setup) => orRefused(() => store.setUp(setup)) };
  } catch (error) {
    const details = [fileReason(error)];
    throw new BtError("local", `cannot open the tracker's data at ${file}`, { changed: "nothing", details });
  }
}

/**
 * Ids of objects that were moved from a source into a local tracker; empty if there is none.
 * @throws BtError of kind local if it cannot be used
 */
export function movedBefore(address: string, source: string, io: Io): MovedIds {
  if (lacksTracker(fileOf(address, io))) return { bug: new Map(), comment: new Map(), attachment: new Map() };
  const store = openMoveStore(address, source, io);
  try {
    return store.moved();
  } finally {
    store.close();
  }
}

function fileOf(address: string, io: Io): string {
  const place = parseAddress(address, "--to");
  return localFile(address, place.kind === "local" && !place.file ? folderToWrite("data", io) : "");
}

/** Runs a setup; the tracker's error names an invalid name. */
function orRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new BtError("refused", (error as Error).message, {
      details: ["products, fields and groups of the source could not be created"],
      hint: "--map FILE names others",
      changed: "nothing",
    });
  }
}
