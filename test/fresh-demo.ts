import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Runtime } from "../src/tracker/http/call.ts";
import { demoOver, type OpenedTracker, openTracker } from "../src/tracker/open.ts";
import { openStore, type Store } from "../src/tracker/store/store.ts";

/** What a demo is given before a test begins; of equal names only the first is done, and its data copied from then on. */
export type Filling = { readonly name: string; readonly fill: (store: Store) => void };

/**
 * A demo of its own for a test: the same data as `openTracker("demo:")` makes, copied in a tenth of the time. It is a file
 * without a name, so nothing is left of it.
 */
export function freshDemo(surroundings: Runtime, filling?: Filling): OpenedTracker {
  const file = path.join(FOLDER, "copy.db");
  copyFileSync(filled(surroundings.now(), filling), file);
  const store = openStore(file);
  store.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  return demoOver(store, surroundings);
}

const FOLDER = mkdtempSync(path.join(tmpdir(), "demo-"));
const made = new Map<string, string>();

/** The file that holds such a demo as it is in a minute, so that clocks that run share it. */
function filled(now: Date, { name, fill }: Filling = { name: "demo", fill: () => undefined }): string {
  const minute = new Date(now.getTime() - (now.getTime() % 60_000));
  const key = `${name} ${minute.toISOString()}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const file = path.join(FOLDER, `${made.size}.db`);
  made.set(key, file);
  const { store, close } = openTracker("demo:", {
    now: () => minute,
    random: (n) => new Uint8Array(n),
    dataDirectory: "",
  });
  fill(store);
  store.exec(`VACUUM INTO '${file}'`);
  close();
  openStore(file).close(); // as a store keeps it
  return file;
}
