import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives a run of the tests one temporary folder for all it writes, and takes it away afterwards. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "bt-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
