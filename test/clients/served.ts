import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { openTracker } from "../../src/tracker/open.ts";
import { startServer } from "../../src/tracker/server/server.ts";
import { machineClock } from "../clock.ts";

/** True if a program is installed here. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A tracker of one's own on a port, for programs that nobody here wrote, and the key of its owner. */
export async function servedTracker() {
  const folder = mkdtempSync(join(tmpdir(), "bt-clients-"));
  const opened = openTracker(`local:${join(folder, "team.db")}`, {
    now: machineClock.now,
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    dataDirectory: folder,
  });
  const { url, close } = await startServer({ tracker: opened.tracker, port: 0 });
  const key = opened.addFirstKey()?.key ?? "";
  return {
    url,
    key,
    /** Runs a program with a home of its own, in which these files stand. */
    run: async (program: string, args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
      const env = { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8", COLUMNS: "200" };
      const ran = await execa(program, args, {
        env,
        extendEnv: false,
        reject: false,
        all: true,
        stdin: "ignore",
        timeout: 20_000,
      });
      return ran.all;
    },
    close: async () => {
      await close();
      opened.close();
      rmSync(folder, { recursive: true });
    },
  };
}
