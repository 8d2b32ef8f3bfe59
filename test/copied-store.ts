import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openStore, type Store } from "../src/tracker/store/store.ts";

/**
 * A store of its own for a test with what `make` puts into one, which is done once for each name and then copied: in 5 ms
 * and not in 50.
 */
export function copiedStore(name: string, make: () => Store): Store {
  return openCopy(name, make, (file) => ({ store: openStore(file) })).store;
}

/** The same, opened in another way. The copy is a file without a name, so nothing is left of it. */
function openCopy<Opened extends { readonly store: Store }>(
  name: string,
  make: () => Store,
  open: (file: string) => Opened,
): Opened {
  copies += 1;
  if (copies % COPIES_IN_MEMORY === 0) collectGarbage();
  const copy = path.join(FOLDER, "copy.db");
  copyFileSync(fileOf(name, make), copy);
  const opened = open(copy);
  opened.store.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${copy}${end}`, { force: true });
  return opened;
}

let copies = 0;

/** A closed store has its file and 8 MB until its statements are collected, of which the engine alone knows the size. */
const COPIES_IN_MEMORY = 50;

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

const FOLDER = mkdtempSync(path.join(tmpdir(), "stores-"));
const made = new Map<string, string>();

function fileOf(name: string, make: () => Store): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const file = path.join(FOLDER, `${made.size}.db`);
  const store = make();
  store.exec(`VACUUM INTO '${file}'`);
  store.close();
  openStore(file).close(); // as a store keeps it
  made.set(name, file);
  return file;
}
