import { spawn } from "node:child_process";
import path from "node:path";
import { expect } from "vitest";
import { LAUNCHER } from "../built.ts";
import { surroundings } from "../process/real.ts";
import { decent } from "./defaults.ts";

/** The real `bt` as a process that is still running. */
export type Running = {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly pid: number;
  readonly end: Promise<ChildEnd>;
};

/** End of a process, and the time from its start or the last signal (ms). */
export type ChildEnd = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
};

/** Starts the real `bt` with a home of its own, or one that is given. No run of it may hold more than 200 MiB. */
export function start(argv: readonly string[], given: Readonly<Record<string, string>> = {}): Running {
  const env: Readonly<Record<string, string>> = { ...surroundings(), ...given };
  const child = spawn(process.execPath, ["--require", REPORT, LAUNCHER, ...argv], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  let since = performance.now();
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  return {
    kill: (signal) => {
      since = performance.now();
      child.kill(signal);
    },
    pid: child.pid ?? 0,
    end: new Promise<ChildEnd>((resolve) =>
      child.on("close", (code) => resolve({ code, ...said, ms: performance.now() - since })),
    ).then((end) => {
      const [, err = end.err, most = "0"] = /^(.*?)(\d+)\n$/s.exec(end.err) ?? [];
      expect(Number(most), "MiB at most").toBeLessThanOrEqual(MOST_MEMORY);
      const wantsStack = argv.includes("-vv") || Boolean(env["BT_DEBUG"]);
      return decent({ ...end, err }, { keys: [env["BT_API_KEY"] ?? ""], home: env["HOME"] ?? "", wantsStack });
    }),
  };
}

const REPORT = path.join(import.meta.dirname, "../process/report-memory.cjs");
const MOST_MEMORY = 200;
