import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStore, type Store } from "../src/tracker/store/store.ts";

/**
 * A store of its own for a test with what `make` puts into one, which is done once for each name and then copied: in 5 ms
 * and not in 50. The copy is a file without a name, so nothing is left of it.
 */
export function copiedStore(name: string, make: () => Store): Store {
  const copy = path.join(FOLDER, "copy.db");
  copyFileSync(fileOf(name, make), copy);
  const store = openStore(copy);
  store.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE");
  for (const end of ["", "-wal", "-shm"]) rmSync(`${copy}${end}`, { force: true });
  return store;
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
