import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Host } from "../../src/config/host.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A home directory of its own for a test, and the machine as the configuration sees it from there. */
export function machine(more: Partial<Host> = {}): Host & { readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), "bt-test-"));
  folders.push(home);
  return {
    home,
    now: () => new Date("2026-11-20T10:00:00Z"),
    sleep: async () => undefined,
    pid: process.pid,
    uid: process.getuid?.(),
    isAlive: () => true,
    ...more,
    env: { HOME: home, PATH: process.env["PATH"], ...more.env },
  };
}
