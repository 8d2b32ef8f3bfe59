import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../../src/config/files.ts";

/** A home directory of its own for a test, and the machine as the configuration sees it from there. */
export function machine(more: Partial<Host> = {}): Host & { readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), "bt-test-"));
  return {
    home,
    now: () => new Date("2026-11-20T10:00:00Z"),
    sleep: async () => undefined,
    pid: process.pid,
    uid: process.getuid?.(),
    startOf: () => "1200",
    input: async () => new TextEncoder().encode("typed\n"),
    ...more,
    env: { HOME: home, PATH: process.env["PATH"], ...more.env },
  };
}
